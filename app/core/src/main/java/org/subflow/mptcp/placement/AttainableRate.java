// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.Objects;

/**
 * ζ of a connection (eMPTCP): the largest rate that it could attain with more or other paths, per direction. It is an
 * estimate. Immutable.
 */
public final class AttainableRate {
    /** Nothing is known. */
    public static final AttainableRate NONE = new AttainableRate(Rates.ZERO, Rates.ZERO);

    private final Rates available;
    private final Rates fair;

    /**
     * Makes an estimate.
     *
     * @param available the largest rate while all other connections keep their expected throughputs, bit/s; not null
     * @param fair      the smaller of that and the max-min share over all paths, bit/s; not null
     */
    public AttainableRate(Rates available, Rates fair) {
        this.available = Objects.requireNonNull(available, "available");
        this.fair = Objects.requireNonNull(fair, "fair");
    }

    /** Returns the largest rate while all other connections keep their expected throughputs, bit/s. */
    public Rates available() {
        return available;
    }

    /** Returns the smaller of {@link #available()} and the max-min share over all paths, bit/s. */
    public Rates fair() {
        return fair;
    }

    @Override
    public String toString() {
        return "available " + available + ", fair " + fair;
    }
}
