// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A time that a test lets pass, and a worker that does its tasks meanwhile. */
final class PortClock implements LongSupplier, PausedPorts.Worker {
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparingLong((Task task) -> task.at));
    /** Not 0: the time of a machine begins anywhere. */
    private long millis = 123_456;

    @Override
    public long getAsLong() {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public void after(long delay, Runnable task) {
        if (delay == 0) {
            task.run();
        } else {
            tasks.add(new Task(millis + delay, task));
        }
    }

    /** Lets time pass, and does what is due. */
    void pass(long passing) {
        long end = millis + passing;
        while (!tasks.isEmpty() && tasks.peek().at <= end) {
            Task task = tasks.poll();
            millis = task.at;
            task.work.run();
        }
        millis = end;
    }

    /** Returns how many tasks wait for their time. */
    int waiting() {
        return tasks.size();
    }

    private static final class Task {
        private final long at;
        private final Runnable work;

        Task(long at, Runnable work) {
            this.at = at;
            this.work = work;
        }
    }
}
