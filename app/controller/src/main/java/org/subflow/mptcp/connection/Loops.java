// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.onlab.util.Tools.groupedThreads;

import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;

/** The application's threads: one that decides, and three for what it must not wait for. */
final class Loops {
    private static final int MOST_TASKS_WAITING = 10_000;
    /** Each has one task, which waits once at most. */
    private static final int MOST_CHORES_WAITING = 16;

    /** Makes further threads of the same group. */
    final ThreadFactory threads;
    /** Connections change on this one alone. */
    final ControlLoop decisions;
    /** Reservations in ONOS's books. */
    final ControlLoop bookings;
    /** What is remembered beyond a restart. */
    final ControlLoop journal;
    /** What connections could reach. */
    final ControlLoop estimates;

    /**
     * Starts them.
     *
     * @param log told of what a thread dies of; not null
     */
    Loops(Logger log) {
        threads = groupedThreads("onos/mptcp", "%d", log);
        decisions = new ControlLoop(threads, MOST_TASKS_WAITING);
        bookings = new ControlLoop(threads, MOST_CHORES_WAITING);
        journal = new ControlLoop(threads, MOST_CHORES_WAITING);
        estimates = new ControlLoop(threads, MOST_CHORES_WAITING);
    }

    /** Runs what waits and stops them, the one that decides first: what it has asked of the others is still done. */
    void stop() {
        decisions.stop();
        bookings.stop();
        journal.stop();
        estimates.stop();
    }
}
