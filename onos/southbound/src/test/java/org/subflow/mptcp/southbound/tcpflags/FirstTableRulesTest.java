// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFMeterMod;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionGotoTable;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.Masked;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U16;
import org.subflow.mptcp.southbound.FirstTable;
import org.subflow.mptcp.southbound.RecordingSwitch;

/** What the first table does with segments: the rules are looked up as a switch looks them up. */
class FirstTableRulesTest {
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int PSH = 8;
    private static final int ACK = 16;
    private static final int ECE = 64;
    private static final int CWR = 128;
    private static final OFPort HOST = OFPort.of(1);
    private static final OFPort TRANSIT = OFPort.of(2);
    private static final String ON = "on";
    private static final String COPY = "copy on";
    private static final String DIVERTED = "to controller";

    private final FirstTableRules rules = new FirstTableRules(RecordingSwitch.FACTORY);
    private final Set<OFFlowAdd> copies = rules.rules(EnumSet.of(Delivery.COPIES), Set.of(TRANSIT));
    private final Set<OFFlowAdd> both = rules.rules(EnumSet.allOf(Delivery.class), Set.of(TRANSIT));

    @Test
    void withoutWishesEverythingGoesOn() {
        assertEquals(Set.of(rules.always()), rules.rules(Set.of(), Set.of(TRANSIT)));
        assertEquals(ON, fate(Set.of(rules.always()), segment(HOST, SYN)));
    }

    @ParameterizedTest
    @ValueSource(ints = {SYN, SYN | ACK, SYN | ECE | CWR, FIN, FIN | ACK, FIN | PSH | ACK, RST, RST | ACK, SYN | FIN, SYN | RST})
    void segmentsThatBeginOrEndAConnectionAreCopiedAndForwarded(int flags) {
        assertEquals(COPY, fate(copies, segment(HOST, flags)));
        assertEquals(COPY, fate(copies, segment(HOST, flags).withIp(EthType.IPv6)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, ACK, PSH | ACK, ACK | ECE, ACK | CWR})
    void otherSegmentsAreNotCopied(int flags) {
        assertEquals(ON, fate(copies, segment(HOST, flags)));
        assertEquals(ON, fate(both, segment(HOST, flags)));
    }

    @Test
    void onlySynsWithoutAckAreDiverted() {
        assertEquals(DIVERTED, fate(both, segment(HOST, SYN)));
        assertEquals(DIVERTED, fate(both, segment(HOST, SYN | ECE | CWR).withIp(EthType.IPv6)));
        assertEquals(COPY, fate(both, segment(HOST, SYN | ACK)));
        assertEquals(COPY, fate(both, segment(HOST, FIN | ACK)));
    }

    @Test
    void divertingWithoutCopiesLeavesTheRest() {
        Set<OFFlowAdd> diverting = rules.rules(EnumSet.of(Delivery.DIVERTED_SYNS), Set.of());
        assertEquals(DIVERTED, fate(diverting, segment(HOST, SYN)));
        assertEquals(ON, fate(diverting, segment(HOST, SYN | ACK)));
        assertEquals(ON, fate(diverting, segment(HOST, FIN)));
    }

    @Test
    void betweenSwitchesNothingIsShownOnceMore() {
        assertEquals(ON, fate(both, segment(TRANSIT, SYN)));
        assertEquals(ON, fate(both, segment(TRANSIT, RST)));
    }

    @Test
    void taggedSegmentsAreShownAsOthersAre() {
        assertEquals(DIVERTED, fate(both, segment(HOST, SYN).withVlan(OFVlanVidMatch.ofVlan(5))));
        assertEquals(COPY, fate(both, segment(HOST, FIN).withVlan(OFVlanVidMatch.ofVlan(5))));
        assertEquals(ON, fate(both, segment(TRANSIT, SYN).withVlan(OFVlanVidMatch.ofVlan(5))));
    }

    @Test
    void otherProtocolsGoOn() {
        assertEquals(ON, fate(both, segment(HOST, SYN).withProtocol(IpProtocol.UDP)));
        assertEquals(ON, fate(both, segment(HOST, SYN).withIp(EthType.ARP)));
    }

    @Test
    void ofACopyTheHeadersAreThereAndADivertedSynIsWhole() {
        assertEquals(Set.of(0xffff, FirstTableRules.COPY_BYTES), both.stream()
                .map(FirstTableRulesTest::output).filter(Objects::nonNull).map(OFActionOutput::getMaxLen)
                .collect(Collectors.toSet()));
        assertTrue(FirstTableRules.COPY_BYTES >= 14 + 60 + 60, "Ethernet, IPv4 and TCP with all their options");
    }

    @Test
    void theirCookiesTellWhatTheyBring() {
        for (OFFlowAdd rule : both) {
            assertEquals(FirstTable.ID, rule.getTableId());
            assertTrue(FirstTable.isOwn(rule.getCookie().getValue()));
            String fate = fate(Set.of(rule));
            Delivery delivery = Delivery.ofCookie(rule.getCookie().getValue()).orElse(null);
            assertEquals(fate, delivery == null ? ON : delivery == Delivery.COPIES ? COPY : DIVERTED);
        }
    }

    @Test
    void whatGoesOverTheWireIsWhatASwitchReports() throws Exception {
        for (OFFlowAdd rule : both) {
            ByteBuf wire = Unpooled.buffer();
            rule.writeTo(wire);
            byte[] bytes = new byte[wire.readableBytes()];
            wire.getBytes(0, bytes);
            OFFlowMod read = (OFFlowMod) OFFactories.getGenericReader().readFrom(wire);
            assertEquals(rule, read);
            if (rule.getMatch().get(MatchField.IP_PROTO) != null) {
                // ONF extension 109 as an experimenter's field: class, field 42 with mask, 8 bytes, "ONF".
                String field = "ffff5508" + "4f4e4600";
                assertTrue(hex(bytes).contains(field), hex(bytes));
            }
        }
    }

    @Test
    void onlySynsOfAPausedPortPassItsMeter() throws Exception {
        Set<OFFlowAdd> metered = rules.metered(EnumSet.of(Delivery.COPIES), Set.of(HOST), Set.of(HOST));
        assertEquals(List.of(true, true, false, false, false), List.of(
                matches(metered, segment(HOST, SYN)), matches(metered, segment(HOST, SYN).withIp(EthType.IPv6)),
                matches(metered, segment(HOST, SYN | ACK)), matches(metered, segment(HOST, FIN)),
                matches(metered, segment(TRANSIT, SYN))));
        Set<OFFlowAdd> table = rules.rules(EnumSet.allOf(Delivery.class), Set.of(HOST));
        table.addAll(metered);
        assertEquals(ON, fate(table, segment(HOST, SYN)));
        assertEquals(ON, fate(table, segment(HOST, FIN)));
        ByteBuf wire = Unpooled.buffer();
        OFMeterMod meter = rules.meter(FirstTableRules.meters(metered).iterator().next(), 2000);
        meter.writeTo(wire);
        assertEquals(meter, OFFactories.getGenericReader().readFrom(wire));
        assertEquals(Set.of(), rules.metered(EnumSet.of(Delivery.COPIES), Set.of(OFPort.LOCAL, OFPort.of(0xf000)), Set.of()), "no meters of others' numbers");
    }

    private static boolean matches(Set<OFFlowAdd> table, Segment segment) {
        return table.stream().anyMatch(rule -> segment.matches(rule.getMatch()));
    }

    @Test
    void aRemovalMeansOneRule() {
        OFFlowAdd rule = copies.stream().max(Comparator.comparing(OFFlowAdd::getPriority)).orElseThrow();
        assertEquals(rule.getMatch(), rules.removal(rule).getMatch());
        assertEquals(rule.getPriority(), rules.removal(rule).getPriority());
        assertEquals(TableId.ZERO, rules.removal(rule).getTableId());
        assertEquals(TableId.ZERO, rules.clear().getTableId());
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) {
            text.append(String.format("%02x", one));
        }
        return text.toString();
    }

    /** What the rule with the highest priority that matches does; two of one priority must do the same. */
    private static String fate(Set<OFFlowAdd> table, Segment segment) {
        TreeMap<Integer, Set<OFFlowAdd>> matching = new TreeMap<>();
        table.stream().filter(rule -> segment.matches(rule.getMatch()))
                .forEach(rule -> matching.computeIfAbsent(rule.getPriority(), p -> new LinkedHashSet<>()).add(rule));
        Set<String> fates = matching.lastEntry().getValue().stream().map(rule -> fate(Set.of(rule)))
                .collect(Collectors.toSet());
        assertEquals(1, fates.size(), () -> segment + ": " + fates);
        return fates.iterator().next();
    }

    private static String fate(Set<OFFlowAdd> one) {
        OFFlowAdd rule = one.iterator().next();
        boolean shown = output(rule) != null && output(rule).getPort().equals(OFPort.CONTROLLER);
        boolean on = rule.getInstructions().stream().anyMatch(instruction -> instruction instanceof OFInstructionGotoTable
                && ((OFInstructionGotoTable) instruction).getTableId().equals(TableId.of(1)));
        return shown && on ? COPY : shown ? DIVERTED : on ? ON : "dropped";
    }

    private static OFActionOutput output(OFFlowAdd rule) {
        for (OFInstruction instruction : rule.getInstructions()) {
            if (instruction instanceof OFInstructionApplyActions) {
                return (OFActionOutput) ((OFInstructionApplyActions) instruction).getActions().get(0);
            }
        }
        return null;
    }

    private static Segment segment(OFPort port, int flags) {
        return new Segment(port, EthType.IPv4, OFVlanVidMatch.UNTAGGED, IpProtocol.TCP, flags);
    }

    /** A packet as a switch's lookup sees it. */
    private static final class Segment {
        private final OFPort port;
        private final EthType ip;
        private final OFVlanVidMatch vlan;
        private final IpProtocol protocol;
        private final int flags;

        Segment(OFPort port, EthType ip, OFVlanVidMatch vlan, IpProtocol protocol, int flags) {
            this.port = port;
            this.ip = ip;
            this.vlan = vlan;
            this.protocol = protocol;
            this.flags = flags;
        }

        Segment withIp(EthType other) {
            return new Segment(port, other, vlan, protocol, flags);
        }

        Segment withVlan(OFVlanVidMatch other) {
            return new Segment(port, ip, other, protocol, flags);
        }

        Segment withProtocol(IpProtocol other) {
            return new Segment(port, ip, vlan, other, flags);
        }

        boolean matches(Match match) {
            List<MatchField<?>> fields = new java.util.ArrayList<>();
            match.getMatchFields().forEach(fields::add);
            for (MatchField<?> field : fields) {
                if (!Arrays.asList(MatchField.IN_PORT, MatchField.ETH_TYPE, MatchField.VLAN_VID, MatchField.IP_PROTO,
                        MatchField.OVS_TCP_FLAGS).contains(field)) {
                    throw new AssertionError("this lookup does not know " + field.getName());
                }
            }
            return same(match.get(MatchField.IN_PORT), port) && same(match.get(MatchField.ETH_TYPE), ip)
                    && same(match.get(MatchField.VLAN_VID), vlan) && same(match.get(MatchField.IP_PROTO), protocol)
                    && sameFlags(match.getMasked(MatchField.OVS_TCP_FLAGS));
        }

        private static boolean same(Object wanted, Object has) {
            return wanted == null || wanted.equals(has);
        }

        private boolean sameFlags(Masked<U16> wanted) {
            return wanted == null || (flags & wanted.getMask().getValue()) == wanted.getValue().getValue();
        }

        @Override
        public String toString() {
            return ip + " " + protocol + " flags " + flags + " from port " + port;
        }
    }
}
