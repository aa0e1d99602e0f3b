// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import java.util.function.LongSupplier;

/**
 * The right of this node to decide, for one term of leadership. It holds for a while after each confirmation by the storage
 * nodes, and not at all once it is revoked or has lapsed. Thread-safe.
 */
public final class Mandate {
    /** How long a mandate holds without a confirmation, milliseconds. */
    public static final long LEASE_MILLIS = 3000;

    private final long term;
    private final LongSupplier clockMillis;
    private volatile long confirmedMillis;
    private volatile boolean revoked;

    /**
     * Makes a mandate that is confirmed now.
     *
     * @param term        the term; a later leader has a greater one
     * @param clockMillis a monotonic clock, milliseconds; not null
     */
    Mandate(long term, LongSupplier clockMillis) {
        this.term = term;
        this.clockMillis = clockMillis;
        this.confirmedMillis = clockMillis.getAsLong();
    }

    /** Returns the mandate of the only node, which always holds. */
    static Mandate always() {
        return new Mandate(0, () -> 0);
    }

    /** Returns the term. */
    public long term() {
        return term;
    }

    /** Returns whether this node may decide now. */
    public boolean isValid() {
        return !revoked && clockMillis.getAsLong() - confirmedMillis <= LEASE_MILLIS;
    }

    /**
     * Returns the term if this node may decide.
     *
     * @throws IllegalStateException if it may not
     */
    public long check() {
        if (!isValid()) {
            throw new IllegalStateException("this node does not lead in term " + term + " any more");
        }
        return term;
    }

    /**
     * Notes that the storage nodes have confirmed it.
     *
     * @param askedMillis when they were asked, by the clock
     * @return whether it holds; a mandate that has lapsed stays so
     */
    boolean confirm(long askedMillis) {
        if (!isValid()) {
            revoked = true;
            return false;
        }
        confirmedMillis = askedMillis;
        return isValid();
    }

    /** Ends it for good. */
    void revoke() {
        revoked = true;
    }
}
