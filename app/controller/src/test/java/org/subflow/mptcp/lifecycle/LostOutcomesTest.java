// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.intent.IntentState;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.wiring.Stage;

/** ONOS's event with the outcome of a submission has not come: its store of intents has the outcome. */
class LostOutcomesTest {
    private static final FiveTuple TUPLE = Stage.tuple("10.0.0.1", 1000);

    private final Stage stage = new Stage();

    @BeforeEach
    void open() {
        stage.admission.opened(Stage.ID, Opening.of(TUPLE, List.of()), 1, Token.of(1), Token.of(2), 0);
    }

    private ConnectionState state() {
        return stage.store.get(Stage.ID).orElseThrow().state();
    }

    private MptcpIntent intent() {
        return stage.intents.submitted.values().iterator().next();
    }

    private void sweeps(int count) {
        for (int i = 0; i < count; i++) {
            stage.provisioner.sweep();
        }
    }

    @Test
    void anInstalledOneIsNoticedAtTheSecondSweep() {
        sweeps(1);
        assertEquals(ConnectionState.PENDING, state(), "its event may be on its way");
        sweeps(1);
        assertEquals(ConnectionState.ACTIVE, state());
    }

    @Test
    void whatOnosStillInstallsIsWaitedFor() {
        long revision = intent().revision;
        stage.intents.states.put(intent().key(), IntentState.INSTALLING);
        sweeps(5);
        assertEquals(ConnectionState.PENDING, state());
        assertEquals(revision, intent().revision);
    }

    @Test
    void aFailedOneIsSubmittedAgain() {
        long revision = intent().revision;
        stage.intents.states.put(intent().key(), IntentState.CORRUPT);
        sweeps(2);
        stage.nanoClock = () -> 2_000_000_000L;
        stage.retry();
        assertNotEquals(revision, intent().revision);
    }

    @Test
    void oneThatOnosDoesNotHaveIsSubmittedAgain() {
        MptcpIntent lost = intent();
        stage.intents.submitted.clear();
        sweeps(2);
        assertNotEquals(lost.revision, intent().revision);
        assertEquals(ConnectionState.PENDING, state());
    }

    @Test
    void anOlderOneInItsPlaceIsFollowedByTheNewest() {
        MptcpIntent old = intent();
        stage.provisioner.apply(List.of(stage.store.get(Stage.ID).orElseThrow()), ConnectionEvent.Type.REROUTED);
        stage.intents.submitted.put(old.key(), old);
        sweeps(2);
        assertNotEquals(old.revision, intent().revision);
    }
}
