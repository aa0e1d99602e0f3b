// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.List;

/**
 * ζ: the largest rate that a connection could reach, the controller's estimate of eMPTCP (its rule for asking for more
 * paths compares the rate that the host sees with it).
 *
 * <p>Two readings: {@link #available} holds everybody else at the expected throughput; {@link #fair} is, in addition, no
 * more than the connection's max-min fair share if it used all its paths, so that nobody is called to take what is due to
 * others. Rates in bit/s. Immutable.
 */
public final class Zeta {
    private final double available;
    private final double fair;

    private Zeta(double available, double fair) {
        this.available = available;
        this.fair = fair;
    }

    /** Finds the largest flow between the end points of one connection; supplied by whoever knows the graph. */
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
     * Works ζ out.
     *
     * @param problem    all connections, not null
     * @param rates      expected throughput of every subflow in bit/s, not null
     * @param connection the connection in question
     * @param limit      the most that the connection could send, in bit/s, positive infinity for no limit; its cap in the
     *                   problem, which may be its present demand, does not limit what it could attain
     * @param maxFlow    the largest flow between its end points, not null
     * @param paths      the routes of all paths that it could use, not null; if empty, those it has
     * @param shares     keeps the work that the connections of one problem have in common, and the start for the next
     *                   problem; used for ζ alone, not null
     * @return both readings; neither is above the limit
     */
    public static Zeta of(SharingProblem problem, double[] rates, int connection, double limit, MaxFlow maxFlow,
                          List<int[]> paths, WhatIfShares shares) {
        double available = available(problem, rates, connection, limit, maxFlow);
        shares.now(problem);
        return new Zeta(available, Math.min(available, shares.share(connection, limit, paths)));
    }

    private static double available(SharingProblem problem, double[] rates, int connection, double limit, MaxFlow maxFlow) {
        return Math.min(limit, maxFlow.value(residualWithout(problem, rates, connection)));
    }

    /** Returns what the others leave of each arc in bit/s; measured other traffic is one of them, or off the capacity. */
    static double[] residualWithout(SharingProblem problem, double[] rates, int connection) {
        double[] others = rates.clone();
        for (int s = problem.firstSubflow(connection); s < problem.firstSubflow(connection + 1); s++) {
            others[s] = 0;
        }
        double[] residual = problem.loads(others);
        for (int a = 0; a < residual.length; a++) {
            residual[a] = Math.max(0, problem.capacity(a) - residual[a]);
        }
        return residual;
    }

    /** Returns the most that the connection could reach while all others keep their expected throughput, in bit/s. */
    public double available() {
        return available;
    }

    /** Returns the smaller of {@link #available} and the max-min fair share over all its paths, in bit/s. */
    public double fair() {
        return fair;
    }
}
