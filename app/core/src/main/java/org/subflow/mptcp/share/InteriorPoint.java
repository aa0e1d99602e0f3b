// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * Maximises Σ w·log(T) over feasible rates by a primal-dual interior-point method with predictor and corrector.
 *
 * <p>Unknowns are those of {@link PrimalDual}; caps of connections are rows of their own that never leave their
 * connection. Each Newton system is reduced to {@link PriceEquations}.
 *
 * <p>S. Mehrotra, "On the implementation of a primal-dual interior point method", 1992. Scaled units.
 */
final class InteriorPoint {
    /** Stop at this duality gap, relative to the sum of weights. */
    private static final double TARGET = 1e-13;
    private static final double GOOD = 1e-7;
    private static final int MOST_ITERATIONS = 80;
    private static final int MOST_WITHOUT_PROGRESS = 5;
    private static final double UNIMPORTANT = 1e-13;
    private static final double LEAST_CENTRING = 1e-4;
    private static final double SHORT = 0.1;
    private static final double SHORT_CENTRING = 0.5;
    private static final double TO_BOUNDARY = 0.995;

    /** The best prices so far, scaled to be worth the sum of weights, rates, and their relative duality gap. */
    final double[] bestPrices;
    final double[] bestRates;
    double bestGap = Double.POSITIVE_INFINITY;
    /** Rows that are full, and subflows that are empty, at the best so far: of each two that are complementary one is 0. */
    final boolean[] full;
    final boolean[] empty;

    private final Rows rows;
    private final int connections;
    private final double weights;
    private final PrimalDual at;
    private final PrimalDual step;
    private final PriceEquations equations;
    /** What the products x·z, slack·y, those of the caps, and total times price should become. */
    private final double[] targetX;
    private final double[] targetRow;
    private final double[] targetCap;
    private final double[] targetTotal;
    private final double[] rhsX;
    private final double[] common;

    InteriorPoint(Rows rows) {
        this.rows = rows;
        connections = rows.connections();
        weights = Arrays.stream(rows.weight).sum();
        at = new PrimalDual(rows);
        step = new PrimalDual(rows);
        equations = new PriceEquations(rows);
        targetX = new double[rows.subflows()];
        targetRow = new double[rows.rows()];
        targetCap = new double[connections];
        targetTotal = new double[connections];
        rhsX = new double[rows.subflows()];
        common = new double[connections];
        bestPrices = new double[rows.rows()];
        bestRates = new double[rows.subflows()];
        full = new boolean[rows.rows()];
        empty = new boolean[rows.subflows()];
    }

    /** Solves; the answer is in {@link #bestRates}, {@link #bestPrices} and {@link #bestGap}. */
    void solve() {
        if (connections == 0) {
            bestGap = 0;
            return;
        }
        at.start(weights);
        int idle = 0;
        for (int i = 0; i < MOST_ITERATIONS && bestGap > TARGET && idle < MOST_WITHOUT_PROGRESS; i++) {
            double before = bestGap;
            iterate();
            measure();
            // Close to the end rounding grows as the products shrink: what no longer improves will get worse.
            idle = bestGap < before / 2 || bestGap > GOOD ? 0 : idle + 1;
        }
    }

    /** Takes one predictor-corrector step. */
    private void iterate() {
        equations.at(at);
        double mu = at.complementarity(step, 0);
        aim(0, 0);
        double reach = at.longest(step);
        double ahead = at.complementarity(step, reach) / mu;
        double centring = Math.max(ahead * ahead * ahead, LEAST_CENTRING);
        aim(centring * mu, reach * reach);
        if (at.longest(step) < SHORT) {
            aim(SHORT_CENTRING * mu, 0);
        }
        at.advance(step, Math.min(1, TO_BOUNDARY * at.longest(step)));
    }

    /** Computes the Newton step towards products of size mu, correcting for a part of those of the last step. */
    private void aim(double mu, double part) {
        for (int s = 0; s < targetX.length; s++) {
            targetX[s] = mu - part * step.x[s] * step.z[s];
        }
        for (int r = 0; r < targetRow.length; r++) {
            targetRow[r] = mu - part * step.slack[r] * step.y[r];
        }
        for (int c = 0; c < connections; c++) {
            targetCap[c] = mu - part * step.capSlack[c] * step.capPrice[c];
            targetTotal[c] = rows.weight[c] - part * step.total[c] * step.levelPrice[c];
        }
        stepPrices();
        for (int c = 0; c < connections; c++) {
            stepConnection(c);
        }
        stepSlacks();
    }

    private void stepPrices() {
        for (int r = 0; r < targetRow.length; r++) {
            step.y[r] = targetRow[r] / at.y[r] - rows.limit[r];
        }
        for (int c = 0; c < connections; c++) {
            common[c] = (targetTotal[c] - at.levelPrice[c] * at.total[c]) / at.total[c];
            if (at.capped(c)) {
                common[c] += (at.capPrice[c] * (at.capSlack[c] - capExcess(c)) - targetCap[c]) / at.capSlack[c];
            }
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                rhsX[s] = targetX[s] / at.x[s] - at.z[s] - dualExcess(s);
            }
            equations.applyK(c, rhsX, common[c], step.x);
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    step.y[rows.row[i]] += at.x[s] + step.x[s];
                }
            }
        }
        equations.solve(step.y);
    }

    private double capExcess(int c) {
        return at.total[c] + at.capSlack[c] - rows.cap[c];
    }

    /** Computes the steps of a connection from those of the prices. */
    private void stepConnection(int c) {
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                rhsX[s] -= step.y[rows.row[i]];
            }
        }
        equations.applyK(c, rhsX, common[c], step.x);
        double sum = 0;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            step.z[s] = (targetX[s] - at.z[s] * step.x[s]) / at.x[s] - at.z[s];
            sum += step.x[s];
        }
        step.total[c] = sum;
        step.levelPrice[c] = (targetTotal[c] - at.levelPrice[c] * sum) / at.total[c] - at.levelPrice[c];
        if (at.capped(c)) {
            step.capPrice[c] = (targetCap[c] + at.capPrice[c] * (sum + capExcess(c))) / at.capSlack[c] - at.capPrice[c];
            step.capSlack[c] = -sum - capExcess(c);
        }
    }

    private void stepSlacks() {
        for (int r = 0; r < targetRow.length; r++) {
            step.slack[r] = (targetRow[r] - at.slack[r] * step.y[r]) / at.y[r] - at.slack[r];
            if (equations.alone(r)) {
                step.slack[r] = rows.limit[r] - at.slack[r];
                for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
                    step.slack[r] -= at.x[rows.on[k]] + step.x[rows.on[k]];
                }
            }
        }
    }

    /** Returns by how much the prices of a subflow's rows and z miss the price of its connection. */
    private double dualExcess(int s) {
        int c = rows.connectionOf[s];
        double sum = at.capPrice[c] - at.levelPrice[c] - at.z[s];
        for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
            sum += at.y[rows.row[i]];
        }
        // Below this it is rounding, which a division by d would blow up.
        return Math.abs(sum) > Tolerances.ROUNDING * at.levelPrice[c] ? sum : 0;
    }

    /** Keeps rates and prices if the duality gap, with rates scaled to be feasible, is the smallest so far. */
    private void measure() {
        double feasible = 1 / at.largestLoad();
        double factor = weights / at.worth();
        double gap = 0;
        for (int r = 0; r < bestPrices.length; r++) {
            gap += factor * at.y[r] * rows.limit[r];
        }
        for (int c = 0; c < connections; c++) {
            double q = factor * at.cheapest(c);
            double best = Math.min(rows.weight[c] / q, rows.cap[c]);
            gap += rows.weight[c] * Math.log(best / (feasible * at.total[c])) - q * best;
        }
        if (gap / weights < bestGap) {
            bestGap = Math.max(0, gap / weights);
            keep(factor);
        }
    }

    private void keep(double factor) {
        for (int s = 0; s < bestRates.length; s++) {
            int c = rows.connectionOf[s];
            bestRates[s] = at.x[s];
            empty[s] = at.x[s] / at.total[c] < at.z[s] / at.levelPrice[c];
        }
        for (int r = 0; r < bestPrices.length; r++) {
            double price = factor * at.y[r];
            bestPrices[r] = price * rows.limit[r] > UNIMPORTANT * weights ? price : 0;
            full[r] = at.slack[r] / rows.limit[r] < at.y[r] * rows.limit[r] * full.length / weights;
        }
    }
}
