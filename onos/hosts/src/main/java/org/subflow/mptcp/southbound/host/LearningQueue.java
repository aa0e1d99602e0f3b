// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.southbound.rate.PortBudget;

/**
 * News of hosts on their way from the threads that bring packets to the one that writes them down. A write waits until ONOS's
 * stores have it, and meanwhile those threads would bring no packet of anybody. Each port has its budget, and ports take turns: a
 * storm from one delays and takes nothing of the others. What is beyond the budget is dropped. Thread-safe.
 */
final class LearningQueue {

    /** Frames with news that a port may bring in a second; so many may wait, too. */
    static final int MOST_PER_SECOND = 100;

    private final Executor worker;
    private final PortBudget budget;
    /** What waits, by port; as many as there are ports. */
    private final Map<ConnectPoint, Queue<Runnable>> waiting = new HashMap<>();
    /** Those of which something waits. */
    private final Queue<Queue<Runnable>> turns = new ArrayDeque<>();

    /** Makes an empty one by a clock that counts nanoseconds. The worker has one thread. */
    LearningQueue(Executor worker, LongSupplier clock) {
        this.worker = worker;
        this.budget = new PortBudget("frames with new hosts or addresses", MOST_PER_SECOND, clock);
    }

    /** Has the worker do what comes of a frame, or drops it. */
    synchronized void add(ConnectPoint at, Runnable news) {
        if (!budget.admits(at)) {
            return;
        }
        Queue<Runnable> queue = waiting.computeIfAbsent(at, port -> new ArrayDeque<>());
        if (queue.size() >= MOST_PER_SECOND) {
            budget.drop(at);
            return;
        }
        if (queue.isEmpty()) {
            turns.add(queue);
        }
        queue.add(news);
        worker.execute(() -> next().run());
    }

    /** {@return how many frames of a port have been dropped since it was quiet} */
    long dropped(ConnectPoint at) {
        return budget.dropped(at);
    }

    private synchronized Runnable next() {
        Queue<Runnable> queue = turns.remove();
        Runnable news = queue.remove();
        if (!queue.isEmpty()) {
            turns.add(queue);
        }
        return news;
    }
}
