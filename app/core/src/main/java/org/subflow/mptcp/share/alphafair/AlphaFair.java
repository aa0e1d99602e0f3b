// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.alphafair;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * Approximates max Σ wᵅ·total¹⁻ᵅ/(1 − α), for α = 1 max Σ w·log(total), by prices of rows and caps. A connection's weight is divided
 * among its subflows, and a subflow's rate is its part of the weight, ÷ (the prices on its route)^(1/α). A sweep has two halves:
 * <ol>
 * <li>each row in turn gets the price at which it is full, or 0 if it is not full for nothing (coordinate descent on the dual);
 * <li>each connection's weight moves towards the parts that its subflows have of its total. Where it comes to rest, used subflows
 * cost the same, and no other costs less.
 * </ol>
 * The parts give a lower bound of a connection's utility, by Jensen's inequality; it is raised in turn with the rates. Moves get
 * shorter with each sweep, as weight that follows prices at once makes them swing. O(size of A) per sweep. For one computation.
 */
public final class AlphaFair {
    /** In sweep n, a subflow's part of the weight grows or falls by at most the factor 1 + 2/(10 + n). */
    private static final double MOST_GROWTH = 2;
    private static final double FIRST_SWEEPS = 10;
    private static final double LEAST_PART = 1e-9;
    private static final int NEWTON_STEPS = 30;
    /** Of the logarithm of a price in one step. */
    private static final double LONGEST_STEP = 30;
    /** A load may differ so much from its limit, relative. */
    private static final double NEAR = 1e-9;
    private static final double EXACT = 1e-12;
    /** Bound of weight ÷ capacity where prices are made of it: a smaller capacity is nearly absent, and powers of it are no numbers. */
    private static final double MOST_RATIO = 1e12;
    /** Sums of a route's prices and their squares are still numbers. */
    private static final double MOST_PRICE = 1e200;

    /** The rate of each subflow; feasible. */
    public final double[] rates;
    /** The price of each row. */
    public final double[] prices;
    /** The price of each connection's cap. */
    public final double[] capPrices;

    private final ScaledProblem problem;
    private final double alpha;
    /** The part of its connection's weight. */
    private final double[] part;
    /** The sum of the prices on a subflow's route, and of its connection's cap. */
    private final double[] pays;
    /** The most that a subflow can have: its narrowest row, or its connection's cap. */
    private final double[] most;

    /**
     * Prepares a computation.
     *
     * @param alpha at least 1; prices spread to its power, so 16 is a large one
     */
    public AlphaFair(ScaledProblem problem, double alpha) {
        this.problem = problem;
        this.alpha = alpha;
        rates = new double[problem.subflows()];
        prices = new double[problem.rows()];
        capPrices = new double[problem.connections()];
        part = new double[rates.length];
        pays = new double[rates.length];
        most = new double[rates.length];
        for (int s = 0; s < most.length; s++) {
            int r = problem.narrowest(s);
            most[s] = Math.min(problem.cap[problem.connectionOf[s]], r < 0 ? Double.POSITIVE_INFINITY : problem.limit[r]);
        }
    }

    /** Computes {@link #rates} and prices in so many sweeps. */
    public AlphaFair solve(int sweeps) {
        begin();
        for (int n = 1; n <= sweeps; n++) {
            for (int i = 0; i < prices.length; i++) {
                // There and back, so that news travels along routes both ways.
                int r = n % 2 == 0 ? i : prices.length - 1 - i;
                prices[r] = settle(problem.on, problem.onStart[r], problem.onStart[r + 1], problem.limit[r], prices[r]);
            }
            for (int c = 0; c < capPrices.length; c++) {
                if (problem.cap[c] < Double.POSITIVE_INFINITY) {
                    capPrices[c] = settle(null, problem.first[c], problem.first[c + 1], problem.cap[c], capPrices[c]);
                }
            }
            // Rounding would add up.
            sumPrices();
            move(1 + MOST_GROWTH / (FIRST_SWEEPS + n));
        }
        // Some rows are exceeded by some per cent.
        problem.fit(rates);
        return this;
    }

    private void begin() {
        for (int c = 0; c < capPrices.length; c++) {
            int count = problem.first[c + 1] - problem.first[c];
            Arrays.fill(part, problem.first[c], problem.first[c + 1], problem.weight[c] / count);
            capPrices[c] = price(problem.weight[c] / problem.cap[c]);
        }
        for (int r = 0; r < prices.length; r++) {
            prices[r] = alone(problem.on, problem.onStart[r], problem.onStart[r + 1], problem.limit[r]);
        }
        sumPrices();
    }

    private void sumPrices() {
        for (int s = 0; s < pays.length; s++) {
            pays[s] = capPrices[problem.connectionOf[s]];
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                pays[s] += prices[problem.row[i]];
            }
        }
    }

    /** Returns the price at which subflows fill a limit if they pay nothing else. */
    private double alone(int[] member, int from, int to, double limit) {
        double sum = 0;
        for (int k = from; k < to; k++) {
            sum += part[member == null ? k : member[k]];
        }
        return price(sum / limit);
    }

    private double price(double ratio) {
        return Math.pow(Math.min(MOST_RATIO, ratio), alpha);
    }

    /**
     * Finds the price at which some subflows fill a limit together, by Newton's method for logarithms of load and price.
     *
     * @param member numbers of the subflows; null if they are the indices themselves
     * @param from   first index
     * @param to     index after the last
     * @return the price; 0 if they do not fill it for nothing
     */
    private double settle(int[] member, int from, int to, double limit, double old) {
        double price = old;
        for (int step = 0; step < NEWTON_STEPS; step++) {
            double load = 0;
            double fall = 0;
            boolean isOnly = false;
            for (int k = from; k < to; k++) {
                int s = member == null ? k : member[k];
                double others = others(s, old);
                double all = others + price;
                isOnly |= others == 0;
                double rate = part[s] * power(all);
                load += rate;
                fall += rate / all;
            }
            double excess = Math.log(load / limit);
            double slope = price * fall / (alpha * load);
            if (price == 0 && excess <= 0 || excess < 0 && slope < EXACT && !isOnly) {
                price = 0;
                break;
            } else if (Math.abs(excess) <= NEAR) {
                break;
            } else if (price == 0) {
                price = alone(member, from, to, limit);
            } else {
                price = Math.min(MOST_PRICE, price * Math.exp(Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, excess / slope))));
            }
        }
        for (int k = from; k < to && price != old; k++) {
            int s = member == null ? k : member[k];
            pays[s] = others(s, old) + price;
        }
        return price;
    }

    private double power(double all) {
        return alpha == 1 ? 1 / all : Math.pow(all, -1 / alpha);
    }

    /** Returns what a subflow pays but for one price. */
    private double others(int s, double price) {
        double others = pays[s] - price;
        return others > EXACT * price ? others : 0;
    }

    private void move(double fastest) {
        for (int c = 0; c < capPrices.length; c++) {
            double total = 0;
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                rates[s] = Math.min(most[s], part[s] * power(pays[s]));
                total += rates[s];
            }
            double sum = 0;
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                double growth = rates[s] / total * problem.weight[c] / part[s];
                part[s] = Math.max(LEAST_PART * problem.weight[c], part[s] * Math.max(1 / fastest, Math.min(fastest, growth)));
                sum += part[s];
            }
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                part[s] *= problem.weight[c] / sum;
            }
        }
    }
}
