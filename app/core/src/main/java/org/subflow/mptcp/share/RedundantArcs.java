// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * The arcs of a problem that no rates can fill: all that their connections could send over them together is less than their
 * capacity. In linear programming such a constraint is called redundant.
 *
 * <p>Over an arc a connection sends no more than its cap, and no more than the sum of what each of its subflows there could send
 * alone: the capacity of its narrowest arc. This holds in the problem without the redundant arcs, too. For if a subflow's narrowest
 * arc is redundant, its connection's cap is below that arc's capacity.
 */
final class RedundantArcs {
    /** Part of a capacity that sums may be off by rounding. */
    private static final double ROUNDING = 1e-9;

    private RedundantArcs() {
    }

    /** Tells for each arc whether it is redundant. O(size of the problem). */
    static boolean[] of(SharingProblem problem) {
        double[] most = new double[problem.arcCount()];
        double[] alone = new double[most.length];
        for (int c = 0; c < problem.connectionCount(); c++) {
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                double narrowest = narrowest(problem, s);
                for (int h = 0; h < problem.hops(s); h++) {
                    alone[problem.arc(s, h)] += narrowest;
                }
            }
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                for (int h = 0; h < problem.hops(s); h++) {
                    most[problem.arc(s, h)] += Math.min(problem.cap(c), alone[problem.arc(s, h)]);
                    alone[problem.arc(s, h)] = 0;
                }
            }
        }
        boolean[] redundant = new boolean[most.length];
        for (int a = 0; a < most.length; a++) {
            redundant[a] = most[a] < (1 - ROUNDING) * problem.capacity(a);
        }
        return redundant;
    }

    private static double narrowest(SharingProblem problem, int subflow) {
        double narrowest = Double.POSITIVE_INFINITY;
        for (int h = 0; h < problem.hops(subflow); h++) {
            narrowest = Math.min(narrowest, problem.capacity(problem.arc(subflow, h)));
        }
        return narrowest;
    }
}
