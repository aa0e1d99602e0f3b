// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkNotNull;

/**
 * ζ of a connection: the largest rate that it could reach, the controller's estimate of eMPTCP, per direction. Immutable.
 */
public final class Reach {
    /** Nothing is known. */
    public static final Reach NONE = new Reach(Rates.ZERO, Rates.ZERO);

    private final Rates available;
    private final Rates fair;

    /**
     * Makes an estimate.
     *
     * @param available the largest rate with everybody else held at the expected throughput, bit/s; not null
     * @param fair      the smaller of that and the max-min share over all paths, bit/s; not null
     */
    public Reach(Rates available, Rates fair) {
        this.available = checkNotNull(available, "available");
        this.fair = checkNotNull(fair, "fair");
    }

    /** Returns the largest rate with everybody else held at the expected throughput, bit/s. */
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
