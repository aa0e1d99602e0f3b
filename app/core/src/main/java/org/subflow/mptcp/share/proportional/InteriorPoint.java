// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.proportional;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * A primal-dual interior-point method for max Σ w·log(total) on a {@link ScaledProblem}, with predictor and corrector steps
 * (S. Mehrotra, 1992). It keeps the feasible rates and the prices with the smallest duality gap. For one computation.
 */
public final class InteriorPoint {
    /** Stop at this duality gap, relative to the sum of weights. */
    private static final double TARGET = 1e-13;
    private static final double GOOD = 1e-7;
    private static final int MOST_ITERATIONS = 80;
    private static final int MOST_WITHOUT_PROGRESS = 5;
    /** A row whose price is worth less than this part of the weights gets the price 0. */
    private static final double UNIMPORTANT = 1e-13;
    private static final double LEAST_CENTRING = 1e-4;
    /** After a shorter step than this, the next is centred more. */
    private static final double SHORT = 0.1;
    private static final double SHORT_CENTRING = 0.5;
    private static final double TO_BOUNDARY = 0.995;

    /** The prices and rates with the smallest duality gap; prices are scaled so that Σ price·limit = Σ w. */
    public final double[] bestPrices;
    /** See {@link #bestPrices}. */
    public final double[] bestRates;
    private double bestGap = Double.POSITIVE_INFINITY;
    /** Rows that are full at the best prices: of slack and price, the price is the larger. */
    public final boolean[] full;
    /** Subflows that are empty at the best rates: of rate and multiplier, the multiplier is the larger. */
    public final boolean[] empty;

    private final ScaledProblem problem;
    private final int connections;
    private final double weights;
    private final PrimalDualPoint at;
    private final PrimalDualPoint step;
    private final PriceNewtonSystem equations;
    /** Targets of the products x·z, slack·y, cap slack·cap price, and total·level price. */
    private final double[] targetX;
    private final double[] targetRow;
    private final double[] targetCap;
    private final double[] targetTotal;
    private final double[] rhsX;
    private final double[] common;

    /** Prepares a computation. */
    public InteriorPoint(ScaledProblem problem) {
        this.problem = problem;
        connections = problem.connections();
        weights = Arrays.stream(problem.weight).sum();
        at = new PrimalDualPoint(problem);
        step = new PrimalDualPoint(problem);
        equations = new PriceNewtonSystem(problem);
        targetX = new double[problem.subflows()];
        targetRow = new double[problem.rows()];
        targetCap = new double[connections];
        targetTotal = new double[connections];
        rhsX = new double[problem.subflows()];
        common = new double[connections];
        bestPrices = new double[problem.rows()];
        bestRates = new double[problem.subflows()];
        full = new boolean[problem.rows()];
        empty = new boolean[problem.subflows()];
    }

    /** Solves; the answer is in {@link #bestRates} and {@link #bestPrices}. */
    public void solve() {
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
            // Near the end, rounding grows as the products shrink: a gap that no longer falls will rise.
            idle = bestGap < before / 2 || bestGap > GOOD ? 0 : idle + 1;
        }
    }

    /** Takes one predictor-corrector step. */
    private void iterate() {
        equations.at(at);
        double mu = at.complementarity(step, 0);
        aim(0, 0);
        double affine = at.longest(step);
        double ahead = at.complementarity(step, affine) / mu;
        double centring = Math.max(ahead * ahead * ahead, LEAST_CENTRING);
        aim(centring * mu, affine * affine);
        if (at.longest(step) < SHORT) {
            aim(SHORT_CENTRING * mu, 0);
        }
        at.advance(step, Math.min(1, TO_BOUNDARY * at.longest(step)));
    }

    /** Computes the Newton step towards products of size mu; {@code part} weighs the second-order correction. */
    private void aim(double mu, double part) {
        for (int s = 0; s < targetX.length; s++) {
            targetX[s] = mu - part * step.x[s] * step.z[s];
        }
        for (int r = 0; r < targetRow.length; r++) {
            targetRow[r] = mu - part * step.slack[r] * step.y[r];
        }
        for (int c = 0; c < connections; c++) {
            targetCap[c] = mu - part * step.capSlack[c] * step.capPrice[c];
            targetTotal[c] = problem.weight[c] - part * step.total[c] * step.levelPrice[c];
        }
        stepPrices();
        for (int c = 0; c < connections; c++) {
            stepConnection(c);
        }
        stepSlacks();
    }

    private void stepPrices() {
        for (int r = 0; r < targetRow.length; r++) {
            step.y[r] = targetRow[r] / at.y[r] - problem.limit[r];
        }
        for (int c = 0; c < connections; c++) {
            common[c] = (targetTotal[c] - at.levelPrice[c] * at.total[c]) / at.total[c];
            if (at.capped(c)) {
                common[c] += (at.capPrice[c] * (at.capSlack[c] - capExcess(c)) - targetCap[c]) / at.capSlack[c];
            }
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                rhsX[s] = targetX[s] / at.x[s] - at.z[s] - dualExcess(s);
            }
            equations.applyK(c, rhsX, common[c], step.x);
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                    step.y[problem.row[i]] += at.x[s] + step.x[s];
                }
            }
        }
        equations.solve(step.y);
    }

    private double capExcess(int c) {
        return at.total[c] + at.capSlack[c] - problem.cap[c];
    }

    /** Computes the steps of a connection from those of the prices. */
    private void stepConnection(int c) {
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                rhsX[s] -= step.y[problem.row[i]];
            }
        }
        equations.applyK(c, rhsX, common[c], step.x);
        double sum = 0;
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
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
                step.slack[r] = problem.limit[r] - at.slack[r];
                for (int k = problem.onStart[r]; k < problem.onStart[r + 1]; k++) {
                    step.slack[r] -= at.x[problem.on[k]] + step.x[problem.on[k]];
                }
            }
        }
    }

    /** Returns the dual residual of a subflow: prices of its rows, less z, less the price of its connection. */
    private double dualExcess(int s) {
        int c = problem.connectionOf[s];
        double sum = at.capPrice[c] - at.levelPrice[c] - at.z[s];
        for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
            sum += at.y[problem.row[i]];
        }
        // A smaller residual is rounding, which a division by d would magnify.
        return Math.abs(sum) > Tolerances.ROUNDING * at.levelPrice[c] ? sum : 0;
    }

    /** Keeps rates and prices if the duality gap, with rates scaled to be feasible, is the smallest so far. */
    private void measure() {
        double feasible = 1 / at.largestLoad();
        double factor = weights / at.worth();
        double gap = 0;
        for (int r = 0; r < bestPrices.length; r++) {
            gap += factor * at.y[r] * problem.limit[r];
        }
        for (int c = 0; c < connections; c++) {
            double q = factor * at.cheapest(c);
            double best = Math.min(problem.weight[c] / q, problem.cap[c]);
            gap += problem.weight[c] * Math.log(best / (feasible * at.total[c])) - q * best;
        }
        if (gap / weights < bestGap) {
            bestGap = Math.max(0, gap / weights);
            keep(factor);
        }
    }

    private void keep(double factor) {
        for (int s = 0; s < bestRates.length; s++) {
            int c = problem.connectionOf[s];
            bestRates[s] = at.x[s];
            empty[s] = at.x[s] / at.total[c] < at.z[s] / at.levelPrice[c];
        }
        for (int r = 0; r < bestPrices.length; r++) {
            double price = factor * at.y[r];
            bestPrices[r] = price * problem.limit[r] > UNIMPORTANT * weights ? price : 0;
            full[r] = at.slack[r] / problem.limit[r] < at.y[r] * problem.limit[r] * full.length / weights;
        }
    }
}
