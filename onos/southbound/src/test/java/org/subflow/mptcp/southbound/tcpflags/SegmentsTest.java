// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.Data;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.TCP;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.PortNumber;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.openflow.controller.DefaultOpenFlowPacketContext;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowPacketContext;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;
import org.subflow.mptcp.southbound.FirstTable;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.SwitchesController;

/** Who gets which segments, and what they can do with them. */
class SegmentsTest {
    private static final int FIN_ACK = 0x11;
    private static final int MOST = 5;

    private final SwitchesController controller = new SwitchesController();
    private final RecordingSwitch s1 = controller.connect(1);
    private final Segments segments = new Segments();
    private final PortClock time = new PortClock();
    private final PausedPorts pauses = new PausedPorts(() -> MOST, () -> 0, () -> 0, time, time, dpid -> { });
    private final List<PacketContext> copies = new ArrayList<>();
    private final List<PacketContext> syns = new ArrayList<>();

    @Test
    void everyProcessorGetsWhatItAskedForAndNothingElse() {
        segments.add(Delivery.COPIES, copies::add);
        segments.add(Delivery.DIVERTED_SYNS, syns::add);
        handle(Delivery.COPIES.cookie(), ipv4());
        assertEquals(1, copies.size());
        assertEquals(0, syns.size());
        handle(Delivery.DIVERTED_SYNS.cookie(), ipv4());
        assertEquals(1, copies.size());
        assertEquals(1, syns.size());
        handle(FirstTable.COOKIE, ipv4());
        handle(0x5000_0000_0000_0001L, ipv4());
        assertEquals(2, copies.size() + syns.size(), "what other rules bring is others' matter");
    }

    @Test
    void aCopyTellsWhereItEnteredAndWhichRuleBroughtIt() {
        segments.add(Delivery.COPIES, copies::add);
        byte[] frame = ipv4();
        handle(Delivery.COPIES.cookie(), frame);
        PacketContext copy = copies.get(0);
        assertEquals(ConnectPoint.deviceConnectPoint("of:0000000000000001/3"), copy.inPacket().receivedFrom());
        assertEquals(Optional.of(Delivery.COPIES.cookie()), copy.inPacket().cookie());
        assertArrayEquals(frame, copy.inPacket().unparsed().array());
        assertEquals(FIN_ACK, tcp(copy).getFlags());
    }

    @Test
    void aCopyIsNeverSent() {
        segments.add(Delivery.COPIES, context -> {
            context.treatmentBuilder().setOutput(PortNumber.portNumber(2));
            context.send();
            context.block();
            context.send();
        });
        handle(Delivery.COPIES.cookie(), ipv4());
        assertEquals(List.of(), s1.sent);
    }

    @Test
    void aDivertedSynIsSentOnOnceOrDropped() {
        segments.add(Delivery.DIVERTED_SYNS, context -> {
            context.treatmentBuilder().setOutput(PortNumber.portNumber(2));
            context.send();
            context.send();
        });
        byte[] frame = ipv4();
        handle(Delivery.DIVERTED_SYNS.cookie(), frame);
        OFPacketOut out = (OFPacketOut) s1.onlyMessage();
        assertEquals(List.of(RecordingSwitch.FACTORY.actions().output(OFPort.of(2), 0)), out.getActions());
        assertArrayEquals(frame, out.getData());
    }

    @Test
    void aProcessorThatFailsHurtsNobody() {
        segments.add(Delivery.COPIES, context -> {
            throw new IllegalStateException("for the test");
        });
        segments.add(Delivery.COPIES, context -> {
            throw new NoClassDefFoundError("for the test");
        });
        segments.add(Delivery.COPIES, copies::add);
        handle(Delivery.COPIES.cookie(), ipv4());
        assertEquals(1, copies.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {FirstTableRules.COPY_BYTES, 14 + 20 + 60, 134})
    void headersOfAFrameThatIsCutAreRead(int bytes) {
        segments.add(Delivery.COPIES, copies::add);
        handle(Delivery.COPIES.cookie(), Arrays.copyOf(ipv4(), bytes));
        assertEquals(FIN_ACK, tcp(copies.get(0)).getFlags());
        assertEquals(38130, tcp(copies.get(0)).getSourcePort());
    }

    @Test
    void headersOfAnIpv6FrameThatIsCutAreRead() {
        segments.add(Delivery.COPIES, copies::add);
        handle(Delivery.COPIES.cookie(), Arrays.copyOf(ipv6(), FirstTableRules.COPY_BYTES));
        assertEquals(FIN_ACK, tcp(copies.get(0)).getFlags());
    }

    @Test
    void whoeverGoesGetsNothingMore() {
        org.onosproject.net.packet.PacketProcessor processor = copies::add;
        segments.add(Delivery.COPIES, processor);
        assertEquals(EnumSet.of(Delivery.COPIES), segments.wanted());
        segments.remove(Delivery.COPIES, processor);
        assertEquals(EnumSet.noneOf(Delivery.class), segments.wanted());
        handle(Delivery.COPIES.cookie(), ipv4());
        assertEquals(List.of(), copies);
    }

    @Test
    void ofAPortThatBringsTooManySomeComeAndOfTheOthersAll() {
        segments.add(Delivery.COPIES, copies::add);
        segments.add(Delivery.DIVERTED_SYNS, syns::add);
        segments.addObserver(copies::add);
        for (int i = 0; i < MOST; i++) {
            handle(Delivery.COPIES.cookie(), ipv4());
            handle(Delivery.DIVERTED_SYNS.cookie(), ipv4());
        }
        assertEquals(2 * 3 + 2, copies.size(), "three copies and what is observed of them, two SYNs observed");
        assertEquals(2, syns.size());
        segments.handle(controller, packetIn(Delivery.COPIES.cookie(), ipv4(), 4), pauses);
        assertEquals(PortNumber.portNumber(4), copies.get(copies.size() - 1).inPacket().receivedFrom().port());
    }

    @Test
    void whatOtherRulesBringDoesNotCount() {
        segments.add(Delivery.COPIES, copies::add);
        for (int i = 0; i < 3 * MOST; i++) {
            handle(0x5000_0000_0000_0001L, ipv4());
            handle(Delivery.DIVERTED_SYNS.cookie(), ipv4());
        }
        handle(Delivery.COPIES.cookie(), ipv4());
        assertEquals(1, copies.size(), "nobody asks for diverted SYNs, so those are late ones");
    }

    @Test
    void aSegmentOfASwitchThatIsGoneIsDropped() {
        segments.add(Delivery.DIVERTED_SYNS, syns::add);
        OpenFlowPacketContext packet = packetIn(Delivery.DIVERTED_SYNS.cookie(), ipv4());
        controller.lose(new Dpid(1));
        segments.handle(controller, packet, pauses);
        assertEquals(List.of(), syns);
    }

    private void handle(long cookie, byte[] frame) {
        segments.handle(controller, packetIn(cookie, frame), pauses);
    }

    private OpenFlowPacketContext packetIn(long cookie, byte[] frame) {
        return packetIn(cookie, frame, 3);
    }

    private OpenFlowPacketContext packetIn(long cookie, byte[] frame, int port) {
        OFPacketIn message = RecordingSwitch.FACTORY.buildPacketIn()
                .setReason(OFPacketInReason.ACTION).setTableId(FirstTable.ID).setCookie(U64.of(cookie)).setData(frame)
                .setMatch(RecordingSwitch.FACTORY.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(port)).build())
                .build();
        return DefaultOpenFlowPacketContext.packetContextFromPacketIn(s1, message);
    }

    private static TCP tcp(PacketContext context) {
        return (TCP) context.inPacket().parsed().getPayload().getPayload();
    }

    /** Returns a full frame with the longest TCP header. */
    private static byte[] ipv4() {
        IPv4 ip = new IPv4();
        ip.setSourceAddress("10.0.0.1").setDestinationAddress("10.0.0.2").setTtl((byte) 64)
                .setProtocol(IPv4.PROTOCOL_TCP).setPayload(segment());
        return frame(Ethernet.TYPE_IPV4).setPayload(ip).serialize();
    }

    private static byte[] ipv6() {
        IPv6 ip = new IPv6();
        ip.setSourceAddress(Ip6Address.valueOf("fd00::1").toOctets())
                .setDestinationAddress(Ip6Address.valueOf("fd00::2").toOctets()).setNextHeader(IPv6.PROTOCOL_TCP)
                .setPayload(segment());
        return frame(Ethernet.TYPE_IPV6).setPayload(ip).serialize();
    }

    private static TCP segment() {
        TCP tcp = new TCP();
        tcp.setSourcePort(38130).setDestinationPort(5201).setFlags((short) FIN_ACK).setDataOffset((byte) 15)
                .setOptions(new byte[40]).setPayload(new Data(new byte[1400]));
        return tcp;
    }

    private static Ethernet frame(short type) {
        Ethernet frame = new Ethernet();
        frame.setEtherType(type).setSourceMACAddress("02:00:00:00:00:01").setDestinationMACAddress("02:00:00:00:00:02");
        return frame;
    }
}
