// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for the state of the node that decides again and again, on a thread of its own. So a node has a state to tell when the one
 * that decides is lost, although nobody has asked this node before. Pauses between two questions, and for longer where an
 * answer takes long: the questions take {@link #MOST_SHARE} of the time at most.
 */
public final class Refresher {
    /** Part of the time that questions take at most: one of so many. */
    static final long MOST_SHARE = 20;

    private static final Logger LOG = LoggerFactory.getLogger(Refresher.class);

    private final Runnable question;
    private final ScheduledExecutorService thread;
    private final LongSupplier nanos;
    private final long leastPauseNanos;
    private volatile boolean isPaused;

    /**
     * Makes it; nothing is asked before {@link #start()}.
     *
     * @param question asks, and waits for the answer; not null
     * @param nanos    a monotonic clock, nanoseconds; not null
     * @param millis   the least pause between two questions, milliseconds
     */
    public Refresher(Runnable question, ThreadFactory threads, LongSupplier nanos, long millis) {
        this.leastPauseNanos = TimeUnit.MILLISECONDS.toNanos(millis);
        this.nanos = checkNotNull(nanos, "nanos");
        this.question = checkNotNull(question, "question");
        this.thread = Executors.newSingleThreadScheduledExecutor(threads);
    }

    /** Begins, with the first question at once. */
    public void start() {
        thread.execute(this::ask);
    }

    /** Asks nothing until {@link #resume()}: this node decides. */
    public void pause() {
        isPaused = true;
    }

    /** Goes on. */
    public void resume() {
        isPaused = false;
    }

    /** Runs a task between two questions. */
    public void execute(Runnable task) {
        thread.execute(() -> run(task));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it runs until the end
    private void ask() {
        long began = nanos.getAsLong();
        if (!isPaused) {
            run(question);
        }
        long pause = pauseNanos(nanos.getAsLong() - began);
        if (!thread.isShutdown()) {
            thread.schedule(this::ask, pause, TimeUnit.NANOSECONDS);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.debug("The last state stays", e);
        }
    }

    /** Returns the pause after a question that took so long. */
    long pauseNanos(long tookNanos) {
        return Math.max(leastPauseNanos, (MOST_SHARE - 1) * tookNanos);
    }

    /** Ends for good. */
    public void stop() {
        thread.shutdownNow();
    }
}
