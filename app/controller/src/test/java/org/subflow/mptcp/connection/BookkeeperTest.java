// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.topology.Nets;

/** Wishes are met later, the newest of each connection alone. */
class BookkeeperTest {
    private static final ConnectionId A = ConnectionId.of("a");
    private static final ConnectionId B = ConnectionId.of("b");
    private static final ConnectPoint PORT = Nets.port(1, 2);

    private final Stage stage = new Stage();
    private final List<Runnable> waiting = new ArrayList<>();
    private final Bookkeeper bookkeeper =
            new Bookkeeper(stage.reservations, stage.left, task -> () -> waiting.add(task));

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void nobodyWaits() {
        bookkeeper.want(Map.of(A, Map.of(PORT, 4e6)));
        assertEquals(0, stage.ledger.entries());
        meet();
        assertEquals(4e6, stage.ledger.allocated(PORT));
    }

    @Test
    void onlyTheNewestWishCounts() {
        bookkeeper.want(Map.of(A, Map.of(PORT, 9e6)));
        bookkeeper.want(Map.of(A, Map.of(PORT, 5e6), B, Map.of(PORT, 5e6)));
        meet();
        assertEquals(10e6, stage.ledger.allocated(PORT));
        assertEquals(10e6, stage.ledger.peak());
    }

    @Test
    void whatIsReleasedStaysReleasedUntilMoreIsWanted() {
        bookkeeper.want(Map.of(A, Map.of(PORT, 4e6)));
        bookkeeper.release(A);
        meet();
        assertEquals(0, stage.ledger.entries());

        bookkeeper.want(Map.of(A, Map.of(PORT, 4e6)));
        meet();
        bookkeeper.release(A);
        bookkeeper.want(Map.of(A, Map.of(PORT, 3e6)));
        meet();
        assertEquals(3e6, stage.ledger.allocated(PORT));
    }

    @Test
    void whatIsRefusedIsHadOnceThePortIsInTheBooks() {
        stage.ledger.register(false);
        bookkeeper.want(Map.of(A, Map.of(PORT, 4e6), B, Map.of(PORT, 2e6)));
        meet();
        assertEquals(0, stage.ledger.entries());
        assertEquals(Map.of(), bookkeeper.booked());
        stage.ledger.register(true);
        bookkeeper.tryAgain();
        assertEquals(6e6, stage.ledger.allocated(PORT));
        assertEquals(Map.of(PORT, 6e6), bookkeeper.booked());
    }

    @Test
    void whatIsRefusedIsAskedForAtTheNextLookAndThenLessAndLessOften() {
        bookkeeper.want(Map.of(A, Map.of(PORT, 11e6)));
        meet();
        List<Integer> tries = new ArrayList<>();
        for (int look = 1; look <= 40; look++) {
            int before = stage.ledger.refusals();
            bookkeeper.look();
            if (stage.ledger.refusals() > before) {
                tries.add(look);
            }
        }
        assertEquals(List.of(1, 3, 7, 15, 31), tries);
    }

    @Test
    void aNewerWishTakesThePlaceOfARefusedOne() {
        bookkeeper.want(Map.of(A, Map.of(PORT, 11e6)));
        meet();
        bookkeeper.want(Map.of(A, Map.of(PORT, 3e6)));
        meet();
        bookkeeper.tryAgain();
        bookkeeper.look();
        assertEquals(3e6, stage.ledger.allocated(PORT));
    }

    @Test
    void nothingIsAskedForAConnectionThatWasReleased() {
        stage.ledger.register(false);
        bookkeeper.want(Map.of(A, Map.of(PORT, 4e6)));
        meet();
        bookkeeper.release(A);
        meet();
        stage.ledger.register(true);
        bookkeeper.tryAgain();
        bookkeeper.look();
        assertEquals(0, stage.ledger.entries());
    }

    private void meet() {
        waiting.forEach(Runnable::run);
        waiting.clear();
    }
}
