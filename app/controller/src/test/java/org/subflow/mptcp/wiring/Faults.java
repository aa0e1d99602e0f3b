// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Chance, and what is to be done later by it: tasks run in any order, and some strokes of bad luck hit while they may. */
final class Faults {
    final Random random;
    /** Whether faults happen. */
    boolean happen = true;
    private final List<Runnable> tasks = new ArrayList<>();
    /** The controller's own tasks, which end with it. */
    private List<Runnable> own = new ArrayList<>();

    Faults(long seed) {
        random = new Random(seed);
    }

    /** Returns whether something goes wrong that goes wrong this often, of a hundred times. */
    boolean hit(int percent) {
        return happen && random.nextInt(100) < percent;
    }

    /** Has ONOS do something later. */
    void later(Runnable task) {
        tasks.add(task);
    }

    /** Makes triggers of the controller's tasks, as its loops do: a task that waits is not queued again. */
    UnaryOperator<Runnable> triggers() {
        List<Runnable> queue = own;
        return task -> {
            AtomicBoolean waits = new AtomicBoolean();
            return () -> {
                if (!waits.getAndSet(true)) {
                    queue.add(() -> {
                        waits.set(false);
                        task.run();
                    });
                }
            };
        };
    }

    /** Returns a queue of the controller's tasks, which keep their order. Now and then it is full, and says so. */
    Predicate<Runnable> queue() {
        List<Runnable> all = own;
        Queue<Runnable> waiting = new ArrayDeque<>();
        return task -> {
            boolean isTaken = !hit(3);
            if (isTaken) {
                waiting.add(task);
                all.add(() -> waiting.remove().run());
            }
            return isTaken;
        };
    }

    /** Runs some of what waits. */
    void some(int count) {
        for (int i = 0; i < count && !isIdle(); i++) {
            boolean ofOnos = own.isEmpty() || !tasks.isEmpty() && random.nextBoolean();
            List<Runnable> from = ofOnos ? tasks : own;
            from.remove(happen ? random.nextInt(from.size()) : 0).run();
        }
    }

    boolean isIdle() {
        return tasks.isEmpty() && own.isEmpty();
    }

    /** The controller ends; what it had to do is done first, or lost. */
    void end(boolean isLost) {
        while (!isLost && !own.isEmpty()) {
            own.remove(0).run();
        }
        own = new ArrayList<>();
    }
}
