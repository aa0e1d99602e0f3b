// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The questions go on whatever becomes of one, and take a small part of the time. */
class RefresherTest {
    private static final long MOST_SECONDS = 30;
    private static final long PAUSE_MILLIS = 10;

    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch twice = new CountDownLatch(2);
    private final Refresher refresher = new Refresher(() -> {
        asked.incrementAndGet();
        twice.countDown();
        throw new IllegalStateException("no answer");
    }, Executors.defaultThreadFactory(), System::nanoTime, PAUSE_MILLIS);

    @AfterEach
    void stop() {
        refresher.stop();
    }

    @Test
    void aQuestionThatFailsIsAskedAgain() throws InterruptedException {
        refresher.start();
        assertTrue(twice.await(MOST_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void whilePausedNothingIsAskedAndTasksRun() throws InterruptedException {
        refresher.pause();
        refresher.start();
        ran();
        assertEquals(0, asked.get());
        refresher.resume();
        assertTrue(twice.await(MOST_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void aTaskThatFailsDoesNotEndTheQuestions() throws InterruptedException {
        refresher.execute(() -> {
            throw new IllegalStateException("a task");
        });
        ran();
        refresher.start();
        assertTrue(twice.await(MOST_SECONDS, TimeUnit.SECONDS));
    }

    private void ran() throws InterruptedException {
        CountDownLatch task = new CountDownLatch(1);
        refresher.execute(task::countDown);
        assertTrue(task.await(MOST_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void theLongerAnAnswerTakesTheRarerTheQuestions() {
        assertEquals(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS), refresher.pauseNanos(0));
        long slow = TimeUnit.SECONDS.toNanos(1);
        assertTrue(slow * Refresher.MOST_SHARE <= slow + refresher.pauseNanos(slow));
    }
}
