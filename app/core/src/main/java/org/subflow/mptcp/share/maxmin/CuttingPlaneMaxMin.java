// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.share.linear.RowPrices;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * A cutting-plane method for the max-min fair total of one connection, starting from feasible totals. Scheme:
 * <ol>
 * <li>{@link WaterFilling} computes the target: the fair totals under the cuts known so far;
 * <li>the simplex moves totals in a straight line to the target; a bottleneck on the line gives one more cut: repeat;
 * <li>a target that is reached is feasible, and fair under a relaxation: so it is max-min fair.
 * </ol>
 *
 * <p>The method needs only the levels up to that of this connection. The cut that stops
 * it holds no connection above. Connections above keep their totals where the cuts allow. After each further cut
 * they give up a larger part of what they have above that level. Cuts found from the interior of the feasible set are
 * deeper (in-out separation; W. Ben-Ameur, J. Neto, 2007).
 */
final class CuttingPlaneMaxMin {
    private static final int MOST_CUTS = 30;
    /** The part that connections above the level give up after the first cut; it doubles with each further cut. */
    private static final double FIRST_CONCESSION = 0.02;
    private static final int MOST_FIXED = 20;

    private final ScaledProblem problem;
    private final ParametricSimplex simplex;
    private final List<Cut> cuts = new ArrayList<>();
    private final RowPrices prices;
    private final double[] speed;

    CuttingPlaneMaxMin(ScaledProblem problem, ParametricSimplex simplex) {
        this.problem = problem;
        this.simplex = simplex;
        prices = new RowPrices(problem);
        speed = new double[problem.connections()];
    }

    /** Adds a known cut of the problem; does nothing if it holds no connection. */
    void add(Cut cut) {
        if (cut.connection.length > 0) {
            cuts.add(cut);
        }
    }

    ParametricSimplex simplex() {
        return simplex;
    }

    /** Returns the cuts added and the cuts found. */
    List<Cut> cuts() {
        return cuts;
    }

    /**
     * Moves to fair totals.
     *
     * @param own      bound of each connection by its cap and routes
     * @param relevant the connection whose total is asked for
     * @return the totals reached, up to rounding: fair for every connection whose level is not above that of the relevant
     *     one; null if the method did not converge
     */
    double[] converge(double[] own, int relevant) {
        for (int found = 0; found < MOST_CUTS; found++) {
            double[] target = new WaterFilling(problem, own, cuts).total;
            keepHigher(target[relevant] / problem.weight[relevant], found, target);
            Cut cut = moveTo(target);
            if (simplex.failed()) {
                return null;
            }
            if (cut == null) {
                System.arraycopy(target, 0, simplex.solution.total, 0, target.length);
                simplex.recompute();
                return simplex.failed() ? null : target;
            }
            simplex.unfix();
            add(cut);
        }
        return null;
    }

    /** Replaces the targets above a level by totals nearer to the present ones. */
    private void keepHigher(double level, int found, double[] target) {
        double concession = found == 0 ? 0 : Math.min(1, FIRST_CONCESSION * Math.scalb(1.0, found - 1));
        for (int c = 0; c < target.length; c++) {
            double least = level * problem.weight[c];
            if (target[c] > least) {
                double now = simplex.solution.total[c];
                target[c] = Math.max(least, Math.min(target[c], now + concession * (least - now)));
            }
        }
    }

    /** Moves totals towards a target. Returns the cut that the target violates, or null if it can be reached. */
    private Cut moveTo(double[] target) {
        Cut cut = null;
        for (int fixed = 0; fixed < MOST_FIXED; fixed++) {
            for (int c = 0; c < speed.length; c++) {
                speed[c] = target[c] - simplex.solution.total[c];
            }
            if (simplex.moveTotals(speed, 1) || simplex.failed()) {
                return null;
            }
            cut = cutAtBottleneck();
            if (cut.violation(target) > Tolerances.ROUNDING * cut.bound) {
                return cut;
            }
            simplex.fixBlocking();
        }
        return cut;
    }

    private Cut cutAtBottleneck() {
        double largest = simplex.prices.largest();
        prices.clear();
        for (int i = 0; i < simplex.prices.rowCount; i++) {
            int r = simplex.prices.row[i];
            if (simplex.prices.price[r] > 0) {
                prices.set(r, simplex.prices.price[r] / largest);
            }
        }
        simplex.prices.clear();
        return Cut.of(problem, prices);
    }
}
