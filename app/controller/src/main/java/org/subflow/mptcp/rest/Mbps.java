// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

/** From bit/s, in which the controller works, to Mbit/s, in which it speaks. */
final class Mbps {
    private static final double BPS_PER_MBPS = 1e6;
    private static final double STEPS = 1000;

    private Mbps() {
    }

    /** Returns a rate in Mbit/s, rounded to a thousandth. */
    static double of(double bps) {
        return Math.round(bps / BPS_PER_MBPS * STEPS) / STEPS;
    }
}
