// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** Says on standard error how far the runs are and how long they will take, and whether somebody wants them to stop. */
final class Progress {
    private static final long PERIOD_NANOS = 5_000_000_000L;

    private final PrintStream err;
    private final LongSupplier clock;
    private final AtomicBoolean stop;
    private final int runs;
    private final int connections;
    private final long begin;
    private long told;
    private int skipped;
    private int finished;

    /**
     * Begins.
     *
     * @param err         where lines go
     * @param clock       nanoseconds since some moment
     * @param stop        set from outside when the runs are to stop
     * @param runs        how many there are
     * @param connections of each run
     */
    Progress(PrintStream err, LongSupplier clock, AtomicBoolean stop, int runs, int connections) {
        this.err = err;
        this.clock = clock;
        this.stop = stop;
        this.runs = runs;
        this.connections = connections;
        this.begin = clock.getAsLong();
        this.told = begin;
    }

    /** Counts a run that was done earlier. */
    void skip() {
        skipped++;
    }

    /** Takes in that so many connections of a run have ended; returns whether it goes on. */
    boolean goesOn(RunKey key, int ended) {
        long now = clock.getAsLong();
        if (now - told >= PERIOD_NANOS) {
            told = now;
            double done = finished + (double) ended / connections;
            double left = done == 0 ? Double.NaN : (now - begin) / 1e9 * (runs - skipped - done) / done;
            err.printf(Locale.ROOT, "lab: simulate: %s: %d of %d connections, run %d of %d%s%n", key, ended, connections,
                    skipped + finished + 1, runs, Double.isNaN(left) ? "" : String.format(Locale.ROOT, "; about %.0f s left", left));
        }
        return !stop.get();
    }

    /** Says that a run has ended, and how long it took. */
    void ended(RunKey key, long nanos) {
        finished++;
        err.printf(Locale.ROOT, "lab: simulate: %s: %.1f s, %d of %d%n", key, nanos / 1e9, skipped + finished, runs);
    }
}
