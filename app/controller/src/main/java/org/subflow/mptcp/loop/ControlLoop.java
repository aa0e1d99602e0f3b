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
 * A thread that does one thing after the other. Connections change on one of these alone, so that hardly anything needs a
 * lock. Others write to ONOS's stores, which takes long, and work ζ out.
 *
 * <p>Tasks run in the order in which they were given. The number that may wait is bounded; what comes on top is refused
 * and counted. A task that throws is logged, and the next one runs.
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
     * Runs a task after those that wait already.
     *
     * @param task what to run; not null
     * @return false if too many wait or the loop has stopped, and the task will not run
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
     * Works something out on the loop's thread, after what waits already.
     *
     * @param question what to work out; not null
     * @param millis   how long to wait for it at most
     * @return what came out
     * @throws IllegalStateException if that takes too long or too much waits; what the question itself throws unchecked
     *                               comes through as it is
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

    /** Runs a task again and again, {@code millis} after its last run ended. */
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
     * Makes a trigger: however often it is pulled while its task waits, the task runs once.
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
     * Makes a trigger as {@link #coalesced} does, of a task that runs at once, but not again before some time has passed.
     *
     * @param millis how long from one run's end to the next one's begin, at least
     * @param task   what to run; not null
     * @return the trigger, to be called from any thread
     */
    public Runnable spaced(long millis, Runnable task) {
        return new Spaced(TimeUnit.MILLISECONDS.toNanos(millis), task);
    }

    /** Returns whether the caller is a task of this loop. */
    public boolean isCurrentThread() {
        return Thread.currentThread() == current;
    }

    /** Returns how many tasks were refused because too many waited. */
    public long refused() {
        return refused.get();
    }

    /** Runs what waits, then stops; waits for that at most ten seconds. */
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
            LOG.error("A task of the MPTCP control loop failed; the connection it was about is left as it was", e);
        }
    }

    /** A trigger of a task that keeps its distance from its own last run. */
    private final class Spaced implements Runnable {
        private final long distanceNanos;
        private final Runnable task;
        private final AtomicBoolean pending = new AtomicBoolean();
        private volatile long notBefore = System.nanoTime();

        private Spaced(long distanceNanos, Runnable task) {
            this.distanceNanos = distanceNanos;
            this.task = checkNotNull(task, "task");
        }

        @Override
        public void run() {
            if (pending.compareAndSet(false, true) && !schedule(left(), this::due)) {
                LOG.debug("The control loop has stopped: a spaced task is left out");
            }
        }

        private void due() {
            // Whoever pulled while the task ran did not know yet when it would end. A loop that stops waits for nothing.
            if (left() > 0 && schedule(left(), this::due)) {
                return;
            }
            pending.set(false);
            try {
                task.run();
            } finally {
                notBefore = System.nanoTime() + distanceNanos;
            }
        }

        private long left() {
            return Math.max(0, notBefore - System.nanoTime());
        }
    }
}
