// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.proportional;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * A point of the {@link InteriorPoint} method, or a step between points. It has rates x with multipliers z, and slack and
 * price of each row. Each connection has a total with a price, and slack and price of its cap. All values of a point are
 * above 0, except those of caps that do not exist.
 */
final class PrimalDualPoint {
    final double[] x;
    final double[] z;
    final double[] slack;
    final double[] y;
    final double[] total;
    /** Price of each connection; weight ÷ total at the optimum. */
    final double[] levelPrice;
    final double[] capSlack;
    final double[] capPrice;
    private final ScaledProblem problem;

    PrimalDualPoint(ScaledProblem problem) {
        this.problem = problem;
        x = new double[problem.subflows()];
        z = new double[problem.subflows()];
        slack = new double[problem.rows()];
        y = new double[problem.rows()];
        total = new double[problem.connections()];
        levelPrice = new double[problem.connections()];
        capSlack = new double[problem.connections()];
        capPrice = new double[problem.connections()];
    }

    boolean capped(int c) {
        return problem.cap[c] < Double.POSITIVE_INFINITY;
    }

    /** Becomes the starting point: each subflow at half of an equal share of its narrowest row. */
    void start(double weights) {
        for (int c = 0; c < total.length; c++) {
            double sum = 0;
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                x[s] = problem.cap[c];
                for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                    int r = problem.row[i];
                    x[s] = Math.min(x[s], problem.limit[r] / (problem.onStart[r + 1] - problem.onStart[r]));
                }
                x[s] /= 2;
                sum += x[s];
            }
            double part = sum > problem.cap[c] / 2 ? problem.cap[c] / 2 / sum : 1;
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                x[s] *= part;
            }
        }
        System.arraycopy(problem.limit, 0, slack, 0, slack.length);
        double mu = weights / (x.length + slack.length);
        for (int s = 0; s < x.length; s++) {
            z[s] = mu / x[s];
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                slack[problem.row[i]] -= x[s];
            }
        }
        for (int r = 0; r < slack.length; r++) {
            y[r] = mu / slack[r];
        }
        addUp();
        for (int c = 0; c < total.length; c++) {
            levelPrice[c] = problem.weight[c] / total[c];
            if (capped(c)) {
                capSlack[c] = problem.cap[c] - total[c];
                capPrice[c] = mu / capSlack[c];
            }
        }
    }

    private void addUp() {
        Arrays.fill(total, 0);
        for (int s = 0; s < x.length; s++) {
            total[problem.connectionOf[s]] += x[s];
        }
    }

    /** Returns the mean complementarity product after a step of the given length. */
    double complementarity(PrimalDualPoint step, double length) {
        double sum = 0;
        int pairs = x.length + slack.length;
        for (int s = 0; s < x.length; s++) {
            sum += (x[s] + length * step.x[s]) * (z[s] + length * step.z[s]);
        }
        for (int r = 0; r < slack.length; r++) {
            sum += (slack[r] + length * step.slack[r]) * (y[r] + length * step.y[r]);
        }
        for (int c = 0; c < total.length; c++) {
            if (capped(c)) {
                sum += (capSlack[c] + length * step.capSlack[c]) * (capPrice[c] + length * step.capPrice[c]);
                pairs++;
            }
        }
        return sum / pairs;
    }

    /** Returns the largest length, at most 1, of a step before a value is 0. */
    double longest(PrimalDualPoint step) {
        double least = boundary(x, step.x, 1);
        least = boundary(z, step.z, least);
        least = boundary(levelPrice, step.levelPrice, least);
        least = boundary(slack, step.slack, least);
        least = boundary(y, step.y, least);
        least = boundary(capSlack, step.capSlack, least);
        return boundary(capPrice, step.capPrice, least);
    }

    private static double boundary(double[] value, double[] step, double most) {
        double least = most;
        for (int i = 0; i < value.length; i++) {
            least = step[i] < 0 ? Math.min(least, -value[i] / step[i]) : least;
        }
        return least;
    }

    /** Takes a step. */
    void advance(PrimalDualPoint step, double length) {
        add(x, step.x, length);
        add(z, step.z, length);
        add(slack, step.slack, length);
        add(y, step.y, length);
        add(levelPrice, step.levelPrice, length);
        add(capSlack, step.capSlack, length);
        add(capPrice, step.capPrice, length);
        addUp();
    }

    private static void add(double[] to, double[] step, double length) {
        for (int i = 0; i < to.length; i++) {
            to[i] += length * step[i];
        }
    }

    /** Returns the largest load of a row or cap relative to its limit, or 1: rounding may put it above. */
    double largestLoad() {
        double largest = 1;
        for (int r = 0; r < slack.length; r++) {
            double load = 0;
            for (int k = problem.onStart[r]; k < problem.onStart[r + 1]; k++) {
                load += x[problem.on[k]];
            }
            largest = Math.max(largest, load / problem.limit[r]);
        }
        for (int c = 0; c < total.length; c++) {
            largest = Math.max(largest, total[c] / problem.cap[c]);
        }
        return largest;
    }

    /** Returns the worth of all limits and caps at the prices. */
    double worth() {
        double worth = 0;
        for (int r = 0; r < y.length; r++) {
            worth += y[r] * problem.limit[r];
        }
        for (int c = 0; c < total.length; c++) {
            worth += capped(c) ? capPrice[c] * problem.cap[c] : 0;
        }
        return worth;
    }

    /** Returns the price of the cheapest subflow of a connection. */
    double cheapest(int c) {
        double least = Double.POSITIVE_INFINITY;
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            double sum = 0;
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                sum += y[problem.row[i]];
            }
            least = Math.min(least, sum);
        }
        return least;
    }
}
