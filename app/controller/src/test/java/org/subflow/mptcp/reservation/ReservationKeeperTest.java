// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onlab.util.Bandwidth;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.Resources;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Requests are written later, and only the newest of each connection. */
class ReservationKeeperTest {
    private static final ConnectionId A = ConnectionId.of("a");
    private static final ConnectionId B = ConnectionId.of("b");
    private static final ConnectPoint PORT = Nets.port(1, 2);

    private final Stage stage = new Stage();
    private final List<Runnable> waiting = new ArrayList<>();
    private long now;
    private final ReservationKeeper keeper =
            new ReservationKeeper(stage.reservations, stage.unreserved, task -> () -> waiting.add(task), stage.clock::nanos);

    @Test
    void nobodyWaits() {
        keeper.request(Map.of(A, Map.of(PORT, 4e6)));
        assertEquals(0, stage.ledger.entries());
        meet();
        assertEquals(4e6, stage.ledger.allocated(PORT));
    }

    @Test
    void onlyTheNewestRequestCounts() {
        keeper.request(Map.of(A, Map.of(PORT, 9e6)));
        keeper.request(Map.of(A, Map.of(PORT, 5e6), B, Map.of(PORT, 5e6)));
        meet();
        assertEquals(10e6, stage.ledger.allocated(PORT));
        assertEquals(10e6, stage.ledger.peak());
    }

    @Test
    void aReleasedConnectionStaysReleasedUntilTheNextRequest() {
        keeper.request(Map.of(A, Map.of(PORT, 4e6)));
        keeper.release(A);
        meet();
        assertEquals(0, stage.ledger.entries());

        keeper.request(Map.of(A, Map.of(PORT, 4e6)));
        meet();
        keeper.release(A);
        keeper.request(Map.of(A, Map.of(PORT, 3e6)));
        meet();
        assertEquals(3e6, stage.ledger.allocated(PORT));
    }

    @Test
    void afterLongChangesOnlyNewMovedAndReleasedReservationsDoNotWait() {
        ConnectPoint other = Nets.port(2, 2);
        ReservationKeeper slow = new ReservationKeeper(stage.reservations, stage.unreserved, task -> () -> waiting.add(task),
                                                       () -> now += TimeUnit.SECONDS.toNanos(1));
        slow.request(Map.of(A, Map.of(PORT, 4e6)));
        meet();
        slow.request(Map.of(A, Map.of(PORT, 3e6), B, Map.of(PORT, 2e6)));
        meet();
        assertEquals(6e6, stage.ledger.allocated(PORT), "the new connection's, and the old amount of the other one");
        slow.request(Map.of(B, Map.of(other, 2e6)));
        meet();
        assertEquals(4e6, stage.ledger.allocated(PORT));
        assertEquals(2e6, stage.ledger.allocated(other));
        slow.release(B);
        meet();
        assertEquals(0, stage.ledger.allocated(other));
        now += TimeUnit.SECONDS.toNanos(10);
        slow.look();
        assertEquals(3e6, stage.ledger.allocated(PORT), "the pause has ended");
    }

    @Test
    void portsWhereNothingIsReservedAnyMoreAreToldOnce() {
        ConnectPoint other = Nets.port(2, 2);
        keeper.request(Map.of(A, Map.of(PORT, 4e6), B, Map.of(PORT, 2e6, other, 2e6)));
        meet();
        keeper.request(Map.of(A, Map.of(other, 4e6)));
        meet();
        assertEquals(Set.of(), keeper.vacated(), "there is another connection at the port");
        keeper.request(Map.of(B, Map.of(other, 2e6)));
        meet();
        assertEquals(Set.of(PORT), keeper.vacated());
        keeper.release(A);
        keeper.release(B);
        meet();
        assertEquals(Set.of(other), keeper.vacated());
        assertEquals(Set.of(), keeper.vacated());
    }

    @Test
    void rulesOfMovedConnectionsComeFirst() {
        keeper.hold();
        keeper.request(Map.of(A, Map.of(PORT, 4e6)));
        keeper.look();
        meet();
        assertEquals(0, stage.ledger.entries());

        keeper.proceed();
        meet();
        assertEquals(4e6, stage.ledger.allocated(PORT));
    }

    @Test
    void aLongChangeStopsForRules() {
        stage.ledger.whenAllocated(() -> keeper.hold());
        keeper.request(Map.of(A, Map.of(PORT, 4e6), B, Map.of(PORT, 2e6)));
        meet();
        assertEquals(1, stage.ledger.entries(), "the other one waits");
        stage.ledger.whenAllocated(() -> { });
        keeper.proceed();
        meet();
        assertEquals(6e6, stage.ledger.allocated(PORT));
    }

    @Test
    void whatIsReleasedWhileItWaitsStaysReleased() {
        stage.ledger.whenAllocated(() -> {
            keeper.hold();
            keeper.release(A);
            keeper.release(B);
        });
        keeper.request(Map.of(A, Map.of(PORT, 4e6), B, Map.of(PORT, 2e6)));
        meet();
        stage.ledger.whenAllocated(() -> { });
        keeper.proceed();
        meet();
        assertEquals(0, stage.ledger.entries());
    }

    @Test
    void rulesThatNeverComeHoldReservationsForAFewSeconds() {
        ReservationKeeper held = new ReservationKeeper(stage.reservations, stage.unreserved, task -> () -> waiting.add(task),
                                                       () -> now);
        held.hold();
        held.request(Map.of(A, Map.of(PORT, 4e6)));
        now += TimeUnit.SECONDS.toNanos(3);
        held.look();
        assertEquals(0, stage.ledger.entries());
        now += TimeUnit.SECONDS.toNanos(2);
        held.look();
        assertEquals(4e6, stage.ledger.allocated(PORT));
    }

    @Test
    void aStoreThatDidNotAnswerIsAskedAgainWithoutAPause() {
        ReservationKeeper slow = new ReservationKeeper(stage.reservations, stage.unreserved, task -> () -> waiting.add(task),
                                                       () -> now += TimeUnit.SECONDS.toNanos(5));
        stage.ledger.timeOut(0, 1, false);
        slow.request(Map.of(A, Map.of(PORT, 4e6)));
        meet();
        assertEquals(0, stage.ledger.allocated(PORT));
        slow.look();
        assertEquals(4e6, stage.ledger.allocated(PORT));
    }

    @Test
    void afterALossRefusedRequestsAreRepeatedWithoutAPause() {
        ReservationKeeper next = new ReservationKeeper(stage.reservations, stage.unreserved, task -> () -> waiting.add(task),
                                                       () -> now += TimeUnit.SECONDS.toNanos(1));
        next.mayBeLocked();
        next.request(Map.of(A, Map.of(PORT, 11e6)));
        meet();
        int refusals = stage.ledger.refusals();
        next.tryLocked();
        assertTrue(stage.ledger.refusals() > refusals, "a new try at once");
        now += TimeUnit.SECONDS.toNanos(60);
        int later = stage.ledger.refusals();
        next.tryLocked();
        assertEquals(later, stage.ledger.refusals(), "no lock lasts so long");
    }

    @Test
    void aRefusedIncreaseIsNoMovedReservationAndWaits() {
        ReservationKeeper slow = new ReservationKeeper(stage.reservations, stage.unreserved, task -> () -> waiting.add(task),
                                                       () -> now += TimeUnit.SECONDS.toNanos(1));
        slow.request(Map.of(A, Map.of(PORT, 11e6)));
        meet();
        int refusals = stage.ledger.refusals();
        slow.request(Map.of(A, Map.of(PORT, 12e6)));
        meet();
        assertEquals(refusals, stage.ledger.refusals(), "no new try in the pause");
        now += TimeUnit.SECONDS.toNanos(10);
        slow.look();
        assertTrue(stage.ledger.refusals() > refusals, "a new try after it");
    }

    @Test
    void whatIsRefusedIsHadOnceThePortIsInTheBooks() {
        stage.ledger.register(false);
        keeper.request(Map.of(A, Map.of(PORT, 4e6), B, Map.of(PORT, 2e6)));
        meet();
        assertEquals(0, stage.ledger.entries());
        assertEquals(Map.of(), keeper.booked());
        stage.ledger.register(true);
        keeper.tryAgain();
        assertEquals(6e6, stage.ledger.allocated(PORT));
        assertEquals(Map.of(PORT, 6e6), keeper.booked());
    }

    @Test
    void whatIsRefusedIsAskedForAtTheNextLookAndThenLessAndLessOften() {
        keeper.request(Map.of(A, Map.of(PORT, 11e6)));
        meet();
        List<Integer> tries = new ArrayList<>();
        for (int look = 1; look <= 40; look++) {
            int before = stage.ledger.refusals();
            keeper.look();
            if (stage.ledger.refusals() > before) {
                tries.add(look);
            }
        }
        assertEquals(List.of(1, 3, 7, 15, 31), tries);
    }

    @Test
    void aNewerRequestReplacesARefusedOne() {
        keeper.request(Map.of(A, Map.of(PORT, 11e6)));
        meet();
        keeper.request(Map.of(A, Map.of(PORT, 3e6)));
        meet();
        keeper.tryAgain();
        keeper.look();
        assertEquals(3e6, stage.ledger.allocated(PORT));
    }

    @Test
    void nothingIsAskedForAConnectionThatWasReleased() {
        stage.ledger.register(false);
        keeper.request(Map.of(A, Map.of(PORT, 4e6)));
        meet();
        keeper.release(A);
        meet();
        stage.ledger.register(true);
        keeper.tryAgain();
        keeper.look();
        assertEquals(0, stage.ledger.entries());
    }

    @Test
    void whatATimeoutInterruptedIsPutBackAtTheNextLook() {
        keeper.request(Map.of(A, Map.of(PORT, 6e6), B, Map.of(PORT, 4e6)));
        meet();
        stage.ledger.timeOut(0, 2, true);
        keeper.release(B);
        keeper.request(Map.of(A, Map.of(PORT, 9e6)));
        meet();

        keeper.look();
        assertEquals(9e6, stage.ledger.allocated(PORT));
        assertEquals(Map.of(PORT, 9e6), keeper.booked());
    }

    @Test
    void whileTheStoreDoesNotSayWhatOthersHaveItsLastWordHoldsAndRefusedRequestsAreRepeated() {
        Key another = Key.of("another", new DefaultApplicationId(8, "another"));
        stage.ledger.allocate(another, List.of(Resources.continuous(PORT.deviceId(), PORT.port(), Bandwidth.class)
                .resource(7e6)));
        keeper.look();
        keeper.request(Map.of(A, Map.of(PORT, 4e6)));
        meet();
        int refusals = stage.ledger.refusals();
        stage.ledger.fallSilent(true);
        keeper.look();
        assertTrue(stage.ledger.refusals() > refusals);
        assertEquals(3e6, stage.unreserved.snapshot().capacity(stage.unreserved.snapshot().links().stream()
                .filter(link -> link.src().equals(PORT)).findFirst().orElseThrow()));
    }

    private void meet() {
        List<Runnable> now = List.copyOf(waiting);
        waiting.clear();
        now.forEach(Runnable::run);
    }
}
