// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Tasks that run when the test says what time it is. */
public final class ManualLater implements Later {
    private final LongSupplier clockMillis;
    private final List<Task> tasks = new ArrayList<>();

    private static final class Task {
        private final long millis;
        private final Runnable work;

        private Task(long millis, Runnable work) {
            this.millis = millis;
            this.work = work;
        }
    }

    /** Makes it with a clock of the test's. */
    public ManualLater(LongSupplier clockMillis) {
        this.clockMillis = clockMillis;
    }

    @Override
    public synchronized Runnable after(long millis, Runnable task) {
        Task one = new Task(clockMillis.getAsLong() + millis, task);
        tasks.add(one);
        return () -> cancel(one);
    }

    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }

    /** Runs the tasks whose time has come, and those that come to be meanwhile. */
    public void run() {
        for (Optional<Task> due = take(); due.isPresent(); due = take()) {
            due.get().work.run();
        }
    }

    private synchronized Optional<Task> take() {
        Optional<Task> due = tasks.stream().filter(task -> task.millis <= clockMillis.getAsLong())
                .min(Comparator.comparingLong(task -> task.millis));
        due.ifPresent(tasks::remove);
        return due;
    }

    /** Returns how many tasks wait. */
    public synchronized int size() {
        return tasks.size();
    }
}
