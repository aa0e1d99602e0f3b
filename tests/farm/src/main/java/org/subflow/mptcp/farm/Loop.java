// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** One thread that reads and writes sockets, and does what is due. Only {@link #execute} and {@link #end} are for other threads. */
final class Loop {
    /** Timers that are done in a row before sockets have a turn. */
    private static final int MOST_IN_A_ROW = 2000;

    private final Selector selector;
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;
    private long number;
    private long worstLagNanos;

    /** What is to be done, and when: a time of {@link System#nanoTime}. */
    private record Timer(long nanos, long number, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            long first = nanos - other.nanos;
            return first == 0 ? Long.compare(number, other.number) : Long.signum(first);
        }
    }

    Loop() throws IOException {
        selector = Selector.open();
    }

    /** Calls back, with the key attached to it, when a socket can be read, written or connected. */
    SelectionKey register(SelectableChannel channel, int operations, Runnable ready) throws IOException {
        return channel.register(selector, operations, ready);
    }

    /** Does a task at a time of {@link System#nanoTime}, or as soon as possible. */
    void at(long nanos, Runnable task) {
        timers.add(new Timer(nanos, number++, task));
    }

    /** Does a task after so many milliseconds. */
    void after(double millis, Runnable task) {
        at(System.nanoTime() + (long) (millis * 1e6), task);
    }

    /** Does a task as soon as possible. */
    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    void end() {
        ended = true;
        selector.wakeup();
    }

    /** {@return by how much the latest timer since the last call was late, in milliseconds} */
    double takeWorstLagMillis() {
        double lag = worstLagNanos / 1e6;
        worstLagNanos = 0;
        return lag;
    }

    /** Runs until it is ended. */
    void run() throws IOException {
        while (!ended) {
            long wait = timers.isEmpty() ? TimeUnit.SECONDS.toMillis(1)
                    : TimeUnit.NANOSECONDS.toMillis(timers.peek().nanos() - System.nanoTime());
            if (wait > 0 && tasks.isEmpty()) {
                selector.select(wait);
            } else {
                selector.selectNow();
            }
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isValid()) {
                    ((Runnable) key.attachment()).run();
                }
            }
            selector.selectedKeys().clear();
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            due();
        }
        selector.close();
    }

    private void due() {
        for (int done = 0; done < MOST_IN_A_ROW && !timers.isEmpty(); done++) {
            long late = System.nanoTime() - timers.peek().nanos();
            if (late < 0) {
                return;
            }
            worstLagNanos = Math.max(worstLagNanos, late);
            timers.poll().task().run();
        }
    }
}
