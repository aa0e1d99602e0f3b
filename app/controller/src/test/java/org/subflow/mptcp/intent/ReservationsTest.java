// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.topology.Nets;

class ReservationsTest {
    private static final ConnectionId A = ConnectionId.of("a");
    private static final ConnectionId B = ConnectionId.of("b");
    private static final ConnectPoint PORT = Nets.port(1, 2);
    private static final ConnectPoint OTHER = Nets.port(2, 5);

    private final DefaultApplicationId app = new DefaultApplicationId(7, "org.subflow.mptcp");
    private LedgerResourceService ledger;
    private Reservations reservations;

    @BeforeEach
    void open() {
        ledger = new LedgerResourceService(Nets.CAPACITY);
        reservations = new Reservations(ledger, id -> MptcpIntent.keyOf(app, id));
    }

    @Test
    void aRequestIsReservedOncePerPort() {
        Set<ConnectPoint> refused = reservations.apply(Map.of(A, Map.of(PORT, 6e6, OTHER, 4e6)));

        assertTrue(refused.isEmpty());
        assertEquals(6e6, ledger.allocated(PORT));
        assertEquals(4e6, ledger.allocated(OTHER));
        assertEquals(2, ledger.entries());
    }

    @Test
    void oneIsLoweredBeforeTheOtherIsRaised() {
        reservations.apply(Map.of(A, Map.of(PORT, 10e6)));

        assertTrue(reservations.apply(Map.of(A, Map.of(PORT, 5e6), B, Map.of(PORT, 5e6))).isEmpty());
        assertEquals(10e6, ledger.allocated(PORT));
        assertTrue(ledger.peak() <= Nets.CAPACITY);
    }

    @Test
    void amountsAreRoundedDownToWholeBits() {
        reservations.apply(Map.of(A, Map.of(PORT, 10e6 / 3)));

        assertEquals(3333333, ledger.allocated(PORT));
    }

    @Test
    void aRefusedRaiseIsToldAndKeepsWhatWasHeld() {
        reservations.apply(Map.of(A, Map.of(PORT, 4e6), B, Map.of(PORT, 4e6)));

        assertEquals(Set.of(PORT), reservations.apply(Map.of(A, Map.of(PORT, 9e6, OTHER, 9e6))));
        assertEquals(8e6, ledger.allocated(PORT));
        assertEquals(9e6, ledger.allocated(OTHER));
        assertEquals(Map.of(PORT, 4e6, OTHER, 9e6), reservations.held(A));
    }

    @Test
    void portsWithoutARequestAreReleased() {
        reservations.apply(Map.of(A, Map.of(PORT, 4e6)));
        reservations.apply(Map.of(A, Map.of(OTHER, 4e6)));

        assertEquals(0, ledger.allocated(PORT));
        assertEquals(4e6, ledger.allocated(OTHER));
    }

    @Test
    void tenThousandComingsAndGoingsLeakNothing() {
        Random random = new Random(11);
        List<ConnectPoint> ports = List.of(PORT, OTHER, Nets.port(1, 3), Nets.port(3, 5));
        Map<ConnectionId, Map<ConnectPoint, Double>> live = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            ConnectionId id = ConnectionId.of("c" + random.nextInt(20));
            if (live.remove(id) != null) {
                reservations.release(id);
            } else {
                live.put(id, new HashMap<>());
            }
            double share = live.isEmpty() ? 0 : Nets.CAPACITY / live.size();
            live.values().forEach(amounts -> {
                amounts.clear();
                ports.forEach(port -> amounts.put(port, share));
            });
            assertTrue(reservations.apply(live).isEmpty(), "nothing is refused when the sum fits");
        }
        live.keySet().forEach(reservations::release);

        assertEquals(0, ledger.entries());
        assertTrue(reservations.holders().isEmpty());
        assertTrue(ledger.peak() <= Nets.CAPACITY);
    }
}
