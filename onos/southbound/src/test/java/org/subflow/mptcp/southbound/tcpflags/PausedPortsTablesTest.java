// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.subflow.mptcp.southbound.tcpflags.PortBound.LONGEST_PAUSE_MILLIS;
import static org.subflow.mptcp.southbound.tcpflags.Tables.BOTH;
import static org.subflow.mptcp.southbound.tcpflags.Tables.COPIES;
import static org.subflow.mptcp.southbound.tcpflags.Tables.NOTHING;
import static org.subflow.mptcp.southbound.tcpflags.Tables.RULES;
import static org.subflow.mptcp.southbound.tcpflags.Tables.barriers;
import static org.subflow.mptcp.southbound.tcpflags.Tables.ports;
import static org.subflow.mptcp.southbound.tcpflags.Tables.refusal;
import static org.subflow.mptcp.southbound.tcpflags.TwoSwitches.S1;
import static org.subflow.mptcp.southbound.tcpflags.TwoSwitches.S2;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFMeterFlags;
import org.projectfloodlight.openflow.protocol.OFMeterMod;
import org.projectfloodlight.openflow.protocol.OFMeterModCommand;
import org.projectfloodlight.openflow.protocol.OFType;
import org.subflow.mptcp.southbound.RecordingSwitch;

/** What stands in first tables while ports are paused, and what ONOS is told of it. */
class PausedPortsTablesTest {
    private static final int MOST = 10;

    private final TwoSwitches switches = new TwoSwitches(COPIES);
    private final RecordingSwitch s1 = switches.s1;
    private final Tables.Told told = switches.told;
    private final PortClock time = new PortClock();
    private int most = MOST;
    private int mostSyns;
    private final PausedPorts paused =
            new PausedPorts(() -> most, () -> most, () -> mostSyns, time, time, switches::pausesChanged);

    @BeforeEach
    void begin() {
        switches.begin(paused);
    }

    @Test
    void aPausedPortBringsNothingUntilItsPauseEnds() {
        flood(S1, 3);
        assertEquals(RULES.rules(COPIES, ports(3)), Tables.in(s1));
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(switches.s2), "another switch's port 3");
        time.pass(1000);
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s1));
    }

    @Test
    void portsArePausedEachForItself() {
        flood(S1, 3);
        time.pass(500);
        flood(S1, 4);
        assertEquals(RULES.rules(COPIES, ports(3, 4)), Tables.in(s1));
        time.pass(500);
        assertEquals(RULES.rules(COPIES, ports(4)), Tables.in(s1));
        flood(S1, 3);
        time.pass(1999);
        assertEquals(RULES.rules(COPIES, ports(3)), Tables.in(s1));
        time.pass(1);
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s1));
    }

    @Test
    void divertedSynsOfAPausedPortAreForwardedByTheSwitch() {
        switches.want(BOTH);
        flood(S1, 3);
        assertEquals(RULES.rules(BOTH, ports(3)), Tables.in(s1));
    }

    @Test
    void aPortToASwitchStaysQuietAfterItsPause() {
        flood(S1, 3);
        switches.link(3, 4);
        assertEquals(RULES.rules(COPIES, ports(3)), Tables.in(s1));
        time.pass(1000);
        assertEquals(RULES.rules(COPIES, ports(3)), Tables.in(s1));
    }

    @Test
    void nothingStaysWhenNobodyWantsSegments() {
        flood(S1, 3);
        switches.want(NOTHING);
        assertEquals(Set.of(RULES.always()), Tables.in(s1));
        time.pass(1000 + LONGEST_PAUSE_MILLIS);
        assertEquals(Set.of(RULES.always()), Tables.in(s1));
    }

    @Test
    void nothingStaysWhenThereIsNoBoundAnyMore() {
        flood(S1, 3);
        most = 0;
        switches.tables().wantedChanged();
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s1));
    }

    @Test
    void aMasterThatLostItsRoleWritesNothingAndBeginsWithoutPauses() {
        flood(S1, 3);
        switches.tables().receivedRoleReply(S1, RoleState.EQUAL, RoleState.EQUAL);
        int sent = s1.sent.size();
        time.pass(1000);
        assertEquals(sent, s1.sent.size());
        flood(S1, 3);
        assertEquals(sent, s1.sent.size(), "late messages pause nothing");
        switches.tables().switchRemoved(S1);
        switches.tables().roleChangedToMaster(S1);
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s1));
    }

    @Test
    void aFloodIsToldWhenItBeginsAndWhenItIsOverAndNotBetween() {
        assertEquals(List.of("copied"), told.of(S1));
        for (int i = 0; i < 5; i++) {
            flood(S1, 12);
            flood(S1, 3);
            switches.answerAll();
            time.pass(LONGEST_PAUSE_MILLIS);
            switches.answerAll();
        }
        assertEquals(List.of("copied", "copied, paused 3,12"), told.of(S1));
        time.pass(LONGEST_PAUSE_MILLIS);
        assertEquals("copied", told.of(S1).get(told.of(S1).size() - 1));
        assertEquals(List.of("copied"), told.of(S2));
    }

    @Test
    void synsOfAPausedPortPassAMeterThatIsThereBeforeTheRuleAndGoesAfterIt() {
        mostSyns = 50;
        s1.sent.clear();
        flood(S1, 3);
        Set<OFFlowAdd> expected = RULES.rules(COPIES, ports(3));
        expected.addAll(RULES.metered(COPIES, ports(3), ports(3)));
        expected.removeAll(RULES.rules(COPIES, Set.of()));
        assertEquals(expected, added());
        assertEquals(List.of(OFMeterModCommand.DELETE, OFMeterModCommand.ADD), meterCommands());
        OFMeterMod meter = (OFMeterMod) s1.sent.get(1);
        assertEquals(FirstTableRules.meters(expected), Set.of(meter.getMeterId()));
        assertEquals(List.of(RecordingSwitch.FACTORY.meterBands().drop(50, 50)), meter.getMeters());
        assertEquals(Set.of(OFMeterFlags.PKTPS, OFMeterFlags.BURST), meter.getFlags());
        time.pass(1000);
        s1.sent.clear();
        time.pass(LONGEST_PAUSE_MILLIS);
        assertEquals(OFType.METER_MOD, s1.sent.get(s1.sent.size() - 2).getType(), "before the barrier");
        assertEquals(List.of(OFMeterModCommand.DELETE), meterCommands());
    }

    @Test
    void everyPausedPortHasItsOwnMeter() {
        mostSyns = 50;
        flood(S1, 3);
        flood(S1, 4);
        assertEquals(2, FirstTableRules.meters(Tables.in(s1)).size());
        time.pass(1000 + LONGEST_PAUSE_MILLIS);
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s1));
    }

    @Test
    void afterAPauseItsSynsPassTheMeterAndAreBroughtAgain() {
        mostSyns = 50;
        flood(S1, 3);
        time.pass(1000);
        Set<OFFlowAdd> expected = RULES.rules(COPIES, Set.of());
        expected.addAll(RULES.metered(COPIES, ports(3), Set.of()));
        assertEquals(expected, Tables.in(s1));
        flood(S1, 3);
        expected = RULES.rules(COPIES, ports(3));
        expected.addAll(RULES.metered(COPIES, ports(3), ports(3)));
        assertEquals(expected, Tables.in(s1));
    }

    @Test
    void afterAPauseItsSynsAreDivertedByTheMeterAgain() {
        mostSyns = 50;
        switches.want(BOTH);
        flood(S1, 3);
        time.pass(1000);
        Set<OFFlowAdd> expected = RULES.rules(BOTH, Set.of());
        expected.addAll(RULES.metered(BOTH, ports(3), Set.of()));
        assertEquals(expected, Tables.in(s1));
    }

    @Test
    void whatComesFromAnotherSwitchPassesNoMeter() {
        mostSyns = 50;
        flood(S1, 3);
        switches.link(3, 4);
        assertEquals(RULES.rules(COPIES, ports(3)), Tables.in(s1));
    }

    @Test
    void aSwitchWithoutMetersGoesOnWithoutThem() {
        mostSyns = 50;
        flood(S1, 3);
        long first = lastBarrier();
        flood(S1, 4);
        long second = lastBarrier();
        for (long xid : List.of(first, first, second, second)) {
            switches.controller.receive(S1, refusal(xid));
        }
        switches.answerAll();
        assertEquals(RULES.rules(COPIES, ports(3, 4)), Tables.in(s1));
        time.pass(1000);
        flood(S1, 5);
        assertEquals(RULES.rules(COPIES, ports(5)), Tables.in(s1));
        switches.answerAll();
        assertEquals("copied, paused 3,4,5", told.of(S1).get(told.of(S1).size() - 1));
    }

    @Test
    void whatASwitchWithoutMetersMayHaveRefusedBesideThemIsWrittenAgain() {
        mostSyns = 50;
        flood(S1, 3);
        long xid = lastBarrier();
        s1.sent.clear();
        switches.controller.receive(S1, refusal(xid));
        assertEquals(RULES.rules(COPIES, ports(3)), added());
    }

    private void flood(Dpid dpid, int port) {
        byte[] frame = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
        for (int i = 0; i < 3 * MOST; i++) {
            paused.admits(dpid, port, () -> frame);
        }
    }

    /** Returns the rules that the first switch was sent. */
    private Set<OFFlowAdd> added() {
        return s1.sent.stream().filter(OFFlowAdd.class::isInstance)
                .map(rule -> ((OFFlowAdd) rule).createBuilder().setXid(0).build()).collect(Collectors.toSet());
    }

    private List<OFMeterModCommand> meterCommands() {
        return s1.sent.stream().filter(OFMeterMod.class::isInstance).map(meter -> ((OFMeterMod) meter).getCommand())
                .collect(Collectors.toList());
    }

    private long lastBarrier() {
        return barriers(s1).get(barriers(s1).size() - 1);
    }
}
