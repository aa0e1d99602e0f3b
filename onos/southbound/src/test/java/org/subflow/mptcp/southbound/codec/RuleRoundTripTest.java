// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.onlab.packet.EthType;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.MplsLabel;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.core.GroupId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.IndexTableId;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.pi.model.PiTableId;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** A rule that goes to a switch and is reported back is the rule that ONOS sent, or ONOS would remove it. */
class RuleRoundTripTest {

    private static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);
    private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
    private static final MacAddress MAC = MacAddress.valueOf("02:00:00:00:00:01");
    private static final MacAddress MASKED = MacAddress.valueOf("02:00:00:00:00:00");
    private static final MacAddress MASK = MacAddress.valueOf("ff:ff:ff:00:00:00");
    private static final PortNumber PORT = PortNumber.portNumber(3);
    private static final TrafficTreatment TO_PORT = DefaultTrafficTreatment.builder().setOutput(PORT).build();

    static Stream<TrafficSelector> selectors() {
        return Stream.of(
                selector(),
                selector().matchInPort(PortNumber.portNumber(7)).matchEthSrc(MAC).matchEthDst(MacAddress.BROADCAST),
                selector().matchInPort(PortNumber.LOCAL),
                selector().matchEthSrcMasked(MASKED, MASK).matchEthDstMasked(MASKED, MASK),
                selector().matchMetadata(0x1234_5678_9abc_def0L),
                selector().matchEthType(Ethernet.TYPE_LLDP),
                selector().matchEthType(EthType.EtherType.VLAN.ethType().toShort()),
                selector().matchVlanId(VlanId.vlanId((short) 100)).matchVlanPcp((byte) 5),
                selector().matchVlanId(VlanId.ANY),
                selector().matchVlanId(VlanId.NONE),
                selector().matchEthType(Ethernet.MPLS_UNICAST).matchMplsLabel(MplsLabel.mplsLabel(99)).matchMplsBos(true),
                selector().matchTunnelId(77),
                arp().matchArpOp(2),
                arp().matchArpSpa(Ip4Address.valueOf("10.0.0.1")).matchArpTpa(Ip4Address.valueOf("10.0.0.2")),
                arp().matchArpSha(MAC).matchArpTha(MacAddress.BROADCAST),
                ipv4().matchIPSrc(IpPrefix.valueOf("10.0.0.1/32")).matchIPDst(IpPrefix.valueOf("10.1.0.0/16")),
                ipv4().matchIPDscp((byte) 46).matchIPEcn((byte) 1),
                ipv4().matchIPProtocol(IPv4.PROTOCOL_TCP)
                        .matchIPSrc(IpPrefix.valueOf("10.0.0.1/32")).matchIPDst(IpPrefix.valueOf("10.0.0.2/32"))
                        .matchTcpSrc(TpPort.tpPort(38130)).matchTcpDst(TpPort.tpPort(5201)),
                ipv4().matchIPProtocol(IPv4.PROTOCOL_TCP)
                        .matchTcpSrcMasked(TpPort.tpPort(1024), TpPort.tpPort(0xfc00))
                        .matchTcpDstMasked(TpPort.tpPort(80), TpPort.tpPort(0xfff0)),
                ipv4().matchIPProtocol(IPv4.PROTOCOL_UDP)
                        .matchUdpSrc(TpPort.tpPort(65535)).matchUdpDst(TpPort.tpPort(53)),
                ipv4().matchIPProtocol((byte) 132)
                        .matchSctpSrc(TpPort.tpPort(1)).matchSctpDst(TpPort.tpPort(2)),
                ipv4().matchIPProtocol(IPv4.PROTOCOL_ICMP).matchIcmpType((byte) 8).matchIcmpCode((byte) 0),
                ipv6().matchIPv6Src(IpPrefix.valueOf("2001:db8::1/128"))
                        .matchIPv6Dst(IpPrefix.valueOf("2001:db8::/32")).matchIPv6FlowLabel(0xabcde),
                ipv6().matchIPProtocol(IPv6.PROTOCOL_TCP)
                        .matchTcpSrc(TpPort.tpPort(1)).matchTcpDst(TpPort.tpPort(65535)),
                ipv6().matchIPProtocol(IPv6.PROTOCOL_ICMP6)
                        .matchIcmpv6Type(ICMP6.NEIGHBOR_SOLICITATION).matchIcmpv6Code((byte) 0)
                        .matchIPv6NDTargetAddress(Ip6Address.valueOf("fe80::1"))
                        .matchIPv6NDSourceLinkLayerAddress(MAC),
                ipv6().matchIPProtocol(IPv6.PROTOCOL_ICMP6).matchIcmpv6Type(ICMP6.NEIGHBOR_ADVERTISEMENT)
                        .matchIPv6NDTargetLinkLayerAddress(MAC))
                .map(TrafficSelector.Builder::build);
    }

    static Stream<TrafficTreatment> treatments() {
        return Stream.of(
                treatment(),
                treatment().drop(),
                treatment().punt(),
                treatment().setOutput(PORT),
                treatment().setOutput(PortNumber.FLOOD),
                treatment().setOutput(PortNumber.IN_PORT),
                treatment().setOutput(PortNumber.portNumber(1)).setOutput(PortNumber.portNumber(2)),
                treatment().punt().transition(4),
                treatment().wipeDeferred().deferred().setOutput(PORT),
                treatment().deferred().setEthDst(MAC).setOutput(PORT).immediate().setOutput(PortNumber.CONTROLLER),
                treatment().setEthSrc(MAC).setEthDst(MAC).setOutput(PORT),
                treatment().pushVlan().setVlanId(VlanId.vlanId((short) 200)).setVlanPcp((byte) 3).setOutput(PORT),
                treatment().pushVlan(EthType.EtherType.QINQ.ethType()).setVlanId(VlanId.vlanId((short) 1)),
                treatment().popVlan().setOutput(PORT),
                treatment().setIpSrc(Ip4Address.valueOf("10.0.0.1")).setIpDst(Ip4Address.valueOf("255.0.0.1"))
                        .setIpDscp((byte) 10).decNwTtl().setOutput(PORT),
                treatment().add(Instructions.modL3IPv6Src(Ip6Address.valueOf("fe80::1")))
                        .add(Instructions.modL3IPv6Dst(Ip6Address.valueOf("fe80::2"))),
                treatment().setTcpSrc(TpPort.tpPort(1)).setTcpDst(TpPort.tpPort(65535)),
                treatment().setUdpSrc(TpPort.tpPort(1)).setUdpDst(TpPort.tpPort(65535)),
                treatment().setArpOp((short) 2).setArpSha(MAC).setArpTha(MAC)
                        .setArpSpa(Ip4Address.valueOf("10.0.0.1")).setArpTpa(Ip4Address.valueOf("10.0.0.2")),
                treatment().copyTtlIn().copyTtlOut(),
                treatment().setTunnelId(5).setQueue(1).group(GroupId.valueOf(6)),
                treatment().meter(MeterId.meterId(1)).setOutput(PORT),
                treatment().writeMetadata(0xff00, 0xffff).transition(1))
                .map(TrafficTreatment.Builder::build);
    }

    @ParameterizedTest
    @MethodSource("selectors")
    void selectorComesBack(TrafficSelector selector) throws Exception {
        FlowRule rule = rule(selector, TO_PORT);
        FlowEntry reported = reported(rule);
        assertEquals(selector, reported.selector());
        assertTrue(rule.exactMatch(reported));
    }

    @ParameterizedTest
    @MethodSource("treatments")
    void treatmentComesBack(TrafficTreatment treatment) throws Exception {
        FlowRule rule = rule(selector().matchInPort(PORT).build(), treatment);
        FlowEntry reported = reported(rule);
        assertEquals(treatment, reported.treatment());
        assertTrue(rule.exactMatch(reported));
    }

    @Test
    void countersAndIdentityComeBack() throws Exception {
        FlowEntry reported = reported(rule(selector().build(), TO_PORT));
        assertEquals(11, reported.packets());
        assertEquals(2222, reported.bytes());
        assertEquals(33, reported.life());
        assertEquals(FlowEntry.FlowEntryState.ADDED, reported.state());
        assertEquals(7, reported.appId());
        assertEquals(10, reported.priority());
    }

    @Test
    void cookieKeepsAllItsBits() throws Exception {
        FlowRule rule = DefaultFlowRule.builder().forDevice(DEVICE).withSelector(selector().build())
                .withTreatment(TO_PORT).withPriority(1).makePermanent().withCookie(0xfedc_ba98_7654_3210L).build();
        assertEquals(0xfedc_ba98_7654_3210L, reported(rule).id().value());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "253, 254"})
    void tablesOfOnosBeginWithTheSwitchsSecond(int onos, int inSwitch) throws Exception {
        FlowRule rule = inTable(IndexTableId.of(onos), TO_PORT);
        assertEquals(inSwitch, new FlowModEncoder(FACTORY).add(rule, 1).getTableId().getValue());
        assertEquals(inSwitch, new FlowModEncoder(FACTORY).modify(rule, 1).getTableId().getValue());
        assertEquals(inSwitch, new FlowModEncoder(FACTORY).remove(rule, 1).getTableId().getValue());
        assertEquals(IndexTableId.of(onos), reported(rule).table());
    }

    @Test
    void goingOnToATableCountsFromTheSecond() throws Exception {
        var instructions = new TreatmentEncoder(FACTORY).encode(treatment().transition(4).build());
        assertEquals(List.of(FACTORY.instructions().gotoTable(TableId.of(5))), instructions);
    }

    @Test
    void tablesThatNoSwitchHasAreRefused() {
        for (var table : List.of(IndexTableId.of(254), IndexTableId.of(-1), PiTableId.of("acl"))) {
            FlowRule rule = inTable(table, TO_PORT);
            assertThrows(UnsupportedRuleException.class, () -> new FlowModEncoder(FACTORY).add(rule, 1));
        }
        assertThrows(UnsupportedRuleException.class,
                () -> new TreatmentEncoder(FACTORY).encode(treatment().transition(254).build()));
    }

    @Test
    void theSouthboundsOwnTableIsNoneOfOnos() {
        var toFirst = FACTORY.instructions().gotoTable(TableId.ZERO);
        assertThrows(UnsupportedRuleException.class, () -> TreatmentDecoder.decode(List.of(toFirst)));
    }

    @Test
    void differentTreatmentIsNoExactMatch() throws Exception {
        TrafficSelector selector = selector().matchInPort(PORT).build();
        FlowRule other = rule(selector, DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(4)).build());
        assertFalse(rule(selector, TO_PORT).exactMatch(reported(other)));
    }

    @Test
    void criterionThatOpenFlowLacksIsRefused() {
        TrafficSelector flags = DefaultTrafficSelector.builder()
                .matchEthType(Ethernet.TYPE_IPV4).matchIPProtocol(IPv4.PROTOCOL_TCP)
                .add(Criteria.matchTcpFlags(2)).build();
        Exception e = assertThrows(UnsupportedRuleException.class,
                () -> new FlowModEncoder(FACTORY).add(rule(flags, TO_PORT), 1));
        assertTrue(e.getMessage().contains("TCP_FLAGS"), e.getMessage());
    }

    @Test
    void addressOfTheWrongFamilyIsRefused() {
        TrafficTreatment treatment = treatment().setIpSrc(Ip6Address.valueOf("fe80::1")).build();
        assertThrows(UnsupportedRuleException.class, () -> new TreatmentEncoder(FACTORY).encode(treatment));
    }

    @Test
    void maskThatOnosLacksIsRefused() {
        var match = FACTORY.buildMatch()
                .setExact(MatchField.ETH_TYPE, org.projectfloodlight.openflow.types.EthType.IPv4)
                .setMasked(MatchField.IPV4_SRC, IPv4Address.of("10.0.0.1"), IPv4Address.of("255.0.0.255"))
                .build();
        assertThrows(UnsupportedRuleException.class, () -> MatchDecoder.decode(match));
    }

    @Test
    void actionThatOnosLacksIsRefused() {
        var instructions = List.of(FACTORY.instructions().applyActions(List.of(FACTORY.actions().setNwTtl(
                (short) 9))));
        assertThrows(UnsupportedRuleException.class, () -> TreatmentDecoder.decode(List.copyOf(instructions)));
    }

    private static FlowRule rule(TrafficSelector selector, TrafficTreatment treatment) {
        return DefaultFlowRule.builder().forDevice(DEVICE).withSelector(selector).withTreatment(treatment)
                .withPriority(10).fromApp(new DefaultApplicationId(7, "test")).makeTemporary(10).build();
    }

    private static FlowRule inTable(org.onosproject.net.flow.TableId table, TrafficTreatment treatment) {
        return DefaultFlowRule.builder().forDevice(DEVICE).withSelector(selector().build()).withTreatment(treatment)
                .forTable(table).withPriority(10).fromApp(new DefaultApplicationId(7, "test")).makePermanent().build();
    }

    /** Sends a rule over the wire to a switch that reports it. */
    private static FlowEntry reported(FlowRule rule) throws UnsupportedRuleException, OFParseError {
        OFFlowMod sent = new FlowModEncoder(FACTORY).add(rule, 42);
        ByteBuf wire = Unpooled.buffer();
        sent.writeTo(wire);
        OFFlowMod received = (OFFlowMod) OFFactories.getGenericReader().readFrom(wire);
        assertEquals(42, received.getXid());
        OFFlowStatsEntry stats = FACTORY.buildFlowStatsEntry()
                .setMatch(received.getMatch())
                .setInstructions(received.getInstructions())
                .setCookie(received.getCookie())
                .setPriority(received.getPriority())
                .setTableId(received.getTableId())
                .setPacketCount(U64.of(11))
                .setByteCount(U64.of(2222))
                .setDurationSec(33)
                .build();
        return FlowEntryDecoder.decode(DEVICE, stats);
    }

    private static TrafficSelector.Builder selector() {
        return DefaultTrafficSelector.builder();
    }

    private static TrafficSelector.Builder arp() {
        return selector().matchEthType(Ethernet.TYPE_ARP);
    }

    private static TrafficSelector.Builder ipv4() {
        return selector().matchEthType(Ethernet.TYPE_IPV4);
    }

    private static TrafficSelector.Builder ipv6() {
        return selector().matchEthType(Ethernet.TYPE_IPV6);
    }

    private static TrafficTreatment.Builder treatment() {
        return DefaultTrafficTreatment.builder();
    }
}
