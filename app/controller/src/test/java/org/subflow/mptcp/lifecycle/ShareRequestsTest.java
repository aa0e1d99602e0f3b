// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Shares come once for all that has changed meanwhile, as on the control loop. */
class ShareRequestsTest {
    private static final double ROUNDING = 1e3;

    private final Stage stage = new Stage();
    private final List<Runnable> requests = new ArrayList<>();
    /** Each computation of shares requests reservations once. */
    private int bookings;

    @BeforeEach
    void shareLater() {
        stage.shares = task -> () -> requests.add(task);
        stage.bookings = task -> () -> {
            bookings++;
            task.run();
        };
        stage.start();
    }

    @Test
    void rulesAndTheOpeningComeBeforeTheFirstShare() {
        Connection opened = stage.open();
        assertTrue(stage.intents.submitted.size() == 1 && opened.first().isRouted());
        assertEquals(Rates.ZERO, opened.expected());
        assertEquals(0, stage.ledger.entries());
        assertEquals(List.of(Type.OPENED), types());

        share();
        assertEquals(10e6, stage.connection().expected().up(), ROUNDING);
        assertEquals(10e6, stage.ledger.allocated(Nets.port(1, Stage.number(Stage.middle(opened.first())))), ROUNDING);
        assertEquals(List.of(Type.OPENED, Type.SHARES_CHANGED), types());
        assertEquals(stage.connection(), stage.events.get(1).subject());
    }

    @Test
    void manyThatBeginAndEndTogetherAreSharedOnce() {
        for (int i = 0; i < 12; i++) {
            stage.openAnother("c" + i, 1000 + i);
        }
        stage.provisioner.close(stage.store.all().subList(0, 6), Cause.ENDED);
        stage.provisioner.makeIdle(stage.store.all().subList(0, 3));
        assertEquals(0, stage.told(Type.SHARES_CHANGED));

        int before = bookings;
        share();
        assertEquals(before + 1, bookings);
        assertEquals(3, stage.told(Type.SHARES_CHANGED), "one for each that lives");
        assertEquals(3, stage.provisioner.live().size());
        stage.provisioner.live().forEach(one -> assertTrue(one.expected().up() > 1e6, one::toString));
        share();
        assertEquals(3, stage.told(Type.SHARES_CHANGED));
    }

    @Test
    void thoseThatBeginTogetherDoNotAllTakeTheSameLinks() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint").with(Settings.SUBFLOWS, 1);
        Set<Link> used = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            used.addAll(stage.openAnother("c" + i, 1000 + i).first().path());
        }
        assertEquals(6, used.size(), used::toString);
    }

    @Test
    void aDecisionThatNeedsTheNewestSharesGetsThem() {
        stage.open();
        stage.provisioner.settle();
        assertEquals(10e6, stage.connection().expected().up(), ROUNDING);
        assertEquals(1, stage.told(Type.SHARES_CHANGED));

        stage.openAnother("other", 2000);
        stage.provisioner.settle();
        stage.provisioner.live().forEach(one -> assertFalse(one.expected().equals(Rates.ZERO), one::toString));
    }

    @Test
    void whatChangesWhileSharesAreComputedStaysAsItIs() {
        List<Runnable> computations = new ArrayList<>();
        stage.computing = task -> () -> computations.add(task);
        stage.start();
        Connection gone = stage.open();
        Connection stays = stage.openAnother("stays", 2000);
        Connection moved = stage.openAnother("moved", 3000);
        share();
        assertEquals(1, computations.size(), "it is under way");

        stage.provisioner.close(List.of(gone), Cause.ENDED);
        stage.provisioner.record(stays.withState(ConnectionState.ACTIVE), Type.INSTALLED);
        stage.provisioner.apply(List.of(moved.mapSubflows(one -> one.withoutRoute(SubflowState.DOWN))), Type.REROUTED);
        stage.openAnother("new", 4000);
        share();
        assertEquals(1, computations.size(), "one after the other");
        computations.remove(0).run();
        assertEquals(Optional.empty(), stage.store.get(gone.id()));
        assertTrue(stage.store.get(stays.id()).orElseThrow().expected().up() > 1e6, "only its state has changed");
        assertEquals(ConnectionState.ACTIVE, stage.store.get(stays.id()).orElseThrow().state());
        assertEquals(Rates.ZERO, stage.store.get(moved.id()).orElseThrow().expected());
        assertEquals(Rates.ZERO, stage.store.get(ConnectionId.of("new")).orElseThrow().expected());

        share();
        computations.remove(0).run();
        assertTrue(stage.store.get(ConnectionId.of("new")).orElseThrow().expected().up() > 1e6, "asked for meanwhile");
        double reserved = stage.ledger.allocated(Nets.port(1, 1)) + stage.ledger.allocated(Nets.port(1, 2)) + stage.ledger.allocated(Nets.port(1, 3));
        double expected = stage.provisioner.live().stream().mapToDouble(one -> one.expected().up()).sum();
        assertEquals(expected, reserved, ROUNDING, "for those that live alone");
    }

    @Test
    void whoNeedsSharesAtOnceTakesThoseThatAreUnderWay() {
        List<Runnable> computations = new ArrayList<>();
        stage.computing = task -> () -> computations.add(task);
        stage.start();
        stage.open();
        share();
        stage.openAnother("other", 2000);
        stage.provisioner.settle();
        stage.provisioner.live().forEach(one -> assertTrue(one.expected().up() > 1e6, one::toString));
        List<Connection> before = stage.provisioner.live();
        computations.forEach(Runnable::run);
        assertEquals(before, stage.provisioner.live(), "a late computation finds nothing to do");
    }

    private List<Type> types() {
        return stage.events.stream().map(ConnectionEvent::type).collect(Collectors.toList());
    }

    private void share() {
        List<Runnable> waiting = new ArrayList<>(requests);
        requests.clear();
        waiting.forEach(Runnable::run);
    }
}
