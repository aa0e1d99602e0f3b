// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * A point of the {@link InteriorPoint} method, or a step from one: rates x with their multipliers z, slack and price of
 * each row, and for each connection its total with what it pays per unit, and slack and price of its cap.
 *
 * <p>Of a point all are above 0, but those of caps that there are not.
 */
final class PrimalDual {
    final double[] x;
    final double[] z;
    final double[] slack;
    final double[] y;
    final double[] total;
    /** What each connection pays per unit; weight ÷ total in the end. */
    final double[] levelPrice;
    final double[] capSlack;
    final double[] capPrice;
    private final Rows rows;

    PrimalDual(Rows rows) {
        this.rows = rows;
        x = new double[rows.subflows()];
        z = new double[rows.subflows()];
        slack = new double[rows.rows()];
        y = new double[rows.rows()];
        total = new double[rows.connections()];
        levelPrice = new double[rows.connections()];
        capSlack = new double[rows.connections()];
        capPrice = new double[rows.connections()];
    }

    boolean capped(int c) {
        return rows.cap[c] < Double.POSITIVE_INFINITY;
    }

    /** Becomes a point to start from: half of what an even share of each row would let subflows have. */
    void start(double weights) {
        for (int c = 0; c < total.length; c++) {
            double sum = 0;
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                x[s] = rows.cap[c];
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    int r = rows.row[i];
                    x[s] = Math.min(x[s], rows.limit[r] / (rows.onStart[r + 1] - rows.onStart[r]));
                }
                x[s] /= 2;
                sum += x[s];
            }
            double part = sum > rows.cap[c] / 2 ? rows.cap[c] / 2 / sum : 1;
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                x[s] *= part;
            }
        }
        System.arraycopy(rows.limit, 0, slack, 0, slack.length);
        double mu = weights / (x.length + slack.length);
        for (int s = 0; s < x.length; s++) {
            z[s] = mu / x[s];
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                slack[rows.row[i]] -= x[s];
            }
        }
        for (int r = 0; r < slack.length; r++) {
            y[r] = mu / slack[r];
        }
        addUp();
        for (int c = 0; c < total.length; c++) {
            levelPrice[c] = rows.weight[c] / total[c];
            if (capped(c)) {
                capSlack[c] = rows.cap[c] - total[c];
                capPrice[c] = mu / capSlack[c];
            }
        }
    }

    private void addUp() {
        Arrays.fill(total, 0);
        for (int s = 0; s < x.length; s++) {
            total[rows.connectionOf[s]] += x[s];
        }
    }

    /** Returns the mean product of what should be complementary, some way along a step. */
    double complementarity(PrimalDual step, double length) {
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

    /** Returns how far a step can go, at most 1, before something is 0. */
    double longest(PrimalDual step) {
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
    void advance(PrimalDual step, double length) {
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
            for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
                load += x[rows.on[k]];
            }
            largest = Math.max(largest, load / rows.limit[r]);
        }
        for (int c = 0; c < total.length; c++) {
            largest = Math.max(largest, total[c] / rows.cap[c]);
        }
        return largest;
    }

    /** Returns what all limits and caps are worth. */
    double worth() {
        double worth = 0;
        for (int r = 0; r < y.length; r++) {
            worth += y[r] * rows.limit[r];
        }
        for (int c = 0; c < total.length; c++) {
            worth += capped(c) ? capPrice[c] * rows.cap[c] : 0;
        }
        return worth;
    }

    /** Returns what the cheapest subflow of a connection pays to rows. */
    double cheapest(int c) {
        double least = Double.POSITIVE_INFINITY;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            double sum = 0;
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                sum += y[rows.row[i]];
            }
            least = Math.min(least, sum);
        }
        return least;
    }
}
