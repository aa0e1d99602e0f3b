// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.subflow.mptcp.share.linear.RowPrices;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * Max-min fair totals by progressive filling: all levels (total ÷ weight) rise together while a {@link ParametricSimplex}
 * moves rates between subflows. At a bottleneck, the prices are a {@link Cut}: connections with a price stop, the others
 * continue. A connection that reaches its cap stops too.
 *
 * <p>D. Bertsekas, R. Gallager, "Data Networks", section 6.5; here with several subflows per connection.
 */
final class ProgressiveFilling {
    /** A total above this part of the cap is at the cap, up to rounding. */
    private static final double AT_CAP = 1 - 1e-13;

    private final ScaledProblem problem;
    private final ParametricSimplex simplex;
    private final FixedVariables fixed;
    private final boolean[] rises;
    private int rising;
    private final double[] speed;
    private final List<Cut> cuts = new ArrayList<>();

    /**
     * Raises levels until every connection has stopped.
     *
     * @param parts a guess of the part of its connection's total that each subflow carries, which saves pivots; if null, they
     *              begin with one subflow each
     * @param mostWork see {@link ParametricSimplex}
     */
    ProgressiveFilling(ScaledProblem problem, double[] parts, long mostWork) {
        this.problem = problem;
        simplex = new ParametricSimplex(problem, mostWork);
        fixed = new FixedVariables(problem, simplex);
        speed = new double[problem.connections()];
        rises = new boolean[problem.connections()];
        Arrays.fill(rises, true);
        rising = rises.length;
        if (parts != null) {
            simplex.startWith(parts);
        }
        stopWhereNothingIsFull();
        while (rising > 0 && !simplex.failed()) {
            if (simplex.moveTotals(speed, lengthToCap())) {
                stopAtCaps();
            } else if (!simplex.failed()) {
                stopAtBottleneck();
            }
        }
        simplex.recompute();
    }

    /** Returns the simplex at the end: totals, rates and fixed variables. */
    ParametricSimplex simplex() {
        return simplex;
    }

    /** Returns the cuts that stopped a connection, the lowest level first. */
    List<Cut> cuts() {
        return cuts;
    }

    /** Gives connections that cross no row their caps: whether they rise or not is nothing to the others. */
    private void stopWhereNothingIsFull() {
        for (int c = 0; c < rises.length; c++) {
            boolean isFree = problem.rowStart[problem.first[c]] == problem.rowStart[problem.first[c + 1]];
            if (isFree && problem.cap[c] < Double.POSITIVE_INFINITY) {
                simplex.solution.total[c] = problem.cap[c];
                stop(c);
            }
        }
    }

    /** Sets the speeds, the largest of them 1, and returns the length of the step to the next cap. */
    private double lengthToCap() {
        double heaviest = 0;
        for (int c = 0; c < rises.length; c++) {
            heaviest = rises[c] ? Math.max(heaviest, problem.weight[c]) : heaviest;
        }
        double length = Double.POSITIVE_INFINITY;
        for (int c = 0; c < rises.length; c++) {
            speed[c] = rises[c] ? problem.weight[c] / heaviest : 0;
            double room = problem.cap[c] - simplex.solution.total[c];
            length = rises[c] ? Math.min(length, Math.max(0, room) / speed[c]) : length;
        }
        return length;
    }

    private void stopAtCaps() {
        for (int c = 0; c < rises.length; c++) {
            if (rises[c] && simplex.solution.total[c] >= problem.cap[c] * AT_CAP) {
                simplex.solution.total[c] = problem.cap[c];
                stop(c);
            }
        }
    }

    private void stopAtBottleneck() {
        RowPrices prices = simplex.prices;
        double most = prices.largest();
        int before = rising;
        for (int i = 0; i < prices.payers(); i++) {
            int c = prices.payer[i];
            if (rises[c] && prices.pays[simplex.basis.key[c]] > Tolerances.BINDING_PRICE * most) {
                stop(c);
            }
        }
        if (rising == before) {
            fixed.fixForNow();
        } else {
            cuts.add(fixed.cut());
        }
        prices.clear();
    }

    private void stop(int c) {
        rises[c] = false;
        rising--;
    }
}
