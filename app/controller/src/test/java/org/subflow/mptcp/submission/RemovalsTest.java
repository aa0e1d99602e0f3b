// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.onosproject.net.intent.PathIntent;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.IntentIds;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.rules.FakeFlowRules;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;

/**
 * ONOS compares the rules of a request with those of the last one, also with those that it is removing, and writes no rule that is
 * equal. So it gets no request while it removes rules.
 */
class RemovalsTest {
    private static final List<String> NOTHING = List.of();
    private static final List<String> THE_REQUEST =
            List.of(MptcpIntent.keyOf(SharedPathsScenario.APP, SharedPathsScenario.ONE).toString());

    private final SlowIntents store = new SlowIntents();
    private ConnectionIntents intents;
    private int installed;
    private int pathsChanged;

    private final class Told implements ConnectionIntents.Outcome {
        @Override
        public void installed(ConnectionId connection, long revision) {
            installed++;
        }

        @Override
        public void failed(ConnectionId connection, long revision) {
            // The submission alone matters here.
        }

        @Override
        public void withdrawn(ConnectionId connection) {
            if (intents.submission(connection).isPresent()) {
                intents.withdrawn(connection);
                submit();
            }
        }

        @Override
        public void pathsChanged() {
            pathsChanged++;
        }
    }

    private static OwnRules own() {
        return new OwnRules(new FakeFlowRules(), new KnownSwitches(5), SharedPathsScenario.APP);
    }

    @BeforeEach
    void anInstalledConnection() {
        IntentIds.bind();
        intents = new ConnectionIntents(store, own(), new Told(), () -> PathLabels.OFF);
        intents.start();
        submit();
        store.installAll();
    }

    private static Connection connection() {
        return SharedPathsScenario.connection(SharedPathsScenario.ONE, 2);
    }

    private void submit() {
        intents.submit(connection());
    }

    @Test
    void itComesAfterAWithdrawal() {
        intents.withdraw(SharedPathsScenario.ONE);
        submit();
        assertEquals(NOTHING, store.takeWaiting());
        store.withdrawAll();
        assertEquals(THE_REQUEST, store.takeWaiting());
    }

    @Test
    void itComesAfterAWithdrawalThatWasNotOurs() {
        submit();
        store.settleAll(IntentState.WITHDRAWING);
        submit();
        assertEquals(NOTHING, store.takeWaiting());
        store.settleAll(IntentState.FAILED);
        intents.sweep();
        intents.sweep();
        assertEquals(THE_REQUEST, store.takeWaiting());
    }

    @Test
    void itDoesNotWaitForEver() {
        intents.withdraw(SharedPathsScenario.ONE);
        submit();
        intents.sweep();
        assertEquals(NOTHING, store.takeWaiting());
        intents.sweep();
        assertEquals(THE_REQUEST, store.takeWaiting());
    }

    @Test
    void whoWaitsIsToldWhenOnosHasRemovedTheRules() {
        submit();
        store.settleAll(IntentState.WITHDRAWING);
        submit();
        assertEquals(0, pathsChanged);
        store.submit(store.getIntent(intents.key(SharedPathsScenario.ONE)));
        store.settleAll(IntentState.FAILED);
        assertEquals(1, pathsChanged);
        intents.submitWaiting();
        assertEquals(THE_REQUEST, store.takeWaiting());
        store.tellTaken(IntentState.FAILED);
        assertEquals(1, pathsChanged, "nobody waits");
    }

    @Test
    void allAreWithdrawnAndPurged() {
        store.withdrawsAtOnce = true;
        Intent others = others();
        assertTrue(intents.removeAll(10_000));
        assertEquals(Set.of(others.key()), store.intents.keySet());
        assertEquals(List.of(), intents.submissions());
        assertEquals(NOTHING, store.takeWaiting(), "nobody has submitted it again");
        assertTrue(intents.removeAll(0), "there is none");
    }

    private Intent others() {
        ApplicationId other = new DefaultApplicationId(3, "org.onosproject.net.intent");
        Intent intent = new FlowRuleIntent(other, Key.of("other", other), List.of(), Set.of(), PathIntent.ProtectionType.PRIMARY, null);
        store.submit(intent);
        store.installAll();
        return intent;
    }

    @Test
    void ifOnosDoesNotWithdrawThemItIsSaid() {
        assertFalse(intents.removeAll(10));
        store.withdrawAll();
        assertEquals(THE_REQUEST, List.of(store.intents.keySet().iterator().next().toString()), "nobody listens any more");
    }

    @Test
    void whoIsInterruptedDoesNotWait() {
        Thread.currentThread().interrupt();
        assertFalse(intents.removeAll(600_000));
        assertTrue(Thread.interrupted());
    }

    /** ONOS may compile an older request once more. */
    @Test
    void thatAnOlderRequestHasNoRulesSaysNothingOfTheNewest() {
        Intent older = store.getIntent(intents.key(SharedPathsScenario.ONE));
        submit();
        store.installAll();
        intents.withdraw(SharedPathsScenario.ONE);
        submit();
        store.submit(older);
        store.settleAll(IntentState.FAILED);
        assertEquals(0, pathsChanged);
        intents.submitWaiting();
        assertEquals(NOTHING, store.takeWaiting());
    }

    @Test
    void whenOnosHasInstalledItIsKnown() {
        assertTrue(intents.submission(SharedPathsScenario.ONE).orElseThrow().confirmedNanos().isPresent());
    }

    @Test
    void afterItsEndNoOutcomeIsHeard() {
        assertEquals(1, installed);
        submit();
        intents.stop();
        store.installAll();
        assertEquals(1, installed);
    }
}
