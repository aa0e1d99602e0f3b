// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.Nets;

/** What time and the network do to connections. */
class LifecycleTest {
    private static final long RETENTION_MILLIS = 3_600_000;

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void connectionsThatLoseOnePathTogetherSpreadOverTheOthers() {
        stage.settings = Settings.builder().strategy("widest-disjoint").subflows(1).build();
        for (int number = 0; number < 6; number++) {
            stage.openAnother("c" + number, 2000 + number);
        }
        assertEquals(3, middles().size(), "two on each path");

        DeviceId lost = middles().iterator().next();
        stage.cut(1, number(lost));
        stage.lifecycle.networkChanged(0);

        assertEquals(2, middles().size());
        assertFalse(middles().contains(lost));
        middles().forEach(middle -> assertEquals(3, on(middle), "three on each path that is left"));
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
        stage.store.all().forEach(connection -> assertEquals(10e6 / 3, connection.expected().up(), 1e4));
    }

    @Test
    void whateverNumberMovesSharesAreWorkedOutOnce() {
        stage.settings = Settings.builder().strategy("shortest").subflows(1).build();
        for (int number = 0; number < 6; number++) {
            stage.openAnother("c" + number, 2000 + number);
        }
        stage.cut(1, number(middles().iterator().next()));
        stage.events.clear();

        stage.lifecycle.networkChanged(0);

        assertEquals(6, told(Type.REROUTED));
        assertTrue(told(Type.SHARES_CHANGED) <= 6, "no connection hears of shares that were never meant to last");
    }

    @Test
    void connectionsThatEndTogetherAreSharedOnce() {
        stage.settings = Settings.builder().strategy("shortest").subflows(1).build();
        for (int number = 0; number < 6; number++) {
            stage.openAnother("c" + number, 2000 + number);
        }
        stage.events.clear();

        stage.provisioner.park(stage.store.all().subList(0, 5));

        assertEquals(5, told(Type.IDLE));
        assertEquals(1, told(Type.SHARES_CHANGED));
        assertEquals(10e6, stage.provisioner.live().get(0).expected().up(), 1e3);
    }

    @Test
    void anEarlierRunsConnectionsAreTakenOverAndNothingIsReservedTwice() {
        stage.open();
        stage.join(1);
        stage.installed();
        int held = stage.ledger.entries();
        stage.cut(1, number(middle(stage.connection().first())));

        stage.start();
        stage.lifecycle.recover(1000);

        assertEquals(held, stage.ledger.entries());
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
        assertEquals(ConnectionState.PENDING, stage.connection().state());
        assertEquals(2, middles().size(), "on paths that exist now");
        assertEquals(Rates.of(20e6, 20e6), stage.connection().expected());
    }

    @Test
    void whatHasHadNoPathForTheRetentionTimeIsForgotten() {
        stage.open();
        for (int middle = 2; middle <= 4; middle++) {
            stage.cut(1, middle);
        }
        stage.lifecycle.networkChanged(0);
        assertEquals(ConnectionState.DOWN, stage.connection().state());

        stage.lifecycle.tick(RETENTION_MILLIS - 1);
        assertTrue(stage.store.get(Stage.ID).isPresent());
        stage.lifecycle.tick(RETENTION_MILLIS);
        assertFalse(stage.store.get(Stage.ID).isPresent());
        assertEquals(0, stage.ledger.entries());
    }

    private long told(Type type) {
        return stage.events.stream().filter(event -> event.type() == type).count();
    }

    private Set<DeviceId> middles() {
        return stage.store.all().stream().map(Connection::subflows).flatMap(Collection::stream)
                .map(LifecycleTest::middle).collect(Collectors.toSet());
    }

    private long on(DeviceId middle) {
        return stage.store.all().stream().filter(connection -> middle(connection.first()).equals(middle)).count();
    }

    private static DeviceId middle(Subflow subflow) {
        return subflow.devices().get(1);
    }

    private static int number(DeviceId device) {
        return Integer.parseInt(device.toString().substring("of:".length()));
    }
}
