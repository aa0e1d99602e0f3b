// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
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
    private final ControlLoop loop = new ControlLoop(Thread::new, 10, System::nanoTime);

    @AfterEach
    void stop() {
        loop.stop();
    }

    @Test
    void itTellsHowLongItsTasksHaveRun() {
        long begin = System.nanoTime();
        assertEquals(0, loop.busyNanos());
        loop.ask(() -> {
            while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(30)) {
                Thread.onSpinWait();
            }
            return true;
        }, 10_000);
        loop.stop();
        assertTrue(loop.busyNanos() > 0);
        assertTrue(loop.busyNanos() <= System.nanoTime() - begin);
    }

    @Test
    void aSpacedTaskRunsAtOnceAndThenNotAgainBeforeItsTime() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(1);
        ControlLoop other = new ControlLoop(Thread::new, 10, System::nanoTime);
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
    void aRepeatedTaskThatTakesLongLeavesTheLoopToOthers() throws InterruptedException {
        long work = TimeUnit.MILLISECONDS.toNanos(30);
        List<Long> begun = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(3);
        loop.every(100, () -> {
            begun.add(System.nanoTime());
            while (System.nanoTime() - begun.get(begun.size() - 1) < work) {
                Thread.onSpinWait();
            }
            done.countDown();
        });
        assertTrue(done.await(10, TimeUnit.SECONDS));
        assertTrue(begun.get(1) - begun.get(0) >= 10 * work, () -> begun.get(1) - begun.get(0) + " ns");
    }

    @Test
    void aRestedTaskPausesForFourTimesAsLongAsItTook() throws InterruptedException {
        long work = TimeUnit.MILLISECONDS.toNanos(40);
        List<Long> begun = new CopyOnWriteArrayList<>();
        CountDownLatch ranTwice = new CountDownLatch(2);
        AtomicReference<Runnable> trigger = new AtomicReference<>();
        trigger.set(loop.rested(Urgency.CHORE, 0, loop, () -> {
            begun.add(System.nanoTime());
            trigger.get().run();
            while (System.nanoTime() - begun.get(begun.size() - 1) < work) {
                Thread.onSpinWait();
            }
            ranTwice.countDown();
        }));
        trigger.get().run();
        assertTrue(ranTwice.await(10, TimeUnit.SECONDS));
        assertTrue(begun.get(1) - begun.get(0) >= 5 * work, () -> "nanoseconds: " + begun);
    }

    @Test
    void aClearedLoopForgetsWhatWaits() throws InterruptedException {
        CountDownLatch free = block(loop);
        List<String> ran = new CopyOnWriteArrayList<>();
        loop.execute(() -> ran.add("before"));
        loop.clear();
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(done::countDown);
        free.countDown();
        assertTrue(done.await(10, TimeUnit.SECONDS));
        assertEquals(List.of(), ran);
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
        ControlLoop other = new ControlLoop(Thread::new, Integer.MAX_VALUE, System::nanoTime);
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
    void aFullLoopRefusesTasksAndForgetsNoTrigger() throws InterruptedException {
        CountDownLatch free = block(loop);
        List<String> ran = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(43);
        Runnable shares = loop.coalesced(Urgency.SHARES, () -> note("shares", ran, done));
        Runnable news = loop.spaced(Urgency.CHORE, 1, () -> note("news", ran, done));
        Runnable links = loop.coalesced(Urgency.EVENT, () -> note("links", ran, done));
        for (Urgency urgency : Urgency.values()) {
            for (int i = 0; i < 10; i++) {
                assertTrue(loop.execute(urgency, () -> note(urgency.name(), ran, done)));
            }
            assertFalse(loop.execute(urgency, () -> ran.add("refused")));
        }
        assertEquals(4, loop.refused());
        for (int pull = 0; pull < 100; pull++) {
            shares.run();
            news.run();
            links.run();
        }
        free.countDown();
        assertTrue(done.await(10, TimeUnit.SECONDS));
        for (String trigger : List.of("links", "shares", "news")) {
            assertEquals(1, Collections.frequency(ran, trigger), trigger);
        }
        assertEquals(43, ran.size());
    }

    @Test
    void aTriggerThatFiresWhileItsTaskRunsRunsItAgain() throws InterruptedException {
        CountDownLatch ranTwice = new CountDownLatch(2);
        AtomicReference<Runnable> trigger = new AtomicReference<>();
        trigger.set(loop.coalesced(() -> {
            ranTwice.countDown();
            if (ranTwice.getCount() == 1) {
                trigger.get().run();
            }
        }));
        trigger.get().run();
        assertTrue(ranTwice.await(10, TimeUnit.SECONDS));
    }

    @Test
    void aStopRunsEverythingThatWaits() throws InterruptedException {
        ControlLoop other = new ControlLoop(Thread::new, 100, System::nanoTime);
        CountDownLatch free = block(other);
        AtomicInteger runs = new AtomicInteger();
        for (Urgency urgency : Urgency.values()) {
            for (int i = 0; i < 20; i++) {
                other.execute(urgency, runs::incrementAndGet);
            }
        }
        other.every(3_600_000, runs::incrementAndGet);
        free.countDown();
        other.stop();
        assertEquals(80, runs.get());
        assertFalse(other.execute(runs::incrementAndGet));
    }

    @Test
    void anErrorEndsNeitherTheLoopNorARepeatedTask() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(3);
        loop.every(1, () -> {
            ran.countDown();
            throw new AssertionError("for the test");
        });
        assertTrue(ran.await(10, TimeUnit.SECONDS));
        assertTrue(loop.ask(() -> true, 10_000));
    }

    @Test
    void anInterruptionOfATaskDoesNotEndTheLoop() {
        loop.execute(() -> Thread.currentThread().interrupt());
        assertTrue(loop.ask(() -> true, 10_000));
        assertTrue(loop.ask(() -> true, 10_000));
    }

    private static void note(String name, List<String> ran, CountDownLatch done) {
        ran.add(name);
        done.countDown();
    }

    /** Holds a loop up until the latch is at zero. */
    private static CountDownLatch block(ControlLoop held) throws InterruptedException {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        held.execute(Urgency.EVENT, () -> {
            isHeld.countDown();
            try {
                free.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        isHeld.await();
        return free;
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
