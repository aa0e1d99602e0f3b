// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.linear;

/**
 * How exact the solvers' numbers are. Solvers scale a problem so that capacities and prices are at most 1, where a double
 * has an error of 10⁻¹⁶; sums over thousands of terms lose three to four digits of that.
 */
public final class Tolerances {
    /** Relative. Numbers that differ by no more are the same up to rounding. */
    public static final double ROUNDING = 1e-12;
    /** Where the largest price is 1: a price up to this may be the error of a solved system, so it proves nothing. */
    public static final double LEAST_PRICE = 1e-9;
    /** Where the largest price is 1: a price above this certainly binds (strict complementary slackness). */
    public static final double BINDING_PRICE = 1e-7;

    private Tolerances() {
    }
}
