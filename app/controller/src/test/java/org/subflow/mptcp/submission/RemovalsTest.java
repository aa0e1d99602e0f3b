// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.intent.IntentState;
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

    private final class Told implements ConnectionIntents.Outcome {
        @Override
        public void installed(ConnectionId connection, long revision) {
            // The submission alone matters here.
        }

        @Override
        public void failed(ConnectionId connection, long revision) {
            // The submission alone matters here.
        }

        @Override
        public void withdrawn(ConnectionId connection) {
            intents.withdrawn(connection);
            submit();
        }

        @Override
        public void pathsChanged() {
            // The submission alone matters here.
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
}
