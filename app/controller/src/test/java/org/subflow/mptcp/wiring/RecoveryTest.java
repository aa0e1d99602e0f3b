// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Opening;

/** What becomes of connections if the application, or the node that decides, ends again before they have been taken over. */
class RecoveryTest {
    private static final ConnectionId ID = ConnectionId.of("c1");

    private final Life life = new Life(1);

    @BeforeEach
    void begin() {
        life.faults.happen = false;
        life.network.settings = life.network.settings.with(Settings.IDLE_SECONDS, 3600);
        open(ID, 1000);
        life.settle();
        life.faults.happen = false;
        assertEquals(ConnectionState.ACTIVE, state());
    }

    private void open(ConnectionId id, int port) {
        FiveTuple tuple = life.network.attachments.withHosts(Stage.tuple("10.0.0.1", port)).orElseThrow();
        life.admit(tuple);
        assertTrue(life.parts.admission.opened(id, Opening.of(tuple, List.of()), 1, Token.of(port), Token.of(port + 1), life.network.millis));
    }

    private ConnectionState state() {
        return life.store.get(ID).orElseThrow().state();
    }

    /** Its switches are not back yet when the application begins. */
    private void beginsWithoutItsSwitch() {
        life.network.switchesDown.add(Stage.number(Stage.middle(life.store.get(ID).orElseThrow().first())));
        life.networkChanged();
        life.restart(true);
        life.faults.some(100);
        assertEquals(ConnectionState.IDLE, state(), "it waits");
    }

    private void comesToRest() {
        life.settle();
        life.faults.happen = false;
        assertEquals(List.of(), Books.differences(life));
    }

    @Test
    void whoeverWaitedIsTakenOverByTheNextOne() {
        beginsWithoutItsSwitch();
        for (int again = 0; again < 3; again++) {
            life.restart(true);
            life.faults.some(100);
        }
        comesToRest();
        assertEquals(ConnectionState.ACTIVE, state());
    }

    /** What a node refuses whose mandate has lapsed the next one may take. */
    @Test
    void aNodeThatMayNotDecideAnyMoreRefusesNobodyForGood() {
        beginsWithoutItsSwitch();
        life.network.mayDecide = false;
        life.pass(60_000);
        life.faults.some(100);
        life.restart(true);
        comesToRest();
        assertEquals(ConnectionState.ACTIVE, state());
    }

    @Test
    void whoeverIsRefusedIsStoredAsIdle() {
        beginsWithoutItsSwitch();
        life.network.settings = life.network.settings.with(Settings.MOST_CONNECTIONS, 1);
        ConnectionId other = ConnectionId.of("c2");
        open(other, 2000);
        comesToRest();
        assertEquals(ConnectionState.IDLE, state());
        assertEquals(ConnectionState.ACTIVE, life.store.get(other).orElseThrow().state());
    }
}
