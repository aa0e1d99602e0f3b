// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.LabelledPath;
import org.subflow.mptcp.intent.SubflowRoute;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.topology.Nets;

/** The rules that connections share come before those that lead there, and go after them. */
class SharedPathsTest extends SharedPathsScenario {
    @Test
    void aConnectionWaitsForTheRulesOfItsPaths() {
        long revision = intents.submit(connection(ONE, 2));

        assertEquals(2, switches.waiting(), "a path of each direction");
        assertEquals(List.of(), store.waiting());
        assertEquals(revision, intents.revision(ONE));
        assertTrue(intents.report(ONE), "it is not lost");
        assertEquals(List.of(), intents.rules(ONE));

        switches.carryOut();
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
        assertEquals(2, switches.waiting(), "it comes anew, and there are many: the paths of both directions come first");
    }

    @Test
    void aPathOverAnIndirectLinkHasNoLabel() {
        Link unknown = DefaultLink.builder().providerId(ProviderId.NONE).src(Nets.port(1, 2)).dst(Nets.port(2, 1))
                .type(Link.Type.INDIRECT).build();
        Connection indirect = connection(ONE, 2).mapSubflows(subflow -> subflow.withRoute(
                SubflowState.ACTIVE, List.of(unknown, Nets.link(2, 5)), subflow.reversePath(), Nets.CAPACITY));
        intents.submit(indirect);
        assertEquals(1, switches.waiting(), "the path of the other direction");
    }

    @Test
    void aPathStaysWhileSomebodyUsesItAndGoesSomeSweepsLater() {
        submitted(ONE, 2);
        submitted(TWO, 2);
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(5);
        assertEquals(2, paths());

        intents.withdraw(TWO);
        sweep(5);
        assertEquals(2, paths(), "the rules that lead there are not gone");
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS);
        assertEquals(2, paths());
        sweep(1);
        assertEquals(0, paths());
        sweep(1);
        assertEquals(Set.of(), store.intents.keySet(), "they are purged");
    }

    @Test
    void thePathsThatAConnectionHasLeftStayUntilItsNewRulesAreThere() {
        submitted(ONE, 2);
        intents.submit(connection(ONE, 3));
        switches.carryOut();
        intents.submitWaiting();
        sweep(5);
        assertEquals(4, paths());

        store.installAll();
        sweep(SharedPaths.UNUSED_SWEEPS + 2);
        assertEquals(2, paths());
    }

    @Test
    void onceAllAreRemovedPathsAreAskedForAnew() {
        submitted(ONE, 2);
        store.withdrawsAtOnce = true;
        assertTrue(intents.removeAll(10_000));
        intents.submit(connection(ONE, 2));
        assertEquals(2, switches.waiting());
    }

    @Test
    void whoMayNotDecideAsksForNothing() {
        LabelledPath path = SubflowRoute.of(connection(ONE, 2).first()).labelled().forwardPath.orElseThrow();
        SharedPaths paths = new SharedPaths(own, () -> { }, () -> {
            throw new IllegalStateException("not the leader");
        });
        assertThrows(IllegalStateException.class, () -> paths.need(Set.of(path)));
        assertEquals(0, switches.waiting());
    }

    @Test
    void whileTheRulesOfAPathAreOnTheirWayNothingElseIsAskedFor() {
        submitted(TWO, 3);
        intents.submit(connection(ONE, 2));
        long asked = switches.waitingWithLabels();
        for (int look = 0; look < 3; look++) {
            reconciler.look();
        }
        assertEquals(asked, switches.waitingWithLabels());
    }

    @Test
    void aPathThatIsWantedAgainWhileItsRulesGoComesBack() {
        submitted(ONE, 2);
        intents.withdraw(ONE);
        store.withdrawAll();
        for (int sweep = 0; sweep <= SharedPaths.UNUSED_SWEEPS + 1 && switches.waiting() == 0; sweep++) {
            intents.sweep();
        }
        assertEquals(2, switches.waiting(), "both directions are to go");
        intents.submit(connection(ONE, 2));
        intents.sweep();
        switches.carryOut();
        intents.submitWaiting();
        assertEquals(2, paths());
        assertEquals(List.of("mptcp-one"), store.waiting());
    }

    @Test
    void aPathThatIsWantedAgainComesBack() {
        submitted(ONE, 2);
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS);
        intents.sweep();
        intents.submit(connection(TWO, 2));
        assertEquals(2, switches.waiting(), "ONOS might add a rule and then remove it");
        switches.carryOut();
        intents.submitWaiting();
        assertEquals(List.of(), store.waiting(), "a path that is about to go is not ready");
        switches.carryOut();
        intents.submitWaiting();
        assertEquals(List.of("mptcp-two"), store.waiting());
        sweep(5);
        assertEquals(2, paths());
    }

    @Test
    void whereAPathFailsTheRulesAreExact() {
        intents.submit(connection(ONE, 2));
        switches.refuse();
        assertTrue(heard.pathsChanged > 0);
        intents.submitWaiting();
        assertEquals(List.of("mptcp-one"), store.waiting());
        store.installAll();
        assertEquals(6, intents.rules(ONE).size());
    }

    @Test
    void soTheyAreWhereAPathDoesNotComeForAWholeSweep() {
        intents.submit(connection(ONE, 2));
        intents.sweep();
        assertEquals(List.of(), store.waiting());
        intents.sweep();
        assertEquals(List.of("mptcp-one"), store.waiting());
    }

    @Test
    void aPathThatSwitchesRefusedIsTriedAgainWhileItIsWanted() {
        intents.submit(connection(ONE, 2));
        switches.refuse();
        assertEquals(0, paths());
        sweep(1);
        assertEquals(2, paths());
    }

    @Test
    void aRuleOfAPathThatOnosHasLostComesBack() {
        submitted(ONE, 2);
        sweep(1);
        switches.stored.keySet().removeIf(rule -> RuleKind.PATH.includes(rule) && rule.deviceId().equals(Nets.device(2)));
        int left = switches.stored.size();
        sweep(2);
        assertEquals(left + 2, switches.stored.size(), "one of each direction");
    }

    @Test
    void whatAnEarlierRunHasLeftGoesOnceItsConnectionsHaveHadTime() {
        submitted(ONE, 2);
        start();
        sweep(SharedPaths.SPARING_SWEEPS);
        assertEquals(2, paths());
        sweep(1);
        assertEquals(0, paths());
    }

    @Test
    void anotherRunTakesTheSamePathsOver() {
        submitted(ONE, 2);
        start();
        submitted(ONE, 2);
        sweep(10);
        assertEquals(2, paths());
    }

    @Test
    void aRuleOfAPathThatOnosPutBackIsRemovedAgain() {
        submitted(ONE, 2);
        FlowRule shared = intents.rules(ONE).stream().filter(RuleKind.PATH::includes).findFirst().get();
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS + 1);
        switches.put(shared, FlowEntryState.ADDED);
        sweep(1);
        assertEquals(1, paths(), "its removal may be under way");
        sweep(1);
        assertEquals(0, paths());
    }

    @Test
    void thereIsALimitAndBeyondItRulesAreExact() {
        for (int number = 1; number <= SharedPaths.MOST / 2; number++) {
            int host = number;
            intents.submit(connection(ConnectionId.of("c" + number), 2, address ->
                    MacAddress.valueOf(0x10000 + 2 * host + (address.getIp4Address().toInt() & 1))));
        }
        assertEquals(SharedPaths.MOST, switches.waiting());
        intents.submit(connection(ONE, 2));
        assertTrue(store.waiting().contains("mptcp-one"), "it does not wait");
        store.installAll();
        assertEquals(6, intents.rules(ONE).size());
    }
}
