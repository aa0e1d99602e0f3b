// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

/** Rates in Mbit/s, as users read them. */
public final class Mbps {
    private static final double BITS_PER_MEGABIT = 1e6;
    private static final double MILLIBITS_PER_BIT = 1e3;
    private static final double MILLIBITS_PER_MEGABIT = 1e9;
    private static final double STEPS = 1000;

    private Mbps() {
    }

    /**
     * Returns a rate to nine decimals. The rounding is finer than the allocators' accuracy, and 0.1 + 0.2 shows as 0.3.
     *
     * @param bitPerSecond a rate in bit/s, finite and not negative
     */
    public static double of(double bitPerSecond) {
        double millibits = bitPerSecond * MILLIBITS_PER_BIT;
        return millibits < Long.MAX_VALUE ? Math.round(millibits) / MILLIBITS_PER_MEGABIT : millibits / MILLIBITS_PER_MEGABIT;
    }

    /**
     * Returns a rate to three decimals, for measured and changing rates.
     *
     * @param bitPerSecond a rate in bit/s, finite
     */
    public static double rounded(double bitPerSecond) {
        return Math.round(bitPerSecond / BITS_PER_MEGABIT * STEPS) / STEPS;
    }
}
