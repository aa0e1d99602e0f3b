// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

/** Rates as the planner prints them. */
final class Mbps {
    private static final double MILLIBITS_PER_BIT = 1e3;
    private static final double MILLIBITS_PER_MEGABIT = 1e9;

    private Mbps() {
    }

    /**
     * Returns a rate in Mbit/s, to nine decimals: what is lost is below what the allocators promise, and 0.1 + 0.2 shows
     * as 0.3.
     *
     * @param bitPerSecond a rate in bit/s, finite and not negative
     */
    static double of(double bitPerSecond) {
        double millibits = bitPerSecond * MILLIBITS_PER_BIT;
        return millibits < Long.MAX_VALUE ? Math.round(millibits) / MILLIBITS_PER_MEGABIT : millibits / MILLIBITS_PER_MEGABIT;
    }
}
