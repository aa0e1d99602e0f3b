// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Data;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPacket;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.IpAddress;
import org.onlab.packet.TCP;
import org.onlab.packet.UDP;
import org.onlab.packet.ipv6.Fragment;
import org.onlab.packet.ipv6.HopByHopOptions;
import org.onosproject.net.HostId;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.topology.Nets;

/** Frames of all kinds, whole, tagged, fragmented and cut off. */
class SegmentReaderTest {
    private static final byte[] OPTIONS = {30, 4, 1, 1};
    private static final FiveTuple TUPLE4 = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 65535,
                                                         IpAddress.valueOf("10.0.0.2"), 5201);
    private static final FiveTuple TUPLE6 = FiveTuple.of(IpAddress.valueOf("fd00::1"), 65535,
                                                         IpAddress.valueOf("fd00::2"), 5201);

    private final DetectCounters counters = new DetectCounters();
    private final SegmentReader reader = new SegmentReader(counters);

    private static TCP tcp() {
        TCP tcp = new TCP();
        tcp.setSourcePort(65535).setDestinationPort(5201).setSequence(-5).setAcknowledge(-6)
                .setFlags((short) 0x12).setOptions(OPTIONS);
        tcp.setPayload(new Data(new byte[] {1, 2, 3}));
        return tcp;
    }

    private static IPv4 ipv4() {
        IPv4 packet = new IPv4();
        packet.setSourceAddress("10.0.0.1").setDestinationAddress("10.0.0.2").setProtocol(IPv4.PROTOCOL_TCP)
                .setPayload(tcp());
        return packet;
    }

    private static IPv6 ipv6() {
        IPv6 packet = new IPv6();
        packet.setSourceAddress(IpAddress.valueOf("fd00::1").toOctets());
        packet.setDestinationAddress(IpAddress.valueOf("fd00::2").toOctets());
        packet.setNextHeader(IPv6.PROTOCOL_TCP).setPayload(tcp());
        return packet;
    }

    private static Ethernet frame(short type, IPacket packet) {
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress("00:00:00:00:00:01").setDestinationMACAddress("00:00:00:00:00:02")
                .setEtherType(type).setPayload(packet);
        return frame;
    }

    private static void assertSegment(FiveTuple fiveTuple, Optional<Segment> read) {
        Segment segment = read.orElseThrow();
        assertEquals(fiveTuple, segment.fiveTuple().withoutHosts());
        assertEquals(0x12, segment.flags());
        assertEquals(-5, segment.sequence());
        assertEquals(-6, segment.acknowledgement());
        assertEquals(3, segment.payloadLength());
        assertArrayEquals(OPTIONS, segment.options());
    }

    @Test
    void aFrameNamesTheHosts() {
        Ethernet frame = frame(Ethernet.TYPE_IPV4, ipv4());
        assertEquals(TUPLE4.between(HostId.hostId("00:00:00:00:00:01/None"), HostId.hostId("00:00:00:00:00:02/None")),
                     reader.read(frame.serialize()).orElseThrow().fiveTuple());
        frame.setVlanID((short) 100);
        assertEquals(TUPLE4.between(HostId.hostId("00:00:00:00:00:01/100"), HostId.hostId("00:00:00:00:00:02/100")),
                     reader.read(frame.serialize()).orElseThrow().fiveTuple());
    }

    @Test
    void segmentOfIpv4() {
        Ethernet frame = frame(Ethernet.TYPE_IPV4, ipv4());
        assertSegment(TUPLE4, reader.read(frame.serialize()));
    }

    @Test
    void segmentOfIpv6() {
        Ethernet frame = frame(Ethernet.TYPE_IPV6, ipv6());
        assertSegment(TUPLE6, reader.read(frame.serialize()));
    }

    @Test
    void ipv6BehindExtensionHeaders() {
        IPv6 packet = ipv6();
        HopByHopOptions hop = new HopByHopOptions();
        hop.setOptions(new byte[] {1, 4, 0, 0, 0, 0}).setNextHeader(IPv6.PROTOCOL_TCP);
        hop.setPayload(tcp());
        packet.setNextHeader(IPv6.PROTOCOL_HOPOPT).setPayload(hop);
        Ethernet frame = frame(Ethernet.TYPE_IPV6, packet);
        assertSegment(TUPLE6, reader.read(frame.serialize()));
    }

    @Test
    void fragments() {
        IPv6 packet = ipv6();
        Fragment fragment = new Fragment();
        fragment.setNextHeader(IPv6.PROTOCOL_TCP).setFragmentOffset((short) 10);
        fragment.setPayload(tcp());
        packet.setNextHeader(IPv6.PROTOCOL_FRAG).setPayload(fragment);
        assertLaterFragment(TUPLE6, frame(Ethernet.TYPE_IPV6, packet));
        IPv4 four = ipv4();
        four.setFragmentOffset((short) 100);
        assertLaterFragment(TUPLE4, frame(Ethernet.TYPE_IPV4, four));
        assertEquals(2, counters.get(Counter.SEGMENTS_FRAGMENT));
        fragment.setNextHeader(IPv6.PROTOCOL_UDP);
        assertEquals(Optional.empty(), reader.read(frame(Ethernet.TYPE_IPV6, packet).serialize()));
        assertEquals(1, counters.get(Counter.SEGMENTS_NOT_TCP));
    }

    private void assertLaterFragment(FiveTuple whole, Ethernet frame) {
        Segment read = reader.read(frame.serialize()).orElseThrow();
        assertEquals(FiveTuple.of(whole.source(), 0, whole.destination(), 0), read.fiveTuple().withoutHosts());
        assertEquals(read.fiveTuple(), read.matched());
        assertEquals(0, read.flags(), "what the octets there mean, nobody knows");
    }

    @Test
    void switchesMatchFirstFragmentsWithoutPorts() {
        IPv6 six = ipv6();
        Fragment fragment = new Fragment();
        fragment.setNextHeader(IPv6.PROTOCOL_TCP).setMoreFragment((byte) 1);
        fragment.setPayload(tcp());
        six.setNextHeader(IPv6.PROTOCOL_FRAG).setPayload(fragment);
        IPv4 four = ipv4();
        four.setFlags((byte) 1);
        for (Ethernet frame : List.of(frame(Ethernet.TYPE_IPV4, four), frame(Ethernet.TYPE_IPV6, six))) {
            Segment read = reader.read(frame.serialize()).orElseThrow();
            FiveTuple whole = frame.getEtherType() == Ethernet.TYPE_IPV4 ? TUPLE4 : TUPLE6;
            assertSegment(whole, Optional.of(read));
            assertEquals(FiveTuple.of(whole.source(), 0, whole.destination(), 0)
                                 .between(read.fiveTuple().sourceHost(), read.fiveTuple().destinationHost()), read.matched());
        }
        Segment whole = reader.read(frame(Ethernet.TYPE_IPV4, ipv4()).serialize()).orElseThrow();
        assertEquals(whole.fiveTuple(), whole.matched());
    }

    @Test
    void aFrameWithAServiceTagOrTwoTagsIsLeftToOthers() {
        byte[] tagged = frame(Ethernet.TYPE_IPV4, ipv4()).setVlanID((short) 7).serialize();
        assertSegment(TUPLE4, reader.read(tagged));
        for (int type : new int[] {0x8100, 0x88a8, 0x9100}) {
            assertEquals(Optional.empty(), reader.read(withTag(tagged, type)));
        }
        assertEquals(Optional.empty(), reader.read(withTag(frame(Ethernet.TYPE_IPV4, ipv4()).serialize(), 0x88a8)));
        assertEquals(4, counters.get(Counter.IGNORED_VLAN));
    }

    /** The frame with one more tag in front. */
    private static byte[] withTag(byte[] frame, int type) {
        return ByteBuffer.allocate(frame.length + 4).put(frame, 0, 12).putShort((short) type).putShort((short) 9)
                .put(frame, 12, frame.length - 12).array();
    }

    @Test
    void framesToOrFromGroupsAreOfNoConnection() {
        for (String group : new String[] {"ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", "33:33:00:00:00:01"}) {
            assertEquals(Optional.empty(), reader.read(frame(Ethernet.TYPE_IPV4, ipv4()).setDestinationMACAddress(group).serialize()));
            assertEquals(Optional.empty(), reader.read(frame(Ethernet.TYPE_IPV4, ipv4()).setSourceMACAddress(group).serialize()));
        }
        assertEquals(6, counters.get(Counter.SEGMENTS_BAD_ADDRESS));
    }

    @Test
    void notTcp() {
        IPv4 packet = ipv4();
        packet.setProtocol(IPv4.PROTOCOL_UDP).setPayload(new UDP());
        Ethernet frame = frame(Ethernet.TYPE_IPV4, packet);
        assertEquals(Optional.empty(), reader.read(frame.serialize()));
        assertEquals(Optional.empty(), reader.read(frame(Ethernet.TYPE_LLDP, new Data(new byte[50]))
                                                                   .serialize()));
        assertEquals(2, counters.get(Counter.SEGMENTS_NOT_TCP));
    }

    /** Every cut in front of the payload leaves no segment; every one behind leaves it as it was. */
    @Test
    void cutOff() {
        for (Ethernet frame : new Ethernet[] {frame(Ethernet.TYPE_IPV4, ipv4()), frame(Ethernet.TYPE_IPV6, ipv6())}) {
            byte[] whole = frame.serialize();
            int header = whole.length - 3;
            for (int length = 0; length < whole.length; length++) {
                Optional<Segment> read = reader.read(Arrays.copyOf(whole, length));
                assertEquals(length >= header, read.isPresent(), "cut to " + length);
            }
            assertSegment(frame.getEtherType() == Ethernet.TYPE_IPV4 ? TUPLE4 : TUPLE6,
                          reader.read(Arrays.copyOf(whole, header)));
        }
    }

    /** A switch cuts copies off in their payload: what was sent counts, not what came here. */
    @Test
    void aCutCopyBehindExtensionHeadersHasItsPayload() {
        IPv6 packet = ipv6();
        HopByHopOptions hop = new HopByHopOptions();
        hop.setOptions(new byte[] {1, 4, 0, 0, 0, 0}).setNextHeader(IPv6.PROTOCOL_TCP);
        hop.setPayload(tcp());
        packet.setNextHeader(IPv6.PROTOCOL_HOPOPT).setPayload(hop);
        byte[] whole = frame(Ethernet.TYPE_IPV6, packet).serialize();
        byte[] cut = Arrays.copyOf(whole, whole.length - 3);
        assertSegment(TUPLE6, reader.read(new DefaultInboundPacket(Nets.edge(1), null, ByteBuffer.wrap(cut))));
    }

    @Test
    void padded() {
        byte[] whole = frame(Ethernet.TYPE_IPV4, ipv4()).serialize();
        assertSegment(TUPLE4, reader.read(Arrays.copyOf(whole, whole.length + 20)));
    }
}
