// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The waiting tasks of a loop: in each class of urgency first in, first out. {@link Urgency} says which class is next. One
 * thread takes, any thread adds.
 */
final class TaskQueue {
    private final LongSupplier clockNanos;
    private final Map<Urgency, Lane> lanes = new EnumMap<>(Urgency.class);
    private final PriorityQueue<Later> later = new PriorityQueue<>();
    private Lane turn;
    private long turnBegunNanos;
    private boolean wasTurnOfPatience;
    private boolean closed;

    /**
     * Makes an empty queue.
     *
     * @param clockNanos a monotonic clock, nanoseconds; not null
     */
    TaskQueue(LongSupplier clockNanos) {
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
        long now = clockNanos.getAsLong();
        for (Urgency urgency : Urgency.values()) {
            lanes.put(urgency, new Lane(TimeUnit.MILLISECONDS.toNanos(urgency.patienceMillis()), now));
        }
    }

    /** What became of a task that was to be added. */
    enum Added {
        /** It runs in its turn. */
        YES,
        /** Too many tasks of its class wait. */
        FULL,
        /** The queue is closed. */
        CLOSED
    }

    /** Adds a task unless that many of its class wait already. */
    synchronized Added add(Urgency urgency, Runnable task, int mostWaiting) {
        if (closed) {
            return Added.CLOSED;
        }
        Lane lane = lanes.get(urgency);
        if (lane.tasks.size() >= mostWaiting) {
            return Added.FULL;
        }
        lane.tasks.addLast(new Task(task, clockNanos.getAsLong()));
        notifyAll();
        return Added.YES;
    }

    /**
     * Adds a task that joins its class after a delay.
     *
     * @param urgency    its class
     * @param nanos      the delay, nanoseconds
     * @param task       the task
     * @param runAtClose whether it runs without its delay when the queue closes; it is dropped otherwise
     * @return false if the queue is closed
     */
    synchronized boolean addLater(Urgency urgency, long nanos, Runnable task, boolean runAtClose) {
        if (closed) {
            return false;
        }
        later.add(new Later(clockNanos.getAsLong() + nanos, urgency, task, runAtClose));
        notifyAll();
        return true;
    }

    /**
     * Takes the next task, and counts the time until the next call as the task's own.
     *
     * @return the task; null if the queue is closed and empty
     * @throws InterruptedException if the thread is interrupted while it waits for a task
     */
    synchronized Runnable take() throws InterruptedException {
        endTurn();
        while (true) {
            long now = clockNanos.getAsLong();
            for (Later due = later.peek(); due != null && due.nanos - now <= 0; due = later.peek()) {
                later.remove();
                lanes.get(due.urgency).tasks.addLast(new Task(due.task, now));
            }
            Lane next = next(now);
            if (next != null) {
                turn = next;
                turnBegunNanos = now;
                return next.tasks.removeFirst().run;
            }
            if (closed) {
                return null;
            }
            if (later.isEmpty()) {
                wait();
            } else {
                TimeUnit.NANOSECONDS.timedWait(this, later.peek().nanos - now);
            }
        }
    }

    private void endTurn() {
        if (turn != null) {
            turn.endNanos = clockNanos.getAsLong();
            turn.lastNanos = turn.endNanos - turnBegunNanos;
            turn = null;
        }
    }

    /** Returns the most urgent class with tasks, or one whose patience is at its end, but never two such in succession. */
    private Lane next(long now) {
        Lane mostUrgent = null;
        for (Lane lane : lanes.values()) {
            if (lane.tasks.isEmpty()) {
                continue;
            }
            if (mostUrgent == null) {
                mostUrgent = lane;
            } else if (!wasTurnOfPatience && lane.isOverdue(now)) {
                wasTurnOfPatience = true;
                return lane;
            }
        }
        wasTurnOfPatience = false;
        return mostUrgent;
    }

    /** Refuses tasks from now on. What waits is still taken, without delay; repeated tasks are dropped. */
    synchronized void close() {
        closed = true;
        for (Later one = later.poll(); one != null; one = later.poll()) {
            if (one.runAtClose) {
                lanes.get(one.urgency).tasks.addLast(new Task(one.task, clockNanos.getAsLong()));
            }
        }
        notifyAll();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Drops what waits. */
    synchronized void clear() {
        lanes.values().forEach(lane -> lane.tasks.clear());
        later.clear();
    }

    /** The tasks of a class. */
    private static final class Lane {
        private final Deque<Task> tasks = new ArrayDeque<>();
        private final long patienceNanos;
        private long endNanos;
        private long lastNanos;

        private Lane(long patienceNanos, long now) {
            this.patienceNanos = patienceNanos;
            this.endNanos = now;
        }

        private boolean isOverdue(long now) {
            long waited = Math.min(now - tasks.getFirst().sinceNanos, now - endNanos);
            return waited >= Math.max(patienceNanos, lastNanos);
        }
    }

    private static final class Task {
        private final Runnable run;
        private final long sinceNanos;

        private Task(Runnable run, long sinceNanos) {
            this.run = checkNotNull(run, "task");
            this.sinceNanos = sinceNanos;
        }
    }

    /** A task that joins its class later. */
    private static final class Later implements Comparable<Later> {
        private final long nanos;
        private final Urgency urgency;
        private final Runnable task;
        private final boolean runAtClose;

        private Later(long nanos, Urgency urgency, Runnable task, boolean runAtClose) {
            this.nanos = nanos;
            this.urgency = checkNotNull(urgency, "urgency");
            this.task = checkNotNull(task, "task");
            this.runAtClose = runAtClose;
        }

        @Override
        public int compareTo(Later other) {
            return Long.signum(nanos - other.nanos);
        }
    }
}
