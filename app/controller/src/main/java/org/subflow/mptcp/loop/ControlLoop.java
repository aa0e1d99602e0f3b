// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.Throwables;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.loop.TaskQueue.Added;

/**
 * A thread that runs tasks one after another. Connections change on one such thread only, so almost nothing needs a lock.
 * Other loops write to ONOS's stores, which is slow, and compute ζ.
 *
 * <p>Tasks run by {@link Urgency}, and within a class in the order of their submission. The number of waiting tasks of a class
 * is bounded: the loop refuses further ones and counts them. It never refuses triggers ({@link #coalesced}, {@link #spaced}),
 * because each waits once at most. If a task throws, the loop logs that and runs the next task.
 */
public final class ControlLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);
    private static final long STOP_MILLIS = 10_000;
    private static final long PAUSE_FACTOR = 9;
    private static final long MOST_PAUSE_FACTOR = 10;
    private static final long REST_FACTOR = 4;

    private final LongSupplier nanos;
    private final TaskQueue queue;
    private final int mostWaiting;
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong busyNanos = new AtomicLong();
    /** When it will have rested four times as long as its last task took. */
    private volatile long restedNanos;
    private final Thread thread;

    /**
     * Starts a loop.
     *
     * @param mostWaiting how many tasks of a class may wait at once
     * @param nanos       a monotonic clock, nanoseconds; not null
     */
    public ControlLoop(ThreadFactory threads, int mostWaiting, LongSupplier nanos) {
        this.nanos = checkNotNull(nanos, "nanos");
        this.queue = new TaskQueue(nanos);
        this.mostWaiting = mostWaiting;
        this.restedNanos = nanos.getAsLong();
        this.thread = checkNotNull(threads, "threads").newThread(this::work);
        this.thread.start();
    }

    /** Submits a task of class {@link Urgency#ADMISSION}; see {@link #execute(Urgency, Runnable)}. */
    public boolean execute(Runnable task) {
        return execute(Urgency.ADMISSION, task);
    }

    /**
     * Submits a task.
     *
     * @param urgency its class; not null
     * @param task    what to run; not null
     * @return false if too many tasks of the class wait or the loop has stopped; the task then never runs
     */
    public boolean execute(Urgency urgency, Runnable task) {
        Added added = queue.add(urgency, checkNotNull(task, "task"), mostWaiting);
        if (added == Added.FULL) {
            refused.incrementAndGet();
        }
        return added == Added.YES;
    }

    /**
     * Computes an answer on the loop's thread, as a task of class {@link Urgency#CHORE}.
     *
     * @param question the computation; not null
     * @param millis   how long to wait for the answer at most
     * @return the answer
     * @throws IllegalStateException if the answer takes too long or too many tasks wait; unchecked exceptions of the
     *                               computation pass through
     */
    public <T> T ask(Callable<T> question, long millis) {
        FutureTask<T> task = new FutureTask<>(question);
        if (!execute(Urgency.CHORE, task)) {
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

    /**
     * Runs a task repeatedly, in class {@link Urgency#CHORE}. After each run comes a pause of {@code millis}, or of nine times
     * as long as the run took, up to ten times {@code millis}. So the task takes a tenth of the loop's time, whatever a
     * thousand connections cost.
     *
     * @param millis the least pause
     * @param task   what to run; not null
     */
    public void every(long millis, Runnable task) {
        checkNotNull(task, "task");
        after(TimeUnit.MILLISECONDS.toNanos(millis), millis, task);
    }

    private void after(long pauseNanos, long millis, Runnable task) {
        queue.addLater(Urgency.CHORE, pauseNanos, () -> {
            long begun = nanos.getAsLong();
            try {
                runSafely(task);
            } finally {
                long least = TimeUnit.MILLISECONDS.toNanos(millis);
                long pause = PAUSE_FACTOR * (nanos.getAsLong() - begun);
                after(Math.max(least, Math.min(MOST_PAUSE_FACTOR * least, pause)), millis, task);
            }
        }, false);
    }

    /** Makes a trigger of class {@link Urgency#EVENT}; see {@link #coalesced(Urgency, Runnable)}. */
    public Runnable coalesced(Runnable task) {
        return coalesced(Urgency.EVENT, task);
    }

    /**
     * Makes a trigger of a task. If it fires several times while the task waits, the task runs once. A full queue takes it, too.
     *
     * @param urgency the task's class; not null
     * @param task    what to run; not null
     * @return the trigger, to be called from any thread
     */
    public Runnable coalesced(Urgency urgency, Runnable task) {
        checkNotNull(task, "task");
        AtomicBoolean pending = new AtomicBoolean();
        return () -> {
            if (pending.compareAndSet(false, true)) {
                Added added = queue.add(urgency, () -> {
                    pending.set(false);
                    task.run();
                }, Integer.MAX_VALUE);
                if (added == Added.CLOSED) {
                    LOG.debug("The control loop has stopped: a task does not run");
                }
            }
        };
    }

    /** Makes a trigger of class {@link Urgency#CHORE}; see {@link #spaced(Urgency, long, Runnable)}. */
    public Runnable spaced(long millis, Runnable task) {
        return spaced(Urgency.CHORE, millis, task);
    }

    /**
     * Makes a trigger like {@link #coalesced}, with a least pause between two runs of its task.
     *
     * @param urgency the task's class; not null
     * @param millis  least pause from the end of one run to the start of the next
     * @param task    what to run; not null
     * @return the trigger, to be called from any thread
     */
    public Runnable spaced(Urgency urgency, long millis, Runnable task) {
        return new Spaced(urgency, TimeUnit.MILLISECONDS.toNanos(millis), null, task);
    }

    /**
     * Makes a trigger like {@link #spaced(Urgency, long, Runnable)} whose pause is also at least four times as long as the last task of
     * a loop took. So what the task is, or asks for, takes a fifth of that loop's time at most, however much there is to do.
     *
     * @param urgency the task's class; not null
     * @param millis  least pause from the end of one run to the start of the next
     * @param worker  the loop that does the work, perhaps this one; not null
     * @param task    what to run; not null
     * @return the trigger, to be called from any thread
     */
    public Runnable rested(Urgency urgency, long millis, ControlLoop worker, Runnable task) {
        return new Spaced(urgency, TimeUnit.MILLISECONDS.toNanos(millis), checkNotNull(worker, "worker"), task);
    }

    /** Returns whether the caller runs on this loop. */
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Returns how many tasks were refused because too many waited. */
    public long refused() {
        return refused.get();
    }

    /** Returns how many tasks ended with an exception or an error; the loop has logged them and gone on. */
    public long failures() {
        return failures.get();
    }

    /** Returns how long tasks have run so far, in nanoseconds of wall time; without the one that runs now. */
    public long busyNanos() {
        return busyNanos.get();
    }

    /** Forgets the waiting tasks; one that runs goes on. */
    public void clear() {
        queue.clear();
    }

    /** Runs the waiting tasks, then stops. Waits for them ten seconds at most. */
    public void stop() {
        queue.close();
        try {
            thread.join(STOP_MILLIS);
            if (thread.isAlive()) {
                LOG.warn("The control loop did not stop within {} ms; its last task is interrupted", STOP_MILLIS);
                end();
            }
        } catch (InterruptedException e) {
            end();
            Thread.currentThread().interrupt();
        }
    }

    /** Drops the waiting tasks and perhaps interrupts the one that runs; does not wait for its end. */
    public void cancel(boolean interrupts) {
        queue.close();
        queue.clear();
        if (interrupts) {
            thread.interrupt();
        }
    }

    /** Waits until a loop that is to stop has done so, or the time is over. */
    void join(long millis) throws InterruptedException {
        thread.join(Math.max(1, millis));
    }

    private void end() {
        queue.clear();
        thread.interrupt();
    }

    private void work() {
        while (true) {
            try {
                Runnable task = queue.take();
                if (task == null) {
                    return;
                }
                long begin = nanos.getAsLong();
                runSafely(task);
                long end = nanos.getAsLong();
                busyNanos.addAndGet(end - begin);
                restedNanos = end + REST_FACTOR * (end - begin);
            } catch (InterruptedException e) {
                // Only a stop may end the thread: whoever interrupts it otherwise meant a task that has ended.
                if (queue.isClosed()) {
                    return;
                }
            }
        }
    }

    private void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            failures.incrementAndGet();
            LOG.error("A task of the MPTCP control loop failed; its connection stays as it was", e);
        }
    }

    /** A trigger that keeps a least pause after the last run of its task. */
    private final class Spaced implements Runnable {
        private final Urgency urgency;
        private final long pauseNanos;
        /** Which has to rest first; null if none has. */
        private final ControlLoop worker;
        private final Runnable task;
        private final AtomicBoolean pending = new AtomicBoolean();
        private volatile long notBefore = nanos.getAsLong();

        private Spaced(Urgency urgency, long pauseNanos, ControlLoop worker, Runnable task) {
            this.urgency = checkNotNull(urgency, "urgency");
            this.pauseNanos = pauseNanos;
            this.worker = worker;
            this.task = checkNotNull(task, "task");
        }

        @Override
        public void run() {
            if (pending.compareAndSet(false, true) && !schedule(remainingNanos())) {
                LOG.debug("The control loop has stopped: a spaced task does not run");
            }
        }

        private boolean schedule(long nanos) {
            return queue.addLater(urgency, nanos, this::runAfterPause, true);
        }

        private void runAfterPause() {
            // A trigger during the last run could not know when that run would end. A stopping loop skips the pause.
            if (remainingNanos() > 0 && schedule(remainingNanos())) {
                return;
            }
            pending.set(false);
            try {
                task.run();
            } finally {
                notBefore = nanos.getAsLong() + pauseNanos;
            }
        }

        private long remainingNanos() {
            long now = nanos.getAsLong();
            return Math.max(0, Math.max(notBefore - now, worker == null ? 0 : worker.restedNanos - now));
        }
    }
}
