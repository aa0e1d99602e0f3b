// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IpAddress;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.SegmentReader;
import org.subflow.mptcp.segment.option.MpCapable;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOptionParser;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.Keys;

/** What the farm sends, read by those who get it. */
class FramesTest {
    private static final long CLIENT_KEY = 0x0123456789abcdefL;
    private static final long SERVER_KEY = 0xfedcba9876543210L;
    private static final Fabric FABRIC = new Fabric(20);
    private static final Fabric.Host CLIENT = FABRIC.hosts().get(0);
    private static final Fabric.Host SERVER = FABRIC.hosts().get(9);
    private static final Tuple TUPLE = new Tuple(CLIENT.address(), SERVER.address(), 10_000, 5201);

    private static byte[] syn(byte[] options) {
        return Frames.segment(CLIENT, SERVER, TUPLE, Frames.SYN, 7, 0, options, 0);
    }

    private static Segment read(byte[] frame) {
        return new SegmentReader(new DetectCounters()).read(frame).orElseThrow();
    }

    @Test
    void theApplicationReadsASegment() {
        Segment segment = read(Frames.segment(SERVER, CLIENT, TUPLE.reversed(), Frames.ACK | Frames.PSH, -1, 8, Options.dss(5), 100));
        assertEquals(IpAddress.valueOf("10.0.0.10"), segment.fiveTuple().source());
        assertEquals(5201, segment.fiveTuple().sourcePort());
        assertEquals(10_000, segment.fiveTuple().destinationPort());
        assertEquals(-1, segment.sequence());
        assertEquals(8, segment.acknowledgement());
        assertEquals(100, segment.payloadLength());
        assertTrue(segment.hasMptcp());
        assertTrue(MptcpOptionParser.parse(segment.rawOptions(), segment.flags()).malformed.isEmpty());
    }

    @Test
    void checksumsAreRight() throws Exception {
        byte[] frame = syn(Options.capableSyn());
        Ethernet parsed = Ethernet.deserializer().deserialize(frame, 0, frame.length);
        parsed.getPayload().resetChecksum();
        parsed.getPayload().getPayload().resetChecksum();
        byte[] anew = parsed.serialize();
        assertArrayEquals(Arrays.copyOf(anew, 58), Arrays.copyOf(frame, 58));
    }

    @Test
    void optionsAreThoseOfHosts() {
        assertEquals(MpCapable.synV1(MpCapable.HMAC), only(Options.capableSyn(), Segment.SYN));
        assertEquals(MpCapable.oneKey(MptcpVersion.V1, MpCapable.HMAC, SERVER_KEY),
                     only(Options.capableSynAck(SERVER_KEY), Segment.SYN | Segment.ACK));
        assertEquals(new MpJoin.Syn(false, 3, Keys.token(MptcpVersion.V1, SERVER_KEY), 11),
                     only(Options.joinSyn(3, Options.token(SERVER_KEY), 11), Segment.SYN));
        assertEquals(new MpJoin.SynAck(false, 4, Keys.synAckHmac(MptcpVersion.V1, CLIENT_KEY, SERVER_KEY, 11, 22), 22),
                     only(Options.joinSynAck(4, SERVER_KEY, CLIENT_KEY, 22, 11), Segment.SYN | Segment.ACK));
    }

    private static Object only(byte[] options, int flags) {
        return MptcpOptionParser.parse(options, flags).options.get(0);
    }

    @Test
    void aPacketInBringsTheFrame() throws Exception {
        byte[] frame = syn(Options.capableSyn());
        OFPacketIn read = (OFPacketIn) OFFactories.getFactory(OFVersion.OF_13).getReader()
                .readFrom(Unpooled.wrappedBuffer(Frames.packetIn(4, 1, 0x77, frame)));
        assertArrayEquals(frame, read.getData());
        assertEquals(4, read.getMatch().get(MatchField.IN_PORT).getPortNumber());
        assertEquals(1, read.getTableId().getValue());
        assertEquals(0x77, read.getCookie().getValue());
        assertEquals(frame.length, read.getTotalLen());
    }

    @Test
    void aHostSaysWhereItIs() throws Exception {
        byte[] frame = Frames.announcement(CLIENT);
        Ethernet read = Ethernet.deserializer().deserialize(frame, 0, frame.length);
        ARP arp = (ARP) read.getPayload();
        assertTrue(read.getDestinationMAC().isBroadcast());
        assertEquals(CLIENT.mac(), read.getSourceMAC().toLong());
        assertEquals(CLIENT.address(), ByteBuffer.wrap(arp.getSenderProtocolAddress()).getInt());
        assertEquals(ARP.OP_REQUEST, arp.getOpCode());
    }
}
