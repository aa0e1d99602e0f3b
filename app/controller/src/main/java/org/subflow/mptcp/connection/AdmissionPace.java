// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.detect.ExpiringTable;
import org.subflow.mptcp.detect.TupleKey;

/**
 * Limits how many connections wait for their rules at the same time; beyond, candidates stay candidates a little longer. A
 * busy network makes short connections live long, and rules for them would make it busier still: so only a few may wait that
 * have nothing but their age. Thread-safe.
 */
final class AdmissionPace {
    /** Limit of connections that wait for their rules. */
    static final int MOST = 64;
    /** Limit of waiting connections above which age alone admits none. */
    static final int MOST_FOR_OLD = 4;
    /** After this time nobody waits for a connection: its switch may not answer at all. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** So long nobody is admitted after a failure. */
    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clockNanos;
    /** The connections that wait, by their first subflows. */
    private final ExpiringTable<Boolean> waiting = new ExpiringTable<>(MOST, PATIENCE_NANOS);
    private long notBefore;

    /**
     * Makes a pace at which nobody waits.
     *
     * @param clockNanos a monotonic clock, nanoseconds
     */
    AdmissionPace(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
        this.notBefore = clockNanos.getAsLong();
    }

    /**
     * Asks whether a connection may get rules now; if so, it counts as waiting.
     *
     * @param first   five-tuple of its first subflow
     * @param hasSent whether it has sent enough; false if its age alone has earned the rules
     */
    synchronized boolean admits(FiveTuple first, boolean hasSent) {
        long now = clockNanos.getAsLong();
        waiting.expire(now);
        if (now - notBefore < 0 || waiting.size() >= (hasSent ? MOST : MOST_FOR_OLD)) {
            return false;
        }
        waiting.put(TupleKey.directed(first), true, now);
        return true;
    }

    /** Admits nobody for a moment: rules could not be installed. */
    synchronized void pause() {
        notBefore = clockNanos.getAsLong() + PAUSE_NANOS;
    }

    /** Notes that a connection waits no longer; without effect if it did not. */
    synchronized void leaves(FiveTuple first) {
        waiting.remove(TupleKey.directed(first));
    }

    /** Notes what has become of a connection. */
    void follow(ConnectionEvent event) {
        if (event.type() != ConnectionEvent.Type.OPENED) {
            leaves(event.subject().first().tuple());
        }
    }
}
