// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.topology.Nets;

/** The rules that connections share come before those that lead there, and go after them. */
class SharedPathsTest extends SharedPathsScenario {
    @Test
    void aConnectionWaitsForTheRulesOfItsPaths() {
        long revision = intents.submit(connection(ONE, 2));

        assertEquals(2, store.waiting().size(), "a path of each direction, and no connection");
        assertEquals(revision, intents.revision(ONE));
        assertTrue(intents.report(ONE), "it is not lost");
        assertEquals(List.of(), intents.rules(ONE));

        store.installAll();
        assertTrue(heard.pathsChanged > 0);
        assertEquals(List.of(), store.waiting());
        intents.submitWaiting();
        assertEquals(List.of("mptcp-one"), store.waiting());
        store.installAll();
        assertEquals(List.of(revision), heard.installed);
        assertEquals(6, intents.rules(ONE).size(), "two of its own, and two of each path");
    }

    @Test
    void anotherConnectionOnThosePathsDoesNotWait() {
        submitted(ONE, 2);
        intents.submit(connection(TWO, 2));
        assertEquals(List.of("mptcp-two"), store.waiting());
    }

    @Test
    void switchedOffNothingIsShared() {
        setting = PathLabels.OFF;
        intents.submit(connection(ONE, 2));
        assertEquals(List.of("mptcp-one"), store.waiting());
        store.installAll();
        assertEquals(6, intents.rules(ONE).size());
        assertEquals(Set.of(RuleKind.SUBFLOW.priority()),
                     intents.rules(ONE).stream().map(FlowRule::priority).collect(Collectors.toSet()));
    }

    @Test
    void automaticallyAConnectionWithExactRulesMovesWithoutWaiting() {
        setting = PathLabels.AUTO;
        submitted(ONE, 2);
        for (int number = 0; number < PathLabels.MANY; number++) {
            submitted(ConnectionId.of("c" + number), 2);
        }
        intents.submit(connection(ONE, 3));
        assertEquals(List.of("mptcp-one"), store.waiting());
        store.installAll();
        assertEquals(6, intents.rules(ONE).size());

        intents.withdraw(ONE);
        store.withdrawAll();
        intents.submit(connection(ONE, 3));
        assertEquals(2, store.waiting().size(), "it comes anew, and there are many: the paths of both directions come first");
    }

    @Test
    void aPathOverAnIndirectLinkHasNoLabel() {
        Link unknown = DefaultLink.builder().providerId(ProviderId.NONE).src(Nets.port(1, 2)).dst(Nets.port(2, 1))
                .type(Link.Type.INDIRECT).build();
        Connection indirect = connection(ONE, 2).mapSubflows(subflow -> subflow.withRoute(
                SubflowState.ACTIVE, List.of(unknown, Nets.link(2, 5)), subflow.reversePath(), Nets.CAPACITY));
        intents.submit(indirect);
        assertEquals(1, store.waiting().size(), "the path of the other direction");
    }

    @Test
    void aPathStaysWhileSomebodyUsesItAndGoesSomeSweepsLater() {
        submitted(ONE, 2);
        submitted(TWO, 2);
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(5);
        assertEquals(2, store.paths(IntentState.INSTALLED));

        intents.withdraw(TWO);
        sweep(5);
        assertEquals(2, store.paths(IntentState.INSTALLED), "the rules that lead there are not gone");
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS);
        assertEquals(2, store.paths(IntentState.INSTALLED));
        sweep(1);
        assertEquals(0, store.paths(IntentState.INSTALLED));
        sweep(1);
        assertEquals(Set.of(), store.intents.keySet(), "they are purged");
    }

    @Test
    void thePathsThatAConnectionHasLeftStayUntilItsNewRulesAreThere() {
        submitted(ONE, 2);
        intents.submit(connection(ONE, 3));
        store.installAll();
        intents.submitWaiting();
        sweep(5);
        assertEquals(4, store.paths(IntentState.INSTALLED));

        store.installAll();
        sweep(SharedPaths.UNUSED_SWEEPS + 2);
        assertEquals(2, store.paths(IntentState.INSTALLED));
        assertEquals(3, store.intents.size());
    }

    @Test
    void aPathThatIsWantedAgainComesBack() {
        submitted(ONE, 2);
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS);
        intents.sweep();
        intents.submit(connection(TWO, 2));
        store.withdrawAll();
        assertEquals(2, store.waiting().size(), "an intent that is about to go is not ready");
        store.installAll();
        intents.submitWaiting();
        assertEquals(List.of("mptcp-two"), store.waiting());
    }

    @Test
    void whereAPathFailsTheRulesAreExact() {
        intents.submit(connection(ONE, 2));
        store.settleAll(IntentState.FAILED);
        assertTrue(heard.pathsChanged > 0);
        intents.submitWaiting();
        assertEquals(List.of("mptcp-one"), store.waiting());
        store.installAll();
        assertEquals(6, intents.rules(ONE).size());
    }

    @Test
    void soTheyAreWhereAPathDoesNotComeForAWholeSweep() {
        intents.submit(connection(ONE, 2));
        sweep(1);
        assertEquals(2, store.waiting().size());
        sweep(1);
        assertTrue(store.waiting().contains("mptcp-one"));
    }

    @Test
    void whatAnEarlierRunHasLeftGoesOnceItsConnectionsHaveHadTime() {
        submitted(ONE, 2);
        start();
        sweep(SharedPaths.SPARING_SWEEPS - 1);
        assertEquals(2, store.paths(IntentState.INSTALLED));
        sweep(2);
        assertEquals(0, store.paths(IntentState.INSTALLED));
        assertEquals(1, store.intents.size());
    }

    @Test
    void anotherRunTakesTheSamePathsOver() {
        submitted(ONE, 2);
        start();
        intents.submit(connection(ONE, 2));
        store.installAll();
        intents.submitWaiting();
        store.installAll();
        sweep(10);
        assertEquals(2, store.paths(IntentState.INSTALLED));
    }

    @Test
    void aStopWithdrawsThePathsAfterTheConnections() {
        submitted(ONE, 2);
        store.withdrawsAtOnce = true;
        assertTrue(intents.removeAll(1000));
        assertEquals(Set.of(), store.intents.keySet());
        assertEquals("mptcp-one", store.withdrawn.get(0));
        assertEquals(3, store.withdrawn.size());
    }

    @Test
    void aRuleOfAPathThatOnosPutBackIsRemovedAgain() {
        submitted(ONE, 2);
        FlowRule shared = intents.rules(ONE).stream().filter(rule -> rule.priority() == RuleKind.PATH.priority()).findFirst().get();
        switches.entries.add(shared);
        sweep(3);
        assertEquals(List.of(), switches.removed, "it is used");
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS + 1);
        assertEquals(List.of(), switches.removed, "its removal may be under way");
        sweep(1);
        assertEquals(List.of(shared), switches.removed);
    }

    @Test
    void thereIsALimitAndBeyondItRulesAreExact() {
        for (int number = 1; number <= SharedPaths.MOST / 2; number++) {
            int host = number;
            intents.submit(connection(ConnectionId.of("c" + number), 2, address ->
                    MacAddress.valueOf(0x10000 + 2 * host + (address.getIp4Address().toInt() & 1))));
        }
        assertEquals(SharedPaths.MOST, store.waiting().size());
        intents.submit(connection(ONE, 2));
        assertTrue(store.waiting().contains("mptcp-one"), "it does not wait");
        store.installAll();
        assertEquals(6, intents.rules(ONE).size());
    }
}
