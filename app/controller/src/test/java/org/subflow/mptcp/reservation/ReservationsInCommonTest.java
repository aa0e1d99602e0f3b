// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.store.service.StorageException;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.topology.Nets;

/** Connections that come when others have all the reservations of their own share one per port. */
class ReservationsInCommonTest {
    private static final ConnectionId A = ConnectionId.of("a");
    private static final ConnectionId B = ConnectionId.of("b");
    private static final ConnectionId C = ConnectionId.of("c");
    private static final ConnectPoint PORT = Nets.port(1, 2);
    private static final ConnectPoint OTHER = Nets.port(2, 5);

    private final DefaultApplicationId app = new DefaultApplicationId(7, "org.subflow.mptcp");
    private LedgerResourceService ledger;
    private Reservations reservations;

    @BeforeEach
    void open() {
        ledger = new LedgerResourceService(Nets.CAPACITY);
        startAgain(0);
    }

    @Test
    void aPortHasOneReservationWithTheSum() {
        assertDone(apply(Map.of(A, Map.of(PORT, 2e6, OTHER, 1e6), B, Map.of(PORT, 3e6 + .7))));

        assertEquals(5e6, ledger.allocated(PORT));
        assertEquals(1e6, ledger.allocated(OTHER));
        assertEquals(2, ledger.entries());
        assertEquals(Map.of(PORT, 3e6), reservations.held(B));
        assertEquals(Map.of(PORT, 5e6, OTHER, 1e6), reservations.total());
    }

    @Test
    void thoseWithReservationsOfTheirOwnKeepThem() {
        startAgain(1);
        apply(Map.of(A, Map.of(PORT, 2e6)));
        apply(Map.of(B, Map.of(PORT, 2e6), C, Map.of(PORT, 2e6)));
        assertEquals(2, ledger.entries());
        assertDone(apply(Map.of(A, Map.of(PORT, 4e6))));
        assertEquals(8e6, ledger.allocated(PORT));

        reservations.release(List.of(A));
        apply(Map.of(B, Map.of(PORT, 1e6)));
        assertEquals(1, ledger.entries(), "B stays with C");
        assertEquals(3e6, ledger.allocated(PORT));
    }

    @Test
    void whoGoesTakesItsPartAlong() {
        apply(Map.of(A, Map.of(PORT, 2e6), B, Map.of(PORT, 3e6, OTHER, 3e6)));
        reservations.release(List.of(B));
        assertEquals(2e6, ledger.allocated(PORT));
        assertEquals(0, ledger.allocated(OTHER));

        assertDone(apply(Map.of(A, Map.of())));
        assertEquals(0, ledger.entries());
        assertTrue(reservations.holders().isEmpty());
    }

    @Test
    void atALostPortAllPartsAreReleased() {
        startAgain(1);
        apply(Map.of(A, Map.of(PORT, 2e6)));
        apply(Map.of(B, Map.of(PORT, 1e6), C, Map.of(PORT, 2e6, OTHER, 3e6)));
        assertEquals(Map.of(A, Map.of(PORT, 2e6), B, Map.of(PORT, 1e6), C, Map.of(PORT, 2e6, OTHER, 3e6)),
                     reservations.releaseAt(PORT::equals));
        assertEquals(0, ledger.allocated(PORT));
        assertEquals(Map.of(OTHER, 3e6), reservations.total());
        assertEquals(Set.of(C), reservations.holders());
        assertDone(apply(Map.of(B, Map.of(PORT, 1e6))));
        assertEquals(1e6, ledger.allocated(PORT));
    }

    @Test
    void aRefusedRaiseIsToldAndLeavesTheOldSum() {
        apply(Map.of(A, Map.of(PORT, 4e6), B, Map.of(PORT, 4e6)));

        assertEquals(Set.of(PORT), apply(Map.of(A, Map.of(PORT, 9e6, OTHER, 9e6))).refused());
        assertEquals(8e6, ledger.allocated(PORT));
        assertEquals(9e6, ledger.allocated(OTHER));
        assertDone(apply(Map.of(B, Map.of(PORT, 1e6))));
        assertEquals(10e6, ledger.allocated(PORT), "there is room for A now");
    }

    @Test
    void whatAnEarlierRunReservedIsReleasedBeforeTheFirstReservation() {
        apply(Map.of(A, Map.of(PORT, 9e6), B, Map.of(OTHER, 3e6)));

        startAgain(0);
        assertDone(apply(Map.of(B, Map.of(PORT, 8e6))));
        assertEquals(8e6, ledger.allocated(PORT));
        assertEquals(Map.of(), reservations.others(List.of(PORT, OTHER)));
        assertEquals(1, ledger.entries());
    }

    @Test
    void whatEndedWithATimeoutIsNotKnownUntilTheNextChange() {
        for (boolean isInTime : new boolean[] {true, false}) {
            for (int calls = 0; calls < 3; calls++) {
                open();
                apply(Map.of(A, Map.of(PORT, 6e6), B, Map.of(PORT, 4e6)));
                ledger.timeOut(calls, 1, isInTime);
                Map<ConnectionId, Map<ConnectPoint, Double>> next = Map.of(A, Map.of(PORT, 2e6, OTHER, 8e6), B, Map.of(PORT, 7e6));
                assertEquals(Set.of(A, B), apply(next).interrupted(), "call " + calls);

                assertDone(apply(next));
                assertEquals(9e6, ledger.allocated(PORT));
                assertEquals(8e6, ledger.allocated(OTHER));
                assertEquals(2, ledger.entries());
            }
        }
    }

    @Test
    void aReleaseThatTimesOutIsMadeUpForByTheNextChange() {
        for (int calls = 0; calls < 2; calls++) {
            open();
            apply(Map.of(A, Map.of(PORT, 6e6), B, Map.of(PORT, 3e6)));
            ledger.timeOut(calls, 1, true);
            assertThrows(StorageException.class, () -> reservations.release(List.of(A)));

            assertDone(apply(Map.of(C, Map.of(OTHER, 1e6))));
            assertEquals(3e6, ledger.allocated(PORT));
            assertEquals(2, ledger.entries());
        }
    }

    @Test
    void nothingChangesOnceTheCallerWantsToStop() {
        apply(Map.of(A, Map.of(PORT, 6e6)));
        Reservations.Outcome outcome = reservations.apply(Map.of(A, Map.of(PORT, 1e6), B, Map.of(PORT, 1e6)), () -> true);
        assertEquals(Set.of(A, B), outcome.postponed());
        assertEquals(6e6, ledger.allocated(PORT));
    }

    @Test
    void tenThousandComingsAndGoingsLeakNothing() {
        startAgain(5);
        Random random = new Random(11);
        List<ConnectPoint> ports = List.of(PORT, OTHER, Nets.port(1, 3), Nets.port(3, 5));
        Map<ConnectionId, Map<ConnectPoint, Double>> live = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            ConnectionId id = ConnectionId.of("c" + random.nextInt(20));
            if (live.remove(id) != null) {
                reservations.release(List.of(id));
            } else {
                live.put(id, new HashMap<>());
            }
            double share = live.isEmpty() ? 0 : Nets.CAPACITY / live.size();
            live.values().forEach(amounts -> {
                amounts.clear();
                ports.stream().filter(port -> random.nextInt(3) > 0).forEach(port -> amounts.put(port, share));
            });
            assertDone(apply(live));
            ports.forEach(port -> assertEquals(wanted(live, port), ledger.allocated(port)));
            assertTrue(ledger.entries() <= 6 * ports.size());
        }
        reservations.release(new HashSet<>(live.keySet()));

        assertEquals(0, ledger.entries());
        assertTrue(reservations.holders().isEmpty());
        assertTrue(ledger.peak() <= Nets.CAPACITY);
    }

    private static double wanted(Map<ConnectionId, Map<ConnectPoint, Double>> live, ConnectPoint port) {
        return live.values().stream().mapToDouble(amounts -> Math.floor(amounts.getOrDefault(port, 0.0))).sum();
    }

    private static void assertDone(Reservations.Outcome outcome) {
        assertEquals(Set.of(), outcome.refused());
        assertEquals(Set.of(), outcome.interrupted());
    }

    private void startAgain(int mostOwn) {
        reservations = new Reservations(ledger, id -> MptcpIntent.keyOf(app, id), () -> { }, mostOwn);
    }

    private Reservations.Outcome apply(Map<ConnectionId, Map<ConnectPoint, Double>> requested) {
        return reservations.apply(requested, () -> false);
    }
}
