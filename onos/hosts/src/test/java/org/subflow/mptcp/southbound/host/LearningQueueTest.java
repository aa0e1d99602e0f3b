// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;

class LearningQueueTest {
    private static final ConnectPoint STORM = ConnectPoint.deviceConnectPoint("of:0000000000000001/1");
    private static final ConnectPoint QUIET = ConnectPoint.deviceConnectPoint("of:0000000000000001/2");

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<String> learned = new ArrayList<>();
    private long seconds = 1000;
    private final LearningQueue queue = new LearningQueue(tasks::add, () -> TimeUnit.SECONDS.toNanos(seconds));

    @Test
    void aStormIsDroppedBeyondItsBudgetAndCounted() {
        storm(2000);
        assertEquals(0, learned.size(), "nothing is done on the thread that brings it");
        work();
        assertEquals(LearningQueue.MOST_PER_SECOND, learned.size());
        assertEquals(2000 - LearningQueue.MOST_PER_SECOND, queue.dropped(STORM));
        seconds++;
        storm(2000);
        work();
        assertEquals(2 * LearningQueue.MOST_PER_SECOND, learned.size());
    }

    @Test
    void whatWaitsIsBoundedWhateverTheTimeItTakes() {
        for (int second = 0; second < 10; second++) {
            storm(2000);
            seconds++;
        }
        assertEquals(LearningQueue.MOST_PER_SECOND, tasks.size());
    }

    @Test
    void anotherPortDoesNotWaitForAStorm() {
        storm(2000);
        queue.add(QUIET, () -> learned.add("quiet"));
        tasks.remove().run();
        tasks.remove().run();
        assertEquals(List.of("storm", "quiet"), learned);
        assertEquals(0, queue.dropped(QUIET));
    }

    @Test
    void aPortThatWasQuietForAWhileIsCountedAnew() {
        storm(2000);
        work();
        seconds += 15;
        storm(1);
        assertTrue(queue.dropped(STORM) > 0);
        seconds += 1;
        storm(1);
        assertEquals(0, queue.dropped(STORM));
    }

    @Test
    void anErrorDoesNotEndTheLearning() throws InterruptedException {
        ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((failed, error) -> learned.add(error.getMessage()));
            return thread;
        });
        LearningQueue real = new LearningQueue(worker, System::nanoTime);
        CountDownLatch next = new CountDownLatch(1);
        real.add(STORM, () -> {
            throw new NoClassDefFoundError("for the test");
        });
        real.add(STORM, next::countDown);
        assertTrue(next.await(10, TimeUnit.SECONDS));
        worker.shutdownNow();
    }

    private void storm(int frames) {
        for (int i = 0; i < frames; i++) {
            queue.add(STORM, () -> learned.add("storm"));
        }
    }

    private void work() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }
}
