// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.wiring.Stage;

/** Ends of managed subflows: by the FINs of both hosts or an RST, once the switches' counters stand still. */
class EndingsTest {
    private final Stage stage = new Stage();

    private void ended(FiveTuple sender, boolean reset) {
        stage.endings.ended(sender, reset, stage.millis);
    }

    @Test
    void aConnectionThatBothHostsEndIsForgottenAtOnceWithItsRules() {
        Connection connection = stage.open();
        stage.second(1_000_000);
        stage.second(1_000_000);
        stage.second(1_000_000);
        ended(connection.first().tuple(), false);
        ended(connection.first().tuple().reversed(), false);
        stage.second(1_000_000);
        stage.second(1_000_000);
        stage.second(1_000_000);
        assertTrue(stage.store.all().isEmpty());
        assertTrue(stage.intents.withdrawn.containsAll(stage.intents.submitted.keySet()), "its intent is withdrawn");
        assertEquals(Optional.of(Cause.ENDED), stage.events.get(stage.events.size() - 1).cause());
    }

    @Test
    void aHalfClosedOneGoesOn() {
        Connection connection = stage.open();
        stage.second(1_000_000);
        stage.second(1_000_000);
        stage.second(1_000_000);
        ended(connection.first().tuple(), false);
        stage.second(1_000_000);
        stage.second(1_000_000);
        stage.second(1_000_000);
        assertEquals(ConnectionState.ACTIVE, stage.store.all().get(0).state());
    }

    @Test
    void aForgedResetOfOneThatSendsRemovesNothing() {
        Connection connection = stage.open();
        stage.second(1_000_000);
        stage.second(1_000_000);
        stage.second(1_000_000);
        for (int second = 0; second < 5; second++) {
            ended(connection.first().tuple(), true);
            stage.second(2_000_000 + second * 1_000_000L);
        }
        assertEquals(ConnectionState.ACTIVE, stage.store.all().get(0).state());
    }

    @Test
    void anEndedSubflowGivesItsPathToItsSiblings() {
        Connection connection = stage.open();
        stage.join(1);
        stage.second(1_000_000);
        stage.second(1_000_000);
        stage.second(1_000_000);
        FiveTuple second = stage.store.all().get(0).subflows().get(1).tuple();
        ended(second, true);
        stage.second(1_000_000);
        stage.second(1_000_000);
        stage.second(1_000_000);
        Connection now = stage.store.get(connection.id()).orElseThrow();
        assertEquals(List.of(true, false), List.of(now.subflows().get(0).isRouted(), now.subflows().get(1).isRouted()));
        assertEquals(SubflowState.IDLE, now.subflows().get(1).state());
    }

    @Test
    void aReusedFiveTupleIsNotEndedByWhatWasBefore() {
        stage.open();
        FiveTuple second = stage.join(1).subflows().get(1).tuple();
        stage.second(1_000_000);
        stage.second(1_000_000);
        stage.second(1_000_000);
        ended(second, true);
        stage.endings.begins(second);
        stage.second(1_000_000);
        stage.second(1_000_000);
        stage.second(1_000_000);
        assertFalse(stage.store.all().get(0).subflows().get(1).state() == SubflowState.IDLE);
    }
}
