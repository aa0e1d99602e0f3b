// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Policy;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.connection.Stage;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;

/** Whose a five-tuple is, while connections change. */
class ConnectionStoreTest {
    private static final FiveTuple FIRST = Stage.tuple("10.0.0.1", 1000);
    private static final FiveTuple SECOND = Stage.tuple("10.0.0.11", 1001);

    private final ConnectionStore store = new ConnectionStore(new HashMap<>(), task -> () -> { }, LoopGuard.NONE);
    private final Connection opened = Connection.opened(Stage.ID, 1, Token.of(1), Token.of(2),
            Terms.of(Policy.STANDARD, Settings.builder().build()), 0, subflow(FIRST));

    @Test
    void aSubflowThatTheConnectionNoLongerHasIsNobodys() {
        store.put(opened.withSubflow(subflow(SECOND)));
        assertEquals(Optional.of(Stage.ID), store.owner(SECOND.reversed()));

        store.put(opened);
        assertEquals(Optional.empty(), store.owner(SECOND));
        assertEquals(Optional.of(Stage.ID), store.owner(FIRST));
        store.remove(Stage.ID);
        assertEquals(Optional.empty(), store.owner(FIRST));
    }

    /** The tracking thread would take a packet of it for one of plain TCP. */
    @Test
    void aLivingSubflowIsSomebodysAtAnyMomentWhileSharesChange() throws InterruptedException {
        store.put(opened);
        AtomicLong lost = new AtomicLong();
        AtomicBoolean ended = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Thread tracking = new Thread(() -> {
            while (!ended.get()) {
                lost.addAndGet(store.owner(FIRST).isPresent() ? 0 : 1);
                begun.countDown();
            }
        });
        tracking.start();
        begun.await();
        for (int share = 0; share < 20_000; share++) {
            store.put(opened.withSubflows(List.of(opened.first().withExpected(Rates.of(share, share)))));
        }
        ended.set(true);
        tracking.join();
        assertEquals(0, lost.get());
    }

    private static Subflow subflow(FiveTuple tuple) {
        return Subflow.unrouted(tuple, true, false, Nets.edge(1), Nets.edge(5));
    }
}
