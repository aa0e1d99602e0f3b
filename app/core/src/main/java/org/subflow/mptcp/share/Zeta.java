// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.List;

/**
 * ζ: the attainable rate of a connection, which the controller estimates in eMPTCP. A host asks for more paths if the rate
 * that it sees is below ζ.
 *
 * <p>There are two readings. {@link #available} assumes that all others keep their expected throughput. {@link #fair} is
 * additionally bounded by the connection's max-min fair share over all its paths, so that it takes nothing that others are
 * entitled to. Rates in bit/s. Immutable.
 */
public final class Zeta {
    private final double available;
    private final double fair;

    private Zeta(double available, double fair) {
        this.available = available;
        this.fair = fair;
    }

    /** Finds the largest flow between the end points of one connection; the caller, who knows the graph, supplies it. */
    @FunctionalInterface
    public interface MaxFlow {
        /**
         * Returns the value of a largest flow.
         *
         * @param capacities capacity of each arc in bit/s, not negative, numbered as in the problem
         * @return its value in bit/s
         */
        double value(double[] capacities);
    }

    /**
     * Computes ζ.
     *
     * @param expected   what all connections leave at their expected throughput, not null
     * @param connection the connection in question
     * @param limit      the most that the connection could send, in bit/s, positive infinity for no limit; its cap in the
     *                   problem, which may be its present demand, does not limit ζ
     * @param maxFlow    the largest flow between its end points, not null
     * @param paths      the routes of all paths that it could use, not null; if empty, those it has
     * @param shares     solves the problem once for all its connections; for successive problems, use the same; not null
     * @return both readings; neither is above the limit
     */
    public static Zeta of(Residual expected, int connection, double limit, MaxFlow maxFlow, List<int[]> paths,
                          WhatIfShares shares) {
        double available = Math.min(limit, maxFlow.value(expected.without(connection)));
        shares.now(expected.problem());
        return new Zeta(available, shares.shareUpTo(available, connection, limit, paths));
    }

    /** Returns the rate in bit/s that the connection can attain while all others keep their expected throughput. */
    public double available() {
        return available;
    }

    /**
     * Returns the smaller of {@link #available} and the max-min fair share over all its paths, in bit/s. It may be 1 % below that, and
     * more where thousands of connections wait for full arcs: see {@link WhatIfShares#shareUpTo}.
     */
    public double fair() {
        return fair;
    }
}
