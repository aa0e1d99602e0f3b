// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.wiring.Stage;

/** A connection has at most one event of a frequent type under way. */
class PacedEventsTest {
    private final Stage stage = new Stage();
    private final List<Runnable> tasks = new ArrayList<>();
    private final List<ConnectionEvent> posted = new ArrayList<>();
    private long millis = 1_000_000;
    private final PacedEvents events = new PacedEvents(Type.SHARES_CHANGED, stage.store, task -> () -> tasks.add(task),
                                                       () -> millis, posted::add);

    @BeforeEach
    void open() {
        stage.open();
    }

    @Test
    void severalChangesBecomeOneEventWithTheNewestState() {
        for (int share = 1; share <= 100; share++) {
            share(share);
        }
        run();
        assertEquals(1, posted.size());
        assertEquals(Type.SHARES_CHANGED, posted.get(0).type());
        assertEquals(Rates.of(100, 100), posted.get(0).subject().expected());
    }

    @Test
    void theNextFollowsOnceTheListenersHaveTheLast() {
        share(1);
        run();
        share(2);
        share(3);
        run();
        assertEquals(1, posted.size(), "one is under way");

        events.delivered(Stage.ID);
        run();
        assertEquals(2, posted.size());
        assertEquals(Rates.of(3, 3), posted.get(1).subject().expected());
        events.delivered(Stage.ID);
        assertTrue(tasks.isEmpty(), "no more has changed");
    }

    @Test
    void oneConnectionDoesNotHoldUpAnother() {
        share(1);
        run();
        Connection other = stage.openAnother("other", 2000);
        share(2);
        events.changed(other.id());
        run();
        assertEquals(2, posted.size());
        assertEquals(other.id(), posted.get(1).subject().id());
    }

    @Test
    void anEventThatGetsLostDoesNotSilenceItsConnection() {
        share(1);
        run();
        millis += PacedEvents.LOST_MILLIS;
        share(2);
        run();
        assertEquals(2, posted.size());
    }

    @Test
    void idleAndClosedConnectionsHaveNoMoreOfThem() {
        share(1);
        stage.provisioner.makeIdle(List.of(stage.connection()));
        run();
        events.changed(Stage.ID);
        stage.provisioner.close(List.of(stage.connection()), Cause.ENDED);
        run();
        assertTrue(posted.isEmpty());
    }

    private void share(double rate) {
        stage.store.put(stage.connection().mapSubflows(subflow -> subflow.withExpected(Rates.of(rate, rate))));
        events.changed(Stage.ID);
    }

    private void run() {
        List<Runnable> waiting = new ArrayList<>(tasks);
        tasks.clear();
        waiting.forEach(Runnable::run);
    }
}
