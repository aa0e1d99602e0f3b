// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.wiring.Stage.middle;
import static org.subflow.mptcp.wiring.Stage.number;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.routing.RecoveryHold;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** What time and the network do to connections. */
class LifecycleTest {
    private static final long RETENTION_MILLIS = 3_600_000;

    private final Stage stage = new Stage();

    @Test
    void connectionsThatLoseOnePathTogetherSpreadOverTheOthers() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint").with(Settings.SUBFLOWS, 1);
        for (int number = 0; number < 6; number++) {
            stage.openAnother("c" + number, 2000 + number);
        }
        assertEquals(3, middles().size(), "two on each path");

        DeviceId lost = middles().iterator().next();
        stage.cut(1, number(lost));
        stage.changes.networkChanged(0);
        stage.installed();

        assertEquals(2, middles().size());
        assertFalse(middles().contains(lost));
        middles().forEach(middle -> assertEquals(3, on(middle), "three on each remaining path"));
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
        stage.store.all().forEach(connection -> assertEquals(10e6 / 3, connection.expected().up(), 1e4));
    }

    @Test
    void reroutesAreTimedFromOnossReportOfTheChangeThatTookThePath() {
        stage.open();
        stage.join(1);
        stage.installed();
        stage.ruleTimes.reported(0);
        stage.cut(1, number(middle(stage.connection().first())));
        stage.changes.networkChanged(0);
        stage.ruleTimes.installed(stage.connection(), 30_000_000);

        DurationHistogram times = stage.ruleTimes.histogram(Wait.REROUTE);
        assertEquals(1, Arrays.stream(times.counts()).sum(), "the sibling kept its path");
        assertEquals(0.03, times.sum(), 1e-9);
    }

    @Test
    void sharesWaitForTheRulesOfAllThatMove() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "shortest").with(Settings.SUBFLOWS, 1);
        for (int number = 0; number < 8; number++) {
            stage.openAnother("c" + number, 2000 + number);
        }
        stage.installed();
        stage.cut(1, number(middles().iterator().next()));
        for (int middle = 2; middle <= 4; middle++) {
            stage.capacities.put(Nets.link(1, middle), 6e6);
        }
        stage.events.clear();
        stage.changes.networkChanged(0);

        List<MptcpIntent> moved = List.copyOf(stage.intents.submitted.values());
        moved.subList(1, 8).forEach(one -> stage.provisioner.installed(one.connection, one.revision));
        assertEquals(0, stage.told(Type.SHARES_CHANGED), "one has no rules yet");
        stage.provisioner.installed(moved.get(0).connection, moved.get(0).revision);
        assertTrue(stage.told(Type.SHARES_CHANGED) > 0);
    }

    @Test
    void whateverNumberMovesSharesAreWorkedOutOnce() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "shortest").with(Settings.SUBFLOWS, 1);
        for (int number = 0; number < 6; number++) {
            stage.openAnother("c" + number, 2000 + number);
        }
        DeviceId lost = middles().iterator().next();
        stage.cut(1, number(lost));
        for (int middle = 2; middle <= 4; middle++) {
            stage.capacities.put(Nets.link(1, middle), 6e6);
            stage.capacities.put(Nets.link(middle, 1), 6e6);
        }
        stage.events.clear();

        stage.changes.networkChanged(0);
        stage.installed();

        assertEquals(6, stage.told(Type.REROUTED));
        assertEquals(6, stage.told(Type.SHARES_CHANGED), "each hears once of its new share");
        stage.store.all().forEach(connection -> assertEquals(1e6, connection.expected().up(), 1e3));
    }

    @Test
    void aSilentConnectionIsIdleOrClosedIfItsEndMayHaveGoneUnseen() {
        stage.open();
        stage.installed();
        silent(0, 120_000);
        assertEquals(ConnectionState.IDLE, stage.connection().state());

        stage.endsUnseen = true;
        stage.openAnother("another", 2000);
        stage.installed();
        silent(120_000, 240_000);
        assertEquals(List.of(stage.connection()), stage.store.all());
        assertEquals(1, stage.told(Type.CLOSED));
    }

    private void silent(long from, long to) {
        for (long millis = from; millis <= to; millis += 1000) {
            stage.tick(millis);
        }
    }

    @Test
    void connectionsThatEndTogetherAreSharedOnce() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "shortest").with(Settings.SUBFLOWS, 1);
        for (int number = 0; number < 6; number++) {
            stage.openAnother("c" + number, 2000 + number);
        }
        stage.events.clear();

        stage.provisioner.makeIdle(stage.store.all().subList(0, 5));

        assertEquals(5, stage.told(Type.IDLE));
        assertEquals(1, stage.told(Type.SHARES_CHANGED));
        assertEquals(10e6, stage.provisioner.live().get(0).expected().up(), 1e3);
    }

    @Test
    void anEarlierRunsConnectionsAreTakenOverAndNothingIsReservedTwice() {
        openWith(2);
        int held = stage.ledger.entries();
        stage.cut(1, number(middle(stage.connection().first())));

        restart();
        later(RecoveryHold.STILL_MILLIS);

        assertEquals(held, stage.ledger.entries());
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
        assertEquals(ConnectionState.PENDING, stage.connection().state());
        assertEquals(2, middles().size(), "on paths that exist now");
        assertEquals(Rates.of(20e6, 20e6), stage.connection().expected());
    }

    /** Connections are written later than reservations. */
    @Test
    void whatAnEarlierRunReservedForAConnectionThatWasNeverWrittenGoesAfterARestart() {
        openWith(3);
        stage.store.remove(Stage.ID);

        restart();
        stage.reservationKeeper.look();
        assertEquals(0, stage.ledger.entries());
        assertEquals(0, stage.unreserved.reservedByOthers(Nets.link(1, 2)));
    }

    @Test
    void whatIsIntactAfterARestartIsTakenOverAtOnce() {
        Connection before = openWith(2);
        int held = stage.ledger.entries();

        restart();

        assertEquals(ConnectionState.PENDING, stage.connection().state());
        assertEquals(before.subflows(), stage.connection().subflows());
        assertEquals(held, stage.ledger.entries());
    }

    @Test
    void afterARestartOfOnosConnectionsWaitForTheirPathsAndLeaveNothingReserved() {
        Connection before = openWith(3);
        int held = stage.ledger.entries();
        List<Link> all = List.copyOf(stage.links);
        stage.links.clear();
        stage.switchesDown.addAll(Set.of(1, 2, 3, 4, 5));

        restart();
        assertEquals(ConnectionState.IDLE, stage.connection().state());
        assertEquals(0, stage.ledger.entries());

        stage.switchesDown.clear();
        stage.changes.networkChanged(stage.millis);
        stage.links.addAll(all.subList(0, 4));
        stage.changes.networkChanged(stage.millis);
        assertTrue(stage.resumptions.woken(Stage.ID, stage.connection().first().tuple()), "its packets wait for that");
        assertEquals(ConnectionState.IDLE, stage.connection().state(), "not onto whatever path is there first");

        stage.links.addAll(all.subList(4, all.size()));
        stage.changes.networkChanged(stage.millis);
        assertEquals(ConnectionState.PENDING, stage.connection().state());
        assertEquals(before.subflows(), stage.connection().subflows());
        assertEquals(held, stage.ledger.entries());
    }

    @Test
    void aSwitchThatDoesNotComeBackIsNotWaitedForForEver() {
        openWith(2);
        int lost = number(middle(stage.connection().first()));
        stage.switchesDown.add(lost);
        stage.cut(1, lost);
        stage.cut(lost, 5);

        restart();
        later(2 * RecoveryHold.STILL_MILLIS);
        assertEquals(ConnectionState.IDLE, stage.connection().state(), "it may still come");

        later(RecoveryHold.MOST_MILLIS);
        assertEquals(ConnectionState.PENDING, stage.connection().state());
        assertEquals(2, middles().size());
        assertFalse(middles().contains(Nets.device(lost)));
    }

    @Test
    void whatEndedWhileOnosWasAwayDoesNotHoldAnythingForEver() {
        openWith(1);
        restart();
        stage.installed();
        assertTrue(stage.ledger.entries() > 0);

        later(60_000);
        assertEquals(ConnectionState.IDLE, stage.connection().state());
        assertEquals(0, stage.ledger.entries());
    }

    @Test
    void aLongLivedConnectionIsNotForgottenBecauseItsApplicationWasRestarted() {
        openWith(1);
        stage.provisioner.makeIdle(List.of(stage.connection()));
        stage.millis = 2 * RETENTION_MILLIS;

        restart();
        later(1000);
        assertTrue(stage.store.get(Stage.ID).isPresent(), "its next packet may be on its way");
        later(RETENTION_MILLIS);
        assertFalse(stage.store.get(Stage.ID).isPresent());
    }

    @Test
    void whatHasHadNoPathForTheRetentionTimeIsForgotten() {
        stage.open();
        for (int middle = 2; middle <= 4; middle++) {
            stage.cut(1, middle);
        }
        stage.changes.networkChanged(0);
        assertEquals(ConnectionState.DOWN, stage.connection().state());

        stage.tick(RETENTION_MILLIS - 1);
        assertTrue(stage.store.get(Stage.ID).isPresent());
        stage.tick(RETENTION_MILLIS);
        assertFalse(stage.store.get(Stage.ID).isPresent());
        assertEquals(0, stage.ledger.entries());
    }

    /** Its record says when it was seen by the system's clock, which was an hour behind. */
    @Test
    void aConnectionWithoutAPathIsNotForgottenAtOnceBecauseTheClockWasSetForward() {
        for (int middle = 2; middle <= 4; middle++) {
            stage.cut(1, middle);
        }
        stage.millis = 3_600_000;
        stage.open();
        later(1000);
        assertEquals(ConnectionState.DOWN, stage.connection().state());
        later(RETENTION_MILLIS);
        assertFalse(stage.store.get(Stage.ID).isPresent());
    }

    /** Opens a connection of so many subflows, whose rules are in the switches then. */
    private Connection openWith(int subflows) {
        stage.open();
        for (int further = 1; further < subflows; further++) {
            stage.join(further);
        }
        stage.installed();
        return stage.connection();
    }

    /** The application starts again, and finds its connections. */
    private void restart() {
        stage.start();
        stage.changes.recover(stage.millis);
    }

    private void later(long millis) {
        stage.millis += millis;
        stage.tick(stage.millis);
    }

    private Set<DeviceId> middles() {
        return stage.store.all().stream().map(Connection::subflows).flatMap(Collection::stream)
                .map(Stage::middle).collect(Collectors.toSet());
    }

    private long on(DeviceId middle) {
        return stage.store.all().stream().filter(connection -> middle(connection.first()).equals(middle)).count();
    }
}
