// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.southbound.tcpflags.Tables.BOTH;
import static org.subflow.mptcp.southbound.tcpflags.Tables.COPIES;
import static org.subflow.mptcp.southbound.tcpflags.Tables.NOTHING;
import static org.subflow.mptcp.southbound.tcpflags.Tables.RULES;
import static org.subflow.mptcp.southbound.tcpflags.Tables.answer;
import static org.subflow.mptcp.southbound.tcpflags.Tables.barriers;
import static org.subflow.mptcp.southbound.tcpflags.Tables.link;
import static org.subflow.mptcp.southbound.tcpflags.Tables.ports;
import static org.subflow.mptcp.southbound.tcpflags.Tables.refusal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.SwitchesController;
import org.subflow.mptcp.southbound.fixtures.Links;

/** What stands in first tables over time, and what ONOS is told of it. */
class FirstTablesTest {
    private static final Dpid S1 = new Dpid(1);
    private static final Dpid S2 = new Dpid(2);

    private final SwitchesController controller = new SwitchesController();
    private final RecordingSwitch s1 = controller.connect(1);
    private final RecordingSwitch s2 = controller.connect(2);
    private final Links links = new Links();
    private final Tables.Told told = new Tables.Told();
    private Set<Delivery> wanted = NOTHING;
    private final PausedPorts pauses = new PausedPorts(() -> 0, () -> 0, () -> 0, System::nanoTime, (millis, task) -> { },
            dpid -> { });
    private final FirstTables tables = new FirstTables(controller, links, told, () -> wanted, pauses, Runnable::run);

    @BeforeEach
    void connect() {
        controller.switchListeners.add(tables);
        controller.eventListeners.add(tables);
        links.listeners.add(tables);
        controller.switchListeners.forEach(listener -> listener.switchAdded(S1));
    }

    @Test
    void aNewMasterLeavesTheOneRuleThatLetsEverythingGoOn() {
        tables.roleChangedToMaster(S1);
        assertEquals(Set.of(RULES.always()), Tables.in(s1));
        assertEquals(1, barriers(s1).size());
        answerAll(S1, s1);
        assertEquals(List.of(), told.of(S1), "it connected as one that sends no copies");
    }

    @Test
    void aNewMasterLetsCopiesComeAtOnceThoughItsWorkerIsBusy() {
        wanted = COPIES;
        links.all.add(link(1, 3, 2, 4, Link.State.ACTIVE));
        List<Runnable> work = new ArrayList<>();
        FirstTables busy = new FirstTables(controller, links, told, () -> wanted, pauses, work::add);
        busy.roleChangedToMaster(S1);
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s1));
        work.forEach(Runnable::run);
        assertEquals(RULES.rules(COPIES, ports(3)), Tables.in(s1));
        assertTrue(s1.sent.stream().noneMatch(OFFlowDeleteStrict.class::isInstance), "copies never stop");
    }

    @Test
    void nothingIsWrittenBeforeThisNodeIsMaster() {
        want(COPIES);
        assertEquals(List.of(), s1.sent);
    }

    @Test
    void switchesThatWereThereBeforeAreWritten() {
        tables.start();
        assertEquals(Set.of(RULES.always()), Tables.in(s1));
        assertEquals(Set.of(RULES.always()), Tables.in(s2));
    }

    @Test
    void aRoleThatIsConfirmedChangesNothing() {
        want(COPIES);
        tables.roleChangedToMaster(S1);
        int sent = s1.sent.size();
        tables.receivedRoleReply(S1, RoleState.MASTER, RoleState.MASTER);
        tables.roleChangedToMaster(S1);
        assertEquals(sent, s1.sent.size());
    }

    @Test
    void whoeverIsMasterAgainWritesAgain() {
        want(COPIES);
        tables.roleChangedToMaster(S1);
        answerAll(S1, s1);
        tables.receivedRoleReply(S1, RoleState.EQUAL, RoleState.EQUAL);
        s1.sent.clear();
        want(BOTH);
        assertEquals(List.of(), s1.sent, "another node's matter");
        tables.roleChangedToMaster(S1);
        assertEquals(RULES.rules(BOTH, Set.of()), Tables.in(s1));
        answerAll(S1, s1);
        assertEquals(List.of("copied", "copied"), told.of(S1), "what the other master has told is not known");
    }

    @Test
    void wishesComeAndGo() {
        tables.roleChangedToMaster(S1);
        tables.roleChangedToMaster(S2);
        want(COPIES);
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s1));
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s2));
        want(BOTH);
        assertEquals(RULES.rules(BOTH, Set.of()), Tables.in(s1));
        want(NOTHING);
        assertEquals(Set.of(RULES.always()), Tables.in(s1));
        assertEquals(Set.of(RULES.always()), Tables.in(s2));
    }

    @Test
    void onlyChangesAreSent() {
        tables.roleChangedToMaster(S1);
        want(COPIES);
        int sent = s1.sent.size();
        want(COPIES);
        assertEquals(sent, s1.sent.size());
        want(BOTH);
        assertEquals(sent + 2 + 1, s1.sent.size(), "a rule for IPv4, one for IPv6, a barrier");
    }

    @Test
    void copiesAreToldWhenTheLastBarrierIsAnswered() {
        tables.roleChangedToMaster(S1);
        want(COPIES);
        assertEquals(2, barriers(s1).size());
        controller.receive(S1, answer(barriers(s1).get(0)));
        assertEquals(List.of(), told.of(S1));
        controller.receive(S1, answer(barriers(s1).get(1)));
        assertEquals(List.of("copied"), told.of(S1));
        want(BOTH);
        answerAll(S1, s1);
        assertEquals(List.of("copied"), told.of(S1), "told once");
        want(NOTHING);
        answerAll(S1, s1);
        assertEquals(List.of("copied", "none"), told.of(S1));
    }

    @Test
    void divertedSynsAloneAreNoCopies() {
        tables.roleChangedToMaster(S1);
        want(Set.of(Delivery.DIVERTED_SYNS));
        answerAll(S1, s1);
        assertEquals(List.of(), told.of(S1));
    }

    @Test
    void fromASwitchThatRefusesARuleTheRestIsWithdrawn() {
        tables.roleChangedToMaster(S1);
        tables.roleChangedToMaster(S2);
        want(COPIES);
        long xid = barriers(s1).get(1);
        controller.receive(S1, refusal(xid));
        controller.receive(S1, answer(xid));
        answerAll(S1, s1);
        answerAll(S2, s2);
        assertEquals(Set.of(RULES.always()), Tables.in(s1));
        assertEquals(List.of(), told.of(S1));
        assertEquals(List.of("copied"), told.of(S2));
        int sent = s1.sent.size();
        controller.receive(S1, refusal(barriers(s1).get(2)));
        want(BOTH);
        links.all.add(link(1, 3, 2, 4, Link.State.ACTIVE));
        linkChanged();
        assertEquals(sent, s1.sent.size(), "it is not asked again");
    }

    @Test
    void aSwitchThatRefusedIsAskedAgainWhenItConnectsAgain() {
        want(COPIES);
        tables.roleChangedToMaster(S1);
        controller.receive(S1, refusal(barriers(s1).get(0)));
        tables.switchRemoved(S1);
        tables.switchAdded(S1);
        tables.roleChangedToMaster(S1);
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s1));
    }

    @Test
    void messagesOfOthersTransactionsAreOthersMatter() {
        tables.roleChangedToMaster(S1);
        want(COPIES);
        controller.receive(S1, refusal(7));
        controller.receive(S1, answer(7));
        assertEquals(RULES.rules(COPIES, Set.of()), Tables.in(s1));
        assertEquals(List.of(), told.of(S1));
        for (OFMessage message : s1.sent) {
            assertTrue(message.getXid() > Integer.MAX_VALUE, "ids below are the rule provider's");
        }
    }

    @Test
    void portsToOtherSwitchesFollowTheLinks() {
        links.all.add(link(1, 3, 2, 4, Link.State.ACTIVE));
        links.all.add(link(2, 6, 1, 5, Link.State.ACTIVE));
        links.all.add(link(1, 7, 2, 8, Link.State.INACTIVE));
        want(COPIES);
        tables.roleChangedToMaster(S1);
        tables.roleChangedToMaster(S2);
        assertEquals(RULES.rules(COPIES, ports(3, 5)), Tables.in(s1));
        assertEquals(RULES.rules(COPIES, ports(4, 6)), Tables.in(s2));
        links.all.remove(link(1, 3, 2, 4, Link.State.ACTIVE));
        linkChanged();
        assertEquals(RULES.rules(COPIES, ports(5)), Tables.in(s1));
        assertEquals(RULES.rules(COPIES, ports(6)), Tables.in(s2));
    }

    @Test
    void whatSomebodyElseRemovesComesBack() {
        want(COPIES);
        tables.roleChangedToMaster(S1);
        for (OFFlowAdd rule : RULES.rules(COPIES, Set.of())) {
            s1.sent.clear();
            controller.receive(S1, removal(rule));
            assertEquals(rule, ((OFFlowAdd) s1.sent.get(0)).createBuilder().setXid(0).build());
            assertEquals(2, s1.sent.size(), "the rule and a barrier");
        }
    }

    @Test
    void whatWasToGoDoesNotComeBack() {
        tables.roleChangedToMaster(S1);
        want(COPIES);
        want(NOTHING);
        int sent = s1.sent.size();
        RULES.rules(COPIES, Set.of()).stream().filter(rule -> !rule.equals(RULES.always()))
                .forEach(rule -> controller.receive(S1, removal(rule)));
        assertEquals(sent, s1.sent.size());
    }

    @Test
    void rulesInOnosTablesAreOthersMatter() {
        tables.roleChangedToMaster(S1);
        int sent = s1.sent.size();
        controller.receive(S1, removal(RULES.always().createBuilder().setTableId(TableId.of(1)).build()));
        controller.receive(S1, removal(RULES.always().createBuilder().setCookie(U64.of(1)).build()));
        assertEquals(sent, s1.sent.size());
    }

    private void want(Set<Delivery> deliveries) {
        wanted = deliveries;
        tables.wantedChanged();
    }

    /** Tells of a link between the two switches, whichever it is. */
    private void linkChanged() {
        LinkEvent event = new LinkEvent(LinkEvent.Type.LINK_UPDATED, link(1, 1, 2, 1, Link.State.ACTIVE));
        links.listeners.forEach(listener -> listener.event(event));
    }

    private void answerAll(Dpid dpid, RecordingSwitch sw) {
        barriers(sw).forEach(xid -> controller.receive(dpid, answer(xid)));
    }

    private static OFMessage removal(OFFlowAdd rule) {
        return RecordingSwitch.FACTORY.buildFlowRemoved().setReason(OFFlowRemovedReason.DELETE)
                .setTableId(rule.getTableId()).setCookie(rule.getCookie()).setPriority(rule.getPriority())
                .setMatch(rule.getMatch()).build();
    }
}
