// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
}
