// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static org.onlab.util.Tools.groupedThreads;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** The application's threads: one for decisions, and six for slow work that decisions must not wait for. */
public final class Loops {
    /** In each class of urgency. */
    private static final int MOST_TASKS_WAITING = 10_000;
    private static final long CANCEL_MILLIS = 1000;
    /** Each of the slow loops has few tasks, which are queued once at most. */
    private static final int MOST_CHORES_WAITING = 16;

    private final LongSupplier nanos;

    /** Makes further threads of the same group. */
    public final ThreadFactory threads;
    /** The control loop: connections change on it alone. */
    public final ControlLoop decisions;
    /** Writes reservations to ONOS's resource service. */
    public final ControlLoop bookings;
    /** Writes connections and keys to ONOS's stores, which survive a restart. */
    public final ControlLoop journal;
    /** Computes the shares of connections. */
    public final ControlLoop shares;
    /** Computes ζ, the attainable rates of connections. */
    public final ControlLoop estimates;
    /** Computes background plans, which may take seconds. */
    public final ControlLoop plans;
    /** Answers users' questions, which may take long. */
    public final ControlLoop questions;

    /** Starts the loops. */
    public Loops(Logger log, Clock clock) {
        nanos = clock::nanos;
        threads = groupedThreads("onos/mptcp", "%d", log);
        decisions = loop("decisions", MOST_TASKS_WAITING, log);
        bookings = loop("bookings", MOST_CHORES_WAITING, log);
        journal = loop("journal", MOST_CHORES_WAITING, log);
        shares = loop("shares", MOST_CHORES_WAITING, log);
        estimates = loop("estimates", MOST_CHORES_WAITING, log);
        plans = loop("plans", MOST_CHORES_WAITING, log);
        questions = loop("questions", MOST_CHORES_WAITING, log);
    }

    /** Starts a loop whose thread has its name, so that a profile tells the loops apart. */
    private ControlLoop loop(String name, int mostWaiting, Logger log) {
        return new ControlLoop(groupedThreads("onos/mptcp", name, log), mostWaiting, nanos);
    }

    /** Returns the counters of the loops by name; failed are the tasks of all loops that ended with an exception or an error. */
    public Map<String, Long> counters() {
        long failures = all().stream().mapToLong(ControlLoop::failures).sum();
        return ImmutableMap.of("control-loop.refused", decisions.refused(),
                               "control-loop.busy-nanos", decisions.busyNanos(),
                               "control-loop.failed", failures + OneByOne.failures());
    }

    /**
     * Runs the waiting tasks and stops all loops. Decisions stop first, so the others still do the work that decisions
     * submitted.
     */
    public void stop() {
        decisions.stop();
        bookings.stop();
        journal.stop();
        shares.stop();
        estimates.stop();
        plans.clear();
        plans.stop();
        questions.stop();
    }

    /**
     * Stops all loops at once because this node may not decide any more: nothing that waits could be written. A task that waits
     * for ONOS's stores is interrupted; without the storage nodes it would wait for 15 s. Not one that writes reservations: half
     * a transaction locks ports. It ends by itself. Returns after a second at most.
     */
    public void cancel() {
        List<ControlLoop> all = all();
        all.forEach(loop -> loop.cancel(loop != bookings));
        long end = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(CANCEL_MILLIS);
        try {
            for (ControlLoop loop : all) {
                loop.join(TimeUnit.NANOSECONDS.toMillis(end - nanos.getAsLong()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<ControlLoop> all() {
        return List.of(decisions, bookings, journal, shares, estimates, plans, questions);
    }
}
