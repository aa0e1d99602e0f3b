// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.proportional;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * Approximates max Σ w·log(total) by prices alone, in sweeps that cost little more than reading the problem. The weight of a
 * connection is divided among its subflows, and a subflow's rate is its part of the weight ÷ the prices on its route. A sweep has
 * two halves:
 * <ol>
 * <li>each row in turn gets the price at which it is full, or 0 if it is not full for nothing (coordinate descent on the dual);
 * <li>each connection's weight moves towards the parts that its subflows have of its total. Where it comes to rest, used subflows
 * cost the same, and no other costs less: Kelly's conditions.
 * </ol>
 * Moves get shorter with each sweep, as weight that follows prices at once makes them swing. On a 16-ary fat tree with 1,000
 * connections over random paths, 200 sweeps leave a duality gap below 1 % of the weights. For one computation.
 */
public final class PriceSweeps {
    private static final int SWEEPS = 200;
    /** In sweep n, a subflow's part of the weight grows or falls by at most the factor 1 + 2/(10 + n). */
    private static final double MOST_GROWTH = 2;
    private static final double FIRST_SWEEPS = 10;
    private static final double LEAST_PART = 1e-9;
    private static final int NEWTON_STEPS = 8;
    private static final double EXACT = 1e-12;

    /** The rate of each subflow; rows may be exceeded by some per cent. */
    public final double[] rates;
    /** The price of each row, scaled so that those of rows and caps together are worth Σ w. */
    public final double[] prices;

    private final ScaledProblem problem;
    private final double[] part;
    /** The sum of the prices on a subflow's route, and of its connection's cap. */
    private final double[] pays;
    private final double[] capPrice;

    /** Prepares a computation. */
    public PriceSweeps(ScaledProblem problem) {
        this.problem = problem;
        rates = new double[problem.subflows()];
        prices = new double[problem.rows()];
        part = new double[rates.length];
        pays = new double[rates.length];
        capPrice = new double[problem.connections()];
    }

    /** Computes {@link #rates} and {@link #prices}. */
    public void solve() {
        begin();
        for (int n = 1; n <= SWEEPS; n++) {
            for (int i = 0; i < prices.length; i++) {
                // There and back, so that news travels along routes both ways.
                int r = n % 2 == 0 ? i : prices.length - 1 - i;
                prices[r] = settle(problem.on, problem.onStart[r], problem.onStart[r + 1], problem.limit[r], prices[r]);
            }
            settleCaps();
            move(1 + MOST_GROWTH / (FIRST_SWEEPS + n));
        }
        scalePrices();
    }

    private void begin() {
        for (int c = 0; c < capPrice.length; c++) {
            int count = problem.first[c + 1] - problem.first[c];
            Arrays.fill(part, problem.first[c], problem.first[c + 1], problem.weight[c] / count);
            capPrice[c] = problem.weight[c] / problem.cap[c];
        }
        for (int r = 0; r < prices.length; r++) {
            for (int k = problem.onStart[r]; k < problem.onStart[r + 1]; k++) {
                prices[r] += part[problem.on[k]] / problem.limit[r];
            }
        }
        for (int s = 0; s < pays.length; s++) {
            pays[s] = capPrice[problem.connectionOf[s]];
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                pays[s] += prices[problem.row[i]];
            }
        }
    }

    private void settleCaps() {
        for (int c = 0; c < capPrice.length; c++) {
            if (problem.cap[c] < Double.POSITIVE_INFINITY) {
                capPrice[c] = settle(null, problem.first[c], problem.first[c + 1], problem.cap[c], capPrice[c]);
            }
        }
    }

    /**
     * Finds the price at which some subflows fill a limit together.
     *
     * @param member numbers of the subflows; null if they are the indices themselves
     * @param from   first index
     * @param to     index after the last
     * @return the price; 0 if they do not fill it for nothing
     */
    private double settle(int[] member, int from, int to, double limit, double old) {
        double price = old;
        for (int step = 0; step < NEWTON_STEPS; step++) {
            double excess = -limit;
            double slope = 0;
            for (int k = from; k < to; k++) {
                int s = member == null ? k : member[k];
                double all = others(s, old) + price;
                excess += part[s] / all;
                slope += part[s] / (all * all);
            }
            double next = price + excess / slope;
            if (!(next > 0)) {
                // Loads are convex in the price: Newton's method comes from below, once it is there.
                next = fits(member, from, to, limit, old) ? 0 : price / 2;
            }
            boolean isThere = Math.abs(next - price) <= EXACT * price || next == 0;
            price = next;
            if (isThere) {
                break;
            }
        }
        for (int k = from; k < to && price != old; k++) {
            int s = member == null ? k : member[k];
            pays[s] = others(s, old) + price;
        }
        return price;
    }

    /** Returns what a subflow pays but for one price. */
    private double others(int s, double price) {
        double others = pays[s] - price;
        return others > EXACT * price ? others : 0;
    }

    /** Returns whether subflows do not exceed a limit without a price there. */
    private boolean fits(int[] member, int from, int to, double limit, double old) {
        double load = 0;
        for (int k = from; k < to; k++) {
            int s = member == null ? k : member[k];
            load += part[s] / others(s, old);
        }
        return load <= limit;
    }

    private void move(double most) {
        for (int c = 0; c < capPrice.length; c++) {
            double total = 0;
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                rates[s] = part[s] / pays[s];
                total += rates[s];
            }
            double sum = 0;
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                double growth = rates[s] / total * problem.weight[c] / part[s];
                part[s] = Math.max(LEAST_PART * problem.weight[c], part[s] * Math.max(1 / most, Math.min(most, growth)));
                sum += part[s];
            }
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                part[s] *= problem.weight[c] / sum;
            }
        }
    }

    private void scalePrices() {
        double worth = 0;
        for (int r = 0; r < prices.length; r++) {
            worth += prices[r] * problem.limit[r];
        }
        for (int c = 0; c < capPrice.length; c++) {
            worth += capPrice[c] > 0 ? capPrice[c] * problem.cap[c] : 0;
        }
        double factor = Arrays.stream(problem.weight).sum() / worth;
        for (int r = 0; r < prices.length; r++) {
            prices[r] *= worth > 0 ? factor : 1;
        }
    }
}
