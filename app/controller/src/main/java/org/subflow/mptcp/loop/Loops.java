// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static org.onlab.util.Tools.groupedThreads;

import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;

/** The application's threads: one that decides, and three for what it must not wait for. */
public final class Loops {
    private static final int MOST_TASKS_WAITING = 10_000;
    /** Each has one task, which waits once at most. */
    private static final int MOST_CHORES_WAITING = 16;

    /** Makes further threads of the same group. */
    public final ThreadFactory threads;
    /** Connections change on this one alone. */
    public final ControlLoop decisions;
    /** Reservations in ONOS's books. */
    public final ControlLoop bookings;
    /** What is remembered beyond a restart. */
    public final ControlLoop journal;
    /** ζ, the rates that connections could attain. */
    public final ControlLoop estimates;

    /**
     * Starts them.
     *
     * @param log told of what a thread dies of; not null
     */
    public Loops(Logger log) {
        threads = groupedThreads("onos/mptcp", "%d", log);
        decisions = new ControlLoop(threads, MOST_TASKS_WAITING);
        bookings = new ControlLoop(threads, MOST_CHORES_WAITING);
        journal = new ControlLoop(threads, MOST_CHORES_WAITING);
        estimates = new ControlLoop(threads, MOST_CHORES_WAITING);
    }

    /** Runs what waits and stops them, the one that decides first: what it has asked of the others is still done. */
    public void stop() {
        decisions.stop();
        bookings.stop();
        journal.stop();
        estimates.stop();
    }
}
