// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDelete;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFMeterFlags;
import org.projectfloodlight.openflow.protocol.OFMeterMod;
import org.projectfloodlight.openflow.protocol.OFMeterModCommand;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionMeter;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U16;
import org.projectfloodlight.openflow.types.U64;
import org.subflow.mptcp.southbound.FirstTable;

/** The rules of a switch's first table, as the package's documentation has them. Rules are equal if they say the same. */
final class FirstTableRules {

    /**
     * How much of a frame a copy has at most, in bytes. The longest headers of Ethernet, IPv4 and TCP have 134; those of
     * IPv6 have 114, and room for extension headers.
     */
    static final int COPY_BYTES = 256;

    private static final int WHOLE_FRAME = 0xffff;

    private static final int METERED_PRIORITY = 40;
    private static final int QUIET_PRIORITY = 30;
    private static final int DIVERT_PRIORITY = 20;
    private static final int COPY_PRIORITY = 10;
    private static final int ALWAYS_PRIORITY = 0;

    /** The number of port 0's meter. Open vSwitch has meters up to 65,536. */
    private static final long FIRST_METER = 0x7300;
    private static final int LAST_METERED_PORT = 0x3fff;

    private static final int FIN = 0x01;
    private static final int SYN = 0x02;
    private static final int RST = 0x04;
    private static final int ACK = 0x10;

    private final OFFactory factory;

    /** Makes rules for the version that a factory writes. */
    FirstTableRules(OFFactory factory) {
        this.factory = factory;
    }

    /** {@return the rule that is always there} */
    OFFlowAdd always() {
        return rule(ALWAYS_PRIORITY, FirstTable.COOKIE, factory.matchWildcardAll(), List.of(goOn()));
    }

    /**
     * {@return all rules of the table, without transaction ids}
     *
     * @param wanted what there are processors for
     * @param quietPorts the ports that bring no segments: those that lead to other switches, and paused ones
     */
    Set<OFFlowAdd> rules(Set<Delivery> wanted, Set<OFPort> quietPorts) {
        Set<OFFlowAdd> rules = new LinkedHashSet<>();
        rules.add(always());
        if (wanted.isEmpty()) {
            return rules;
        }
        for (OFPort port : quietPorts) {
            rules.add(rule(QUIET_PRIORITY, FirstTable.COOKIE,
                    factory.buildMatch().setExact(MatchField.IN_PORT, port).build(), List.of(goOn())));
        }
        for (EthType ip : List.of(EthType.IPv4, EthType.IPv6)) {
            if (wanted.contains(Delivery.DIVERTED_SYNS)) {
                rules.add(rule(DIVERT_PRIORITY, Delivery.DIVERTED_SYNS.cookie(), tcp(ip, SYN, SYN | ACK),
                        List.of(toController(WHOLE_FRAME))));
            }
            if (wanted.contains(Delivery.COPIES)) {
                for (int flag : new int[] {SYN, FIN, RST}) {
                    rules.add(rule(COPY_PRIORITY, Delivery.COPIES.cookie(), tcp(ip, flag, flag),
                            List.of(toController(COPY_BYTES), goOn())));
                }
            }
        }
        return rules;
    }

    /**
     * {@return rules that let SYNs of ports pass their meters, and bring them if they are wanted}
     *
     * @param wanted what there are processors for
     * @param ports the ports; those whose numbers are too great for a meter are left out
     * @param quietPorts ports that bring no segments
     */
    Set<OFFlowAdd> metered(Set<Delivery> wanted, Set<OFPort> ports, Set<OFPort> quietPorts) {
        Set<OFFlowAdd> rules = new LinkedHashSet<>();
        if (wanted.isEmpty()) {
            return rules;
        }
        for (OFPort port : ports) {
            if (port.getPortNumber() > 0 && port.getPortNumber() <= LAST_METERED_PORT) {
                OFInstruction meter = factory.instructions().meter(FIRST_METER + port.getPortNumber());
                for (EthType ip : List.of(EthType.IPv4, EthType.IPv6)) {
                    Match syns = tcp(ip, SYN, SYN | ACK, port);
                    if (quietPorts.contains(port)) {
                        rules.add(rule(METERED_PRIORITY, FirstTable.COOKIE, syns, List.of(meter, goOn())));
                    } else if (wanted.contains(Delivery.DIVERTED_SYNS)) {
                        rules.add(rule(METERED_PRIORITY, Delivery.DIVERTED_SYNS.cookie(), syns,
                                List.of(meter, toController(WHOLE_FRAME))));
                    } else {
                        rules.add(rule(METERED_PRIORITY, Delivery.COPIES.cookie(), syns,
                                List.of(meter, toController(COPY_BYTES), goOn())));
                    }
                }
            }
        }
        return rules;
    }

    /** {@return whether a switch has one of two rules only, the one written last} */
    static boolean haveSamePlace(OFFlowAdd one, OFFlowAdd other) {
        return one.getPriority() == other.getPriority() && one.getMatch().equals(other.getMatch());
    }

    /** {@return the numbers of the meters that rules name} */
    static Set<Long> meters(Set<OFFlowAdd> rules) {
        return rules.stream().flatMap(rule -> rule.getInstructions().stream())
                .filter(OFInstructionMeter.class::isInstance).map(meter -> ((OFInstructionMeter) meter).getMeterId())
                .collect(Collectors.toSet());
    }

    /** {@return the message that makes a meter which drops all beyond so many packets a second} */
    OFMeterMod meter(long id, int most) {
        return factory.buildMeterMod().setCommand(OFMeterModCommand.ADD).setMeterId(id)
                .setFlags(EnumSet.of(OFMeterFlags.PKTPS, OFMeterFlags.BURST))
                .setMeters(List.of(factory.meterBands().drop(most, most))).build();
    }

    /** {@return the message that removes a meter, if it is there, and the rules that name it} */
    OFMeterMod meterRemoval(long id) {
        return factory.buildMeterMod().setCommand(OFMeterModCommand.DELETE).setMeterId(id).build();
    }

    /** {@return the message that removes everything from the table, whoever put it there} */
    OFFlowDelete clear() {
        return factory.buildFlowDelete()
                .setTableId(FirstTable.ID)
                .setMatch(factory.matchWildcardAll())
                .setBufferId(OFBufferId.NO_BUFFER)
                .setOutPort(OFPort.ANY)
                .setOutGroup(OFGroup.ANY)
                .build();
    }

    /** {@return the message that removes this rule} */
    OFFlowDeleteStrict removal(OFFlowAdd rule) {
        return factory.buildFlowDeleteStrict()
                .setTableId(FirstTable.ID)
                .setCookie(rule.getCookie())
                .setPriority(rule.getPriority())
                .setMatch(rule.getMatch())
                .setBufferId(OFBufferId.NO_BUFFER)
                .setOutPort(OFPort.ANY)
                .setOutGroup(OFGroup.ANY)
                .build();
    }

    private OFFlowAdd rule(int priority, long cookie, Match match, List<OFInstruction> instructions) {
        return factory.buildFlowAdd()
                .setXid(0)
                .setTableId(FirstTable.ID)
                .setCookie(U64.of(cookie))
                .setPriority(priority)
                .setMatch(match)
                .setInstructions(instructions)
                .setBufferId(OFBufferId.NO_BUFFER)
                .setFlags(EnumSet.of(OFFlowModFlags.SEND_FLOW_REM))
                .build();
    }

    /** TCP segments of which the flags in the mask are as given, with and without a VLAN tag. */
    private Match tcp(EthType ip, int flags, int mask) {
        return tcpFromAnywhere(ip, flags, mask).build();
    }

    private Match tcp(EthType ip, int flags, int mask, OFPort port) {
        return tcpFromAnywhere(ip, flags, mask).setExact(MatchField.IN_PORT, port).build();
    }

    private Match.Builder tcpFromAnywhere(EthType ip, int flags, int mask) {
        return tcp(ip).setMasked(MatchField.OVS_TCP_FLAGS, U16.of(flags), U16.of(mask));
    }

    /** All TCP segments, also those with one VLAN tag: what is behind two is none for a switch. */
    private Match.Builder tcp(EthType ip) {
        return factory.buildMatch()
                .setExact(MatchField.ETH_TYPE, ip)
                .setExact(MatchField.IP_PROTO, IpProtocol.TCP);
    }

    private OFInstruction goOn() {
        return factory.instructions().gotoTable(FirstTable.NEXT);
    }

    private OFInstruction toController(int bytes) {
        OFAction output = factory.actions().output(OFPort.CONTROLLER, bytes);
        return factory.instructions().applyActions(List.of(output));
    }
}
