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
import org.onlab.util.Bandwidth;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.ResourceConsumerId;
import org.onosproject.net.resource.Resources;
import org.onosproject.store.service.StorageException;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.topology.Nets;

class ReservationsTest {
    private static final ConnectionId A = ConnectionId.of("a");
    private static final ConnectionId B = ConnectionId.of("b");
    private static final ConnectionId C = ConnectionId.of("c");
    private static final ConnectPoint PORT = Nets.port(1, 2);
    private static final ConnectPoint OTHER = Nets.port(2, 5);

    private LedgerResourceService ledger;
    private Reservations reservations;
    private Runnable mayWrite = () -> { };
    /** By the last change. */
    private final Set<ConnectPoint> refused = new HashSet<>();

    @BeforeEach
    void open() {
        ledger = new LedgerResourceService(Nets.CAPACITY);
        startAgain();
    }

    @Test
    void aRequestIsReservedOncePerPort() {
        assertDone(apply(Map.of(A, Map.of(PORT, 6e6, OTHER, 4e6))));

        assertEquals(6e6, ledger.allocated(PORT));
        assertEquals(4e6, ledger.allocated(OTHER));
        assertEquals(2, ledger.entries());
    }

    @Test
    void oneIsLoweredBeforeTheOtherIsRaised() {
        apply(Map.of(A, Map.of(PORT, 10e6)));

        assertDone(apply(Map.of(A, Map.of(PORT, 5e6), B, Map.of(PORT, 5e6))));
        assertEquals(10e6, ledger.allocated(PORT));
        assertTrue(ledger.peak() <= Nets.CAPACITY);
    }

    @Test
    void aNodeThatMayNotDecideChangesNothing() {
        apply(Map.of(A, Map.of(PORT, 6e6)));
        mayWrite = () -> {
            throw new IllegalStateException("another node leads");
        };
        apply(Map.of(A, Map.of(PORT, 4e6), B, Map.of(PORT, 1e6)));
        // After an error it does not know any more what ONOS has, and would take it for left over.
        assertThrows(IllegalStateException.class, () -> reservations.others(Set.of(PORT)));
        assertEquals(6e6, ledger.allocated(PORT));
    }

    @Test
    void amountsAreRoundedDownToWholeBits() {
        apply(Map.of(A, Map.of(PORT, 10e6 / 3)));

        assertEquals(3333333, ledger.allocated(PORT));
    }

    @Test
    void portsWithoutARequestAreReleased() {
        apply(Map.of(A, Map.of(PORT, 4e6)));
        apply(Map.of(A, Map.of(OTHER, 4e6)));

        assertEquals(0, ledger.allocated(PORT));
        assertEquals(4e6, ledger.allocated(OTHER));
    }

    /** Its connection was never written to the store, so nobody would release it. */
    @Test
    void whatAnEarlierRunReservedForNobodyIsReleasedAndNotTakenForOthers() {
        apply(Map.of(A, Map.of(PORT, 9e6, OTHER, 9e6)));
        Key another = Key.of("another", new DefaultApplicationId(8, "another"));
        ledger.allocate(another, List.of(
                Resources.continuous(PORT.deviceId(), PORT.port(), Bandwidth.class).resource(1e6)));

        startAgain();
        assertEquals(Map.of(PORT, 1e6), reservations.others(List.of(PORT, OTHER)));
        assertEquals(1, ledger.entries());
    }

    @Test
    void whatAnEarlierRunReservedIsReleasedBeforeTheFirstReservation() {
        apply(Map.of(A, Map.of(PORT, 9e6), B, Map.of(OTHER, 3e6)));

        startAgain();
        assertDone(apply(Map.of(B, Map.of(PORT, 8e6))));
        assertEquals(8e6, ledger.allocated(PORT));
        assertEquals(3e6, ledger.allocated(OTHER), "nobody has looked there yet");
        assertDone(apply(Map.of(B, Map.of(PORT, 8e6, OTHER, 10e6))));
        assertEquals(2, ledger.entries());
    }

    @Test
    void aReleaseThatTimesOutIsMadeUpForAtTheNextLook() {
        apply(Map.of(A, Map.of(PORT, 6e6)));
        ledger.timeOut(0, 1, false);
        assertThrows(StorageException.class, () -> reservations.release(List.of(A)));

        assertEquals(Map.of(), reservations.others(List.of(PORT)));
        assertEquals(0, ledger.entries());
    }

    /** ONOS refuses to release what it does not have as it was made, all together. */
    @Test
    void whatIsReleasedBesideAPortThatHasGoneIsReleasedAllTheSame() {
        apply(Map.of(A, Map.of(PORT, 6e6, OTHER, 6e6)));
        ledger.drop(OTHER);
        assertDone(apply(Map.of(A, Map.of(PORT, 3e6, OTHER, 3e6))));
        assertEquals(3e6, ledger.allocated(PORT));
        assertEquals(3e6, ledger.allocated(OTHER));

        ledger.drop(PORT);
        reservations.release(List.of(A));
        assertEquals(0, ledger.entries());
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
    void aRefusedRaiseIsToldAndLeavesTheOldSum() {
        apply(Map.of(A, Map.of(PORT, 4e6), B, Map.of(PORT, 4e6)));

        assertEquals(Reservations.Outcome.DONE, apply(Map.of(A, Map.of(PORT, 9e6, OTHER, 9e6))));
        assertEquals(Set.of(PORT), refused);
        assertEquals(8e6, ledger.allocated(PORT));
        assertEquals(9e6, ledger.allocated(OTHER));
        assertDone(apply(Map.of(B, Map.of(PORT, 1e6))));
        assertEquals(10e6, ledger.allocated(PORT), "there is room for A now");
    }

    @Test
    void whatEndedWithATimeoutIsNotKnownUntilTheNextChange() {
        for (boolean isInTime : new boolean[] {true, false}) {
            for (int calls = 0; calls < 3; calls++) {
                open();
                apply(Map.of(A, Map.of(PORT, 6e6), B, Map.of(PORT, 4e6)));
                ledger.timeOut(calls, 1, isInTime);
                Map<ConnectionId, Map<ConnectPoint, Double>> next = Map.of(A, Map.of(PORT, 2e6, OTHER, 8e6), B, Map.of(PORT, 7e6));
                assertEquals(Reservations.Outcome.INTERRUPTED, apply(next), "call " + calls);

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
    void anErrorEndsTheChange() {
        ledger.timeOut(0, 2, false);
        assertEquals(Reservations.Outcome.INTERRUPTED, apply(Map.of(A, Map.of(PORT, 1e5), B, Map.of(OTHER, 1e5))));
        assertEquals(1, ledger.timeouts(), "each may last as long as a time-out");
    }

    @Test
    void whoComesToAPortThatHasRefusedIsRefusedTooAndGetsItsPartOnceThereIsRoom() {
        apply(Map.of(A, Map.of(PORT, 11e6)));
        assertEquals(Set.of(PORT), refused);
        apply(Map.of(C, Map.of(OTHER, 1e6)));
        assertEquals(Set.of(), refused, "another port");
        apply(Map.of(B, Map.of(PORT, 2e6)));
        assertEquals(Set.of(PORT), refused);
        assertDone(apply(Map.of(A, Map.of(OTHER, 9e6))));
        assertEquals(2e6, ledger.allocated(PORT));
    }

    @Test
    void nothingChangesOnceTheCallerWantsToStop() {
        apply(Map.of(A, Map.of(PORT, 6e6)));
        Map<ConnectionId, Map<ConnectPoint, Double>> next = Map.of(A, Map.of(PORT, 1e6), B, Map.of(PORT, 1e6));
        assertEquals(Reservations.Outcome.POSTPONED, reservations.apply(next, () -> true, refused));
        assertEquals(6e6, ledger.allocated(PORT));
    }

    /** An earlier version had a consumer for each connection. */
    @Test
    void whatAnEarlierVersionReservedForEachConnectionIsReleased() {
        ledger.allocate(() -> ResourceConsumerId.of(17L, ReservationHolder.class), List.of(
                Resources.continuous(PORT.deviceId(), PORT.port(), Bandwidth.class).resource(9e6)));
        assertDone(apply(Map.of(A, Map.of(PORT, 10e6))));
        assertEquals(1, ledger.entries());
    }

    @Test
    void tenThousandComingsAndGoingsLeakNothing() {
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
            assertTrue(ledger.entries() <= ports.size());
        }
        reservations.release(new HashSet<>(live.keySet()));

        assertEquals(0, ledger.entries());
        assertTrue(reservations.holders().isEmpty());
        assertTrue(ledger.peak() <= Nets.CAPACITY);
    }

    private static double wanted(Map<ConnectionId, Map<ConnectPoint, Double>> live, ConnectPoint port) {
        return live.values().stream().mapToDouble(amounts -> Math.floor(amounts.getOrDefault(port, 0.0))).sum();
    }

    private void assertDone(Reservations.Outcome outcome) {
        assertEquals(Set.of(), refused);
        assertEquals(Reservations.Outcome.DONE, outcome);
    }

    private void startAgain() {
        reservations = new Reservations(ledger, () -> mayWrite.run());
    }

    private Reservations.Outcome apply(Map<ConnectionId, Map<ConnectPoint, Double>> requested) {
        refused.clear();
        return reservations.apply(requested, () -> false, refused);
    }
}
