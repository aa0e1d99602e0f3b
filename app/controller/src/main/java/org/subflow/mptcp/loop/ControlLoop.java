// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.Throwables;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs tasks one after another. Connections change on one such thread only, so almost nothing needs a lock.
 * Other loops write to ONOS's stores, which is slow, and compute ζ.
 *
 * <p>Tasks run in the order of their submission. The number of waiting tasks is bounded: the loop refuses further ones and
 * counts them. If a task throws, the loop logs the exception and runs the next task.
 */
public final class ControlLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);
    private static final int STOP_SECONDS = 10;

    private final ScheduledThreadPoolExecutor executor;
    private final int mostWaiting;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();
    private volatile Thread current;

    /**
     * Starts a loop.
     *
     * @param threads     makes its thread; not null
     * @param mostWaiting how many tasks may wait at once
     */
    public ControlLoop(ThreadFactory threads, int mostWaiting) {
        checkNotNull(threads, "threads");
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = threads.newThread(task);
            current = thread;
            return thread;
        });
        this.executor.setRemoveOnCancelPolicy(true);
        this.mostWaiting = mostWaiting;
    }

    /**
     * Submits a task. It runs after the tasks that already wait.
     *
     * @param task what to run; not null
     * @return false if too many tasks wait or the loop has stopped; the task then never runs
     */
    public boolean execute(Runnable task) {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            refused.incrementAndGet();
            return false;
        }
        try {
            executor.execute(() -> {
                waiting.decrementAndGet();
                runSafely(task);
            });
            return true;
        } catch (RejectedExecutionException e) {
            waiting.decrementAndGet();
            return false;
        }
    }

    /**
     * Computes an answer on the loop's thread, after the tasks that already wait.
     *
     * @param question the computation; not null
     * @param millis   how long to wait for the answer at most
     * @return the answer
     * @throws IllegalStateException if the answer takes too long or too many tasks wait; unchecked exceptions of the
     *                               computation pass through
     */
    public <T> T ask(Callable<T> question, long millis) {
        FutureTask<T> task = new FutureTask<>(question);
        if (!execute(task)) {
            throw new IllegalStateException("the controller is too busy to answer; ask again later");
        }
        try {
            return task.get(millis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwables.throwIfUnchecked(e.getCause());
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            task.cancel(false);
            throw new IllegalStateException("the controller is too busy to answer; ask again later", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the controller", e);
        }
    }

    /** Runs a task repeatedly, with a pause of {@code millis} after each run. */
    @SuppressWarnings("FutureReturnValueIgnored") // runSafely() catches what goes wrong
    public void every(long millis, Runnable task) {
        executor.scheduleWithFixedDelay(() -> runSafely(task), millis, millis, TimeUnit.MILLISECONDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // runSafely() catches what goes wrong
    private boolean schedule(long nanos, Runnable task) {
        try {
            executor.schedule(() -> runSafely(task), nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /**
     * Makes a trigger of a task. If it fires several times while the task waits, the task runs once.
     *
     * @param task what to run; not null
     * @return the trigger, to be called from any thread
     */
    public Runnable coalesced(Runnable task) {
        AtomicBoolean pending = new AtomicBoolean();
        return () -> {
            if (pending.compareAndSet(false, true)) {
                boolean accepted = execute(() -> {
                    pending.set(false);
                    task.run();
                });
                if (!accepted) {
                    pending.set(false);
                }
            }
        };
    }

    /**
     * Makes a trigger like {@link #coalesced}, with a least pause between two runs of its task.
     *
     * @param millis least pause from the end of one run to the start of the next
     * @param task   what to run; not null
     * @return the trigger, to be called from any thread
     */
    public Runnable spaced(long millis, Runnable task) {
        return new Spaced(TimeUnit.MILLISECONDS.toNanos(millis), task);
    }

    /** Returns whether the caller runs on this loop. */
    public boolean isCurrentThread() {
        return Thread.currentThread() == current;
    }

    /** Returns how many tasks were refused because too many waited. */
    public long refused() {
        return refused.get();
    }

    /** Runs the waiting tasks, then stops. Waits for them ten seconds at most. */
    public void stop() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("The control loop did not stop within {} s; its last task is interrupted", STOP_SECONDS);
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("A task of the MPTCP control loop failed; its connection stays as it was", e);
        }
    }

    /** A trigger that keeps a least pause after the last run of its task. */
    private final class Spaced implements Runnable {
        private final long pauseNanos;
        private final Runnable task;
        private final AtomicBoolean pending = new AtomicBoolean();
        private volatile long notBefore = System.nanoTime();

        private Spaced(long pauseNanos, Runnable task) {
            this.pauseNanos = pauseNanos;
            this.task = checkNotNull(task, "task");
        }

        @Override
        public void run() {
            if (pending.compareAndSet(false, true) && !schedule(remainingNanos(), this::runAfterPause)) {
                LOG.debug("The control loop has stopped: a spaced task does not run");
            }
        }

        private void runAfterPause() {
            // A trigger during the last run could not know when that run would end. A stopping loop skips the pause.
            if (remainingNanos() > 0 && schedule(remainingNanos(), this::runAfterPause)) {
                return;
            }
            pending.set(false);
            try {
                task.run();
            } finally {
                notBefore = System.nanoTime() + pauseNanos;
            }
        }

        private long remainingNanos() {
            return Math.max(0, notBefore - System.nanoTime());
        }
    }
}
