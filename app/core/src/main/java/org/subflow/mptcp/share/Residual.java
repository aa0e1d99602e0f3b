// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.List;

/** What the connections of a problem leave of each arc at given rates. Immutable. */
public final class Residual {
    private final SharingProblem problem;
    private final double[] rates;
    private final double[] loads;

    private Residual(SharingProblem problem, double[] rates) {
        this.problem = problem;
        this.rates = rates;
        this.loads = problem.loads(rates);
    }

    /**
     * Sums rates up. O(size of the problem).
     *
     * @param problem all connections; not null
     * @param rates   rate of every subflow in bit/s; not null, not copied
     */
    public static Residual of(SharingProblem problem, double[] rates) {
        return new Residual(problem, rates);
    }

    /** Returns the problem. */
    SharingProblem problem() {
        return problem;
    }

    /** Returns the residual bandwidth of each arc in bit/s if one connection sends nothing. O(arcs). */
    double[] without(int connection) {
        double[] residual = new double[loads.length];
        for (int a = 0; a < residual.length; a++) {
            residual[a] = problem.capacity(a) - loads[a];
        }
        for (int s = problem.firstSubflow(connection); s < problem.firstSubflow(connection + 1); s++) {
            for (int hop = 0; hop < problem.hops(s); hop++) {
                residual[problem.arc(s, hop)] += rates[s];
            }
        }
        for (int a = 0; a < residual.length; a++) {
            residual[a] = Math.max(0, residual[a]);
        }
        return residual;
    }

    /**
     * Returns a rate that one connection can have over paths while all others keep theirs, bit/s. It takes one path after the other,
     * so that it is the largest such rate where they are disjoint.
     *
     * @param paths the arcs of each path; the last are filled first
     */
    double over(List<int[]> paths, int connection) {
        double[] left = without(connection);
        double sum = 0;
        for (int i = paths.size() - 1; i >= 0; i--) {
            double width = Double.POSITIVE_INFINITY;
            for (int arc : paths.get(i)) {
                width = Math.min(width, left[arc]);
            }
            for (int arc : paths.get(i)) {
                left[arc] -= width;
            }
            sum += width;
        }
        return sum;
    }
}
