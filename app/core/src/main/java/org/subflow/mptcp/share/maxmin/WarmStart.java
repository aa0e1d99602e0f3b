// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.List;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * Max-min fair totals of the next version of a problem, starting from the solution of the last version. Scheme:
 * <ol>
 * <li>{@link VersionMatch} finds what both versions have in common;
 * <li>the totals of removed connections fall to 0, and new connections begin at 0;
 * <li>the cuts of the last version hold again; {@link CuttingPlaneMaxMin} moves from there to the new fair totals.
 * </ol>
 *
 * <p>Where capacities are alike, an arrival takes some ten pivots where a cold start takes thousands. Where they differ
 * much, the method often does not converge. A bound on pivots keeps that attempt well below the cost of a cold start.
 */
final class WarmStart {
    /** The part of a cold start's pivots that an attempt may take; one that converges takes far fewer. */
    private static final double PIVOTS_OF_COLD_START = 0.25;
    private static final int LEAST_PIVOTS = 100;

    private final CuttingPlaneMaxMin method;

    private WarmStart(ScaledProblem problem, ParametricSimplex simplex) {
        method = new CuttingPlaneMaxMin(problem, simplex);
    }

    /**
     * Starts from a version that differs in some connections, or in weights and caps.
     *
     * @param before the solver of the last version; its simplex may be that of an earlier one, and must not be used afterwards
     * @param kept   the cuts that are known to hold
     * @param own    bound of each connection by its cap and routes
     * @return null if the method cannot start there or does not converge
     */
    static WarmStart of(MaxMinSolver before, List<Cut> kept, ScaledProblem problem, double[] own) {
        ParametricSimplex last = before.simplex();
        if (last == null || last.failed()) {
            return null;
        }
        long most = Math.max(LEAST_PIVOTS, (long) (PIVOTS_OF_COLD_START * before.coldPivots()));
        last.limitPivots(last.pivots() + most);
        VersionMatch match = new VersionMatch(last.problem(), problem);
        if (!match.sameLimits() || 2 * match.found < problem.connections() || !removeConnections(last, match)) {
            return null;
        }
        ParametricSimplex simplex = ParametricSimplex.after(last, problem, match);
        if (simplex == null) {
            return null;
        }
        simplex.limitPivots(most);
        WarmStart start = new WarmStart(problem, simplex);
        kept.forEach(start.method::add);
        return start.method.converge(own, CuttingPlaneMaxMin.ALL) == null ? null : start;
    }

    ParametricSimplex simplex() {
        return method.simplex();
    }

    List<Cut> cuts() {
        return method.cuts();
    }

    /** Takes the removed connections out of the old version. */
    private static boolean removeConnections(ParametricSimplex before, VersionMatch match) {
        before.unfix();
        double[] speed = new double[match.stays.length];
        boolean some = false;
        for (int c = 0; c < speed.length; c++) {
            speed[c] = match.stays[c] ? 0 : -before.solution.total[c];
            some |= !match.stays[c];
        }
        if (some && !before.moveTotals(speed, 1)) {
            return false;
        }
        for (int c = 0; c < speed.length; c++) {
            if (!match.stays[c]) {
                before.makeNonbasic(c);
            }
        }
        return true;
    }
}
