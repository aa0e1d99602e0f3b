// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
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
        stage.tick(1000);
        stage.provisioner.live().forEach(one -> assertFalse(one.expected().equals(Rates.ZERO), one::toString));
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
