// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRule.FlowRemoveReason;
import org.onosproject.net.flow.IndexTableId;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;
import org.projectfloodlight.openflow.types.VRF;
import org.subflow.mptcp.southbound.FirstTable;
import org.subflow.mptcp.southbound.RecordingSwitch;

/** What ONOS is told of the rules that are in a switch. */
class FlowMessageListenerTest extends FlowScenario {
    private static final FlowRule STORED = rule(DEVICE, 1, 2);
    private static final OFAction OUT_2 = RecordingSwitch.FACTORY.actions().output(OFPort.of(2), 0);
    private static final OFAction NOT_UNDERSTOOD = RecordingSwitch.FACTORY.actions().setNwTtl((short) 9);

    @Test
    void countersAreToldOfEveryRuleThatIsUnderstood() {
        receive(RecordingSwitch.FACTORY.buildFlowStatsReply()
                .setEntries(List.of(counted(1, 71, OUT_2), counted(3, 72, OUT_2), counted(5, 73, NOT_UNDERSTOOD)))
                .build());
        assertEquals(Map.of(1L, 71L, 3L, 72L), bytesByCookie());
    }

    @Test
    void aRuleThatIsNotUnderstoodIsTheStoredOneWithItsCookie() {
        stored.add(entry(STORED));
        receive(RecordingSwitch.FACTORY.buildFlowStatsReply()
                .setEntries(List.of(counted(STORED.id().value(), 71, NOT_UNDERSTOOD)))
                .build());
        assertTrue(core.metrics.get(DEVICE).get(0).exactMatch(STORED));
        assertEquals(Map.of(STORED.id().value(), 71L), bytesByCookie());
    }

    @Test
    void anEmptyTableIsTold() {
        receive(RecordingSwitch.FACTORY.buildFlowStatsReply().setEntries(List.of()).build());
        assertEquals(Map.of(DEVICE, List.of()), core.metrics);
    }

    @Test
    void countersOfASwitchWithoutMasterAreLeftToTheNextReply() {
        OFMessage reply = RecordingSwitch.FACTORY.buildFlowStatsReply().setEntries(List.of(counted(1, 71, OUT_2))).build();
        masterless = true;
        receive(reply);
        assertEquals(Map.of(), core.metrics);
        masterless = false;
        receive(reply);
        assertEquals(Map.of(1L, 71L), bytesByCookie());
    }

    @Test
    void ofTheFirstTableNothingIsTold() {
        // With the cookie of a rule that ONOS holds: an earlier layout may have left one there.
        stored.add(entry(STORED));
        long cookie = STORED.id().value();
        receive(RecordingSwitch.FACTORY.buildFlowStatsReply()
                .setEntries(List.of(counted(cookie, 71, OUT_2).createBuilder().setTableId(FirstTable.ID).build()))
                .build());
        assertEquals(Map.of(DEVICE, List.of()), core.metrics);
        receive(removal(OFFlowRemovedReason.DELETE, inPort(1)).createBuilder().setTableId(FirstTable.ID).build());
        assertEquals(List.of(), core.removed);
    }

    @Test
    void onosHearsOfItsOwnNumbersOfTables() {
        receive(RecordingSwitch.FACTORY.buildFlowStatsReply().setEntries(List.of(counted(1, 71, OUT_2))).build());
        assertEquals(IndexTableId.of(0), core.metrics.get(DEVICE).get(0).table());
        receive(removal(OFFlowRemovedReason.DELETE, inPort(1)));
        assertEquals(IndexTableId.of(0), core.removed.get(0).table());
    }

    @ParameterizedTest
    @CsvSource({"IDLE_TIMEOUT, IDLE_TIMEOUT", "HARD_TIMEOUT, HARD_TIMEOUT", "DELETE, DELETE",
        "GROUP_DELETE, GROUP_DELETE"})
    void aRemovedRuleIsToldWithItsReasonAndLastCounters(OFFlowRemovedReason reason, FlowRemoveReason onos) {
        receive(removal(reason, inPort(1)));
        FlowEntry entry = core.removed.get(0);
        assertEquals(FlowEntryState.REMOVED, entry.state());
        assertEquals(onos, entry.reason());
        assertEquals(9, entry.id().value());
        assertEquals(700, entry.bytes());
        assertEquals(7, entry.packets());
    }

    @Test
    void aRemovedRuleThatIsNotUnderstoodIsLeftToTheNextCounters() {
        Match match = RecordingSwitch.FACTORY.buildMatch().setExact(MatchField.BSN_VRF, VRF.of(1)).build();
        receive(removal(OFFlowRemovedReason.DELETE, match));
        assertEquals(List.of(), core.removed);
    }

    @Test
    void aNewMasterLooksAtTheRulesAtOnce() {
        s1.sent.clear();
        controller.switchListeners.forEach(listener -> listener.roleChangedToMaster(S1));
        assertInstanceOf(OFFlowStatsRequest.class, s1.onlyMessage());
    }

    @Test
    void whatConcernsNoRuleIsOthersMatter() {
        s1.sent.clear();
        receive(RecordingSwitch.FACTORY.buildEchoReply().build());
        receive(RecordingSwitch.FACTORY.buildPortStatsReply().setEntries(List.of()).build());
        controller.switchListeners.forEach(listener -> {
            listener.switchAdded(S1);
            listener.switchChanged(S1);
            listener.portChanged(S1, null);
            listener.receivedRoleReply(S1, RoleState.MASTER, RoleState.MASTER);
        });
        assertEquals(Map.of(), core.metrics);
        assertEquals(List.of(), s1.sent);
    }

    private Map<Long, Long> bytesByCookie() {
        return core.metrics.get(DEVICE).stream()
                .collect(Collectors.toMap(entry -> entry.id().value(), FlowEntry::bytes));
    }

    private static OFFlowStatsEntry counted(long cookie, long bytes, OFAction action) {
        return RecordingSwitch.FACTORY.buildFlowStatsEntry()
                .setMatch(inPort(1))
                .setInstructions(List.of(RecordingSwitch.FACTORY.instructions().applyActions(List.of(action))))
                .setCookie(U64.of(cookie)).setPriority(10).setTableId(FirstTable.NEXT)
                .setPacketCount(U64.of(1)).setByteCount(U64.of(bytes))
                .build();
    }

    private static OFFlowRemoved removal(OFFlowRemovedReason reason, Match match) {
        return RecordingSwitch.FACTORY.buildFlowRemoved()
                .setReason(reason).setMatch(match).setCookie(U64.of(9)).setPriority(10).setTableId(FirstTable.NEXT)
                .setPacketCount(U64.of(7)).setByteCount(U64.of(700))
                .build();
    }

    private static Match inPort(int port) {
        return RecordingSwitch.FACTORY.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(port)).build();
    }
}
