// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Loops that a node stops because it may not decide any more. */
class LoopsTest {
    private final Loops loops = new Loops(LoggerFactory.getLogger(LoopsTest.class), SteadyClock.SYSTEM);
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final CountDownLatch blocked = new CountDownLatch(3);
    private final CountDownLatch interrupted = new CountDownLatch(2);
    private final CountDownLatch store = new CountDownLatch(1);

    @Test
    void tasksThatWaitForAStoreAreInterruptedAndThoseBehindThemDropped() throws InterruptedException {
        List<ControlLoop> those = List.of(loops.decisions, loops.bookings, loops.journal);
        for (ControlLoop loop : those) {
            loop.execute(this::waitForAStore);
            loop.execute(() -> seen.add("a task behind it"));
        }
        assertTrue(blocked.await(10, TimeUnit.SECONDS));
        long begun = System.nanoTime();
        loops.cancel();
        assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(10), "it waited for each");
        assertTrue(interrupted.await(10, TimeUnit.SECONDS));
        store.countDown();
        for (ControlLoop loop : those) {
            loop.join(10_000);
            assertFalse(loop.execute(() -> seen.add("a late task")));
        }
        assertEquals(List.of("the store has answered"), seen, "half a transaction would lock ports");
    }

    @Test
    void tasksThatFailCountWhicheverLoopTheyRunOn() throws InterruptedException {
        List<ControlLoop> all = List.of(loops.decisions, loops.bookings, loops.journal, loops.estimates, loops.plans,
                                        loops.questions);
        long before = failed();
        CountDownLatch done = new CountDownLatch(all.size());
        for (ControlLoop loop : all) {
            loop.execute(() -> {
                throw new IllegalStateException("on purpose");
            });
            loop.execute(done::countDown);
        }
        assertTrue(done.await(10, TimeUnit.SECONDS));
        assertEquals(all.size(), failed() - before);
        loops.stop();
    }

    private long failed() {
        return loops.counters().get("control-loop.failed");
    }

    private void waitForAStore() {
        blocked.countDown();
        try {
            store.await();
            seen.add("the store has answered");
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw new IllegalStateException(e);
        }
    }
}
