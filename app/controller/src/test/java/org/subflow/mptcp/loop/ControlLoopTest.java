// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the loop runs what it is given. */
class ControlLoopTest {
    private final ControlLoop loop = new ControlLoop(Thread::new, 10);

    @AfterEach
    void stop() {
        loop.stop();
    }

    @Test
    void aSpacedTaskRunsAtOnceAndThenNotAgainBeforeItsTime() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(1);
        ControlLoop other = new ControlLoop(Thread::new, 10);
        Runnable trigger = other.spaced(500, () -> {
            runs.incrementAndGet();
            ran.countDown();
        });
        trigger.run();
        assertTrue(ran.await(10, TimeUnit.SECONDS));
        for (int pull = 0; pull < 100; pull++) {
            trigger.run();
        }
        // What waits is run before it stops.
        other.stop();
        assertEquals(2, runs.get());
    }

    @Test
    void aSpacedTaskTriggeredWhileItRunsKeepsItsPause() throws InterruptedException {
        List<Long> begun = new CopyOnWriteArrayList<>();
        CountDownLatch ranTwice = new CountDownLatch(2);
        AtomicReference<Runnable> trigger = new AtomicReference<>();
        trigger.set(loop.spaced(200, () -> {
            begun.add(System.nanoTime());
            if (begun.size() == 1) {
                trigger.get().run();
            }
            ranTwice.countDown();
        }));
        trigger.get().run();
        assertTrue(ranTwice.await(10, TimeUnit.SECONDS));
        assertTrue(begun.get(1) - begun.get(0) >= TimeUnit.MILLISECONDS.toNanos(200), () -> "nanoseconds: " + begun);
    }

    @Test
    void aStoppingLoopRunsASpacedTaskWithoutItsPause() throws InterruptedException {
        ControlLoop other = new ControlLoop(Thread::new, Integer.MAX_VALUE);
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch running = new CountDownLatch(1);
        AtomicReference<Runnable> trigger = new AtomicReference<>();
        trigger.set(other.spaced(TimeUnit.HOURS.toMillis(1), () -> {
            if (runs.incrementAndGet() == 1) {
                trigger.get().run();
                running.countDown();
                while (other.execute(() -> { })) {
                    Thread.onSpinWait();
                }
            }
        }));
        trigger.get().run();
        assertTrue(running.await(10, TimeUnit.SECONDS));
        other.stop();
        assertEquals(2, runs.get());
    }

    @Test
    void aFailureDoesNotEndASpacedTask() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(2);
        Runnable trigger = loop.spaced(1, () -> {
            ran.countDown();
            throw new IllegalStateException("for the test");
        });
        long end = System.currentTimeMillis() + 10_000;
        while (ran.getCount() > 0 && System.currentTimeMillis() < end) {
            trigger.run();
            Thread.onSpinWait();
        }
        assertEquals(0, ran.getCount());
    }

    @Test
    void aGuardLetsOnlyTheLoopsThreadThrough() {
        LoopGuard guard = LoopGuard.of(loop);
        assertThrows(IllegalStateException.class, guard::check);
        assertTrue(loop.ask(() -> {
            guard.check();
            return true;
        }, 10_000));
        LoopGuard.NONE.check();
    }
}
