// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
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
import org.subflow.mptcp.api.FiveTuple;

/** Frames of all kinds, whole, tagged, fragmented and cut off. */
class SegmentReaderTest {
    private static final byte[] OPTIONS = {30, 4, 1, 1};
    private static final FiveTuple TUPLE4 = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 65535,
                                                         IpAddress.valueOf("10.0.0.2"), 5201);
    private static final FiveTuple TUPLE6 = FiveTuple.of(IpAddress.valueOf("fd00::1"), 65535,
                                                         IpAddress.valueOf("fd00::2"), 5201);

    private final DetectCounters counters = new DetectCounters();
    private final SegmentReader reader = new SegmentReader(counters);
    private final OctetReader octets = new OctetReader(counters);

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
    void aParsedFrameNamesTheHosts() {
        Ethernet frame = frame(Ethernet.TYPE_IPV4, ipv4());
        assertEquals(TUPLE4.between(HostId.hostId("00:00:00:00:00:01/None"), HostId.hostId("00:00:00:00:00:02/None")),
                     reader.read(frame).orElseThrow().fiveTuple());
        frame.setVlanID((short) 100);
        assertEquals(TUPLE4.between(HostId.hostId("00:00:00:00:00:01/100"), HostId.hostId("00:00:00:00:00:02/100")),
                     reader.read(frame).orElseThrow().fiveTuple());
    }

    @Test
    void ipv4FromPacketAndOctets() {
        Ethernet frame = frame(Ethernet.TYPE_IPV4, ipv4());
        assertSegment(TUPLE4, reader.read(frame));
        assertSegment(TUPLE4, octets.read(frame.serialize()));
        assertSegment(TUPLE4, reader.read(frame));
    }

    @Test
    void ipv6FromPacketAndOctets() {
        Ethernet frame = frame(Ethernet.TYPE_IPV6, ipv6());
        assertSegment(TUPLE6, reader.read(frame));
        assertSegment(TUPLE6, octets.read(frame.serialize()));
    }

    @Test
    void ipv6BehindExtensionHeaders() {
        IPv6 packet = ipv6();
        HopByHopOptions hop = new HopByHopOptions();
        hop.setOptions(new byte[] {1, 4, 0, 0, 0, 0}).setNextHeader(IPv6.PROTOCOL_TCP);
        hop.setPayload(tcp());
        packet.setNextHeader(IPv6.PROTOCOL_HOPOPT).setPayload(hop);
        Ethernet frame = frame(Ethernet.TYPE_IPV6, packet);
        assertSegment(TUPLE6, reader.read(frame));
        assertSegment(TUPLE6, octets.read(frame.serialize()));
    }

    @Test
    void fragments() {
        IPv6 packet = ipv6();
        Fragment fragment = new Fragment();
        fragment.setNextHeader(IPv6.PROTOCOL_TCP).setFragmentOffset((short) 10);
        fragment.setPayload(tcp());
        packet.setNextHeader(IPv6.PROTOCOL_FRAG).setPayload(fragment);
        Ethernet frame = frame(Ethernet.TYPE_IPV6, packet);
        assertEquals(Optional.empty(), reader.read(frame));
        assertEquals(Optional.empty(), octets.read(frame.serialize()));
        IPv4 four = ipv4();
        four.setFragmentOffset((short) 100);
        assertEquals(Optional.empty(), reader.read(four));
        assertEquals(Optional.empty(), octets.read(frame(Ethernet.TYPE_IPV4, four).serialize()));
        assertEquals(4, counters.get(Counter.SEGMENTS_FRAGMENT));
    }

    @Test
    void vlanTags() {
        Ethernet frame = frame(Ethernet.TYPE_IPV4, ipv4());
        frame.setVlanID((short) 7);
        assertSegment(TUPLE4, octets.read(frame.serialize()));
        frame.setQinQVID((short) 9);
        assertSegment(TUPLE4, octets.read(frame.serialize()));
    }

    @Test
    void notTcp() {
        IPv4 packet = ipv4();
        packet.setProtocol(IPv4.PROTOCOL_UDP).setPayload(new UDP());
        Ethernet frame = frame(Ethernet.TYPE_IPV4, packet);
        assertEquals(Optional.empty(), reader.read(frame));
        assertEquals(Optional.empty(), octets.read(frame.serialize()));
        assertEquals(Optional.empty(), reader.read((Ethernet) null));
        assertEquals(Optional.empty(), octets.read(frame(Ethernet.TYPE_LLDP, new Data(new byte[50]))
                                                                   .serialize()));
        assertEquals(4, counters.get(Counter.SEGMENTS_NOT_TCP));
    }

    /** Every cut in front of the payload leaves no segment; every one behind leaves it as it was. */
    @Test
    void cutOff() {
        for (Ethernet frame : new Ethernet[] {frame(Ethernet.TYPE_IPV4, ipv4()), frame(Ethernet.TYPE_IPV6, ipv6())}) {
            byte[] whole = frame.serialize();
            int header = whole.length - 3;
            for (int length = 0; length < whole.length; length++) {
                Optional<Segment> read = octets.read(Arrays.copyOf(whole, length));
                assertEquals(length >= header, read.isPresent(), "cut to " + length);
            }
            assertSegment(frame.getEtherType() == Ethernet.TYPE_IPV4 ? TUPLE4 : TUPLE6,
                          octets.read(Arrays.copyOf(whole, header)));
        }
    }

    @Test
    void padded() {
        byte[] whole = frame(Ethernet.TYPE_IPV4, ipv4()).serialize();
        assertSegment(TUPLE4, octets.read(Arrays.copyOf(whole, whole.length + 20)));
    }
}
