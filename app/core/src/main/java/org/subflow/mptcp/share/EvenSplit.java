// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * Splits given totals of connections over their subflows: the feasible split with the least sum of squares, which is
 * unique, and as even as the rows allow.
 *
 * <p>Given prices λ of rows, a subflow that pays p gets x = max(0, ν − p), with the ν of its connection that makes the
 * total right. The right prices maximise a concave function whose gradient is load − limit (its dual), made of quadratic
 * pieces. Scheme:
 * <ol>
 * <li>begin without prices, so with even splits;
 * <li>take a damped Newton step on the piece at hand, over the rows that have a price or too much load; halve it until
 * it pays;
 * <li>less damping after full steps, more after short ones; until loads fit.
 * </ol>
 * Near the end the step is computed once more around the prices that it would bring below 0.
 *
 * <p>What is known to be full or empty in every feasible split is given as such: a full row has a price of either sign, an
 * empty subflow takes no part. Where only one split is possible this is what keeps prices bounded.
 *
 * <p>Mostly 5 to 30 steps; what one of them takes see {@link SplitEquations}. L. Qi, J. Sun, "A nonsmooth version of
 * Newton's method", 1993.
 */
final class EvenSplit {
    /** Loads fit if off by no more than this part of the limit. */
    private static final double TARGET = 1e-11;
    private static final double GOOD_ENOUGH = 1e-8;
    private static final double FIRST_DAMPING = 1e-2;
    private static final double LEAST_DAMPING = 1e-12;
    private static final double MOST_DAMPING = 1e6;
    private static final double SUFFICIENT = 1e-4;
    /** A step is computed no more exactly than it will turn out to be right. */
    private static final double ROUGHLY = 1e-2;
    /** Where the misfit is below this, a step is corrected. */
    private static final double NEAR = 1e-2;
    private static final int MOST_CORRECTIONS = 3;
    private static final int MOST_STEPS = 200;
    private static final double SHORTEST = 1e-9;
    private static final int MOST_IDLE = 2;

    private final Rows rows;
    private final double[] total;
    private final boolean[] full;
    private final boolean[] empty;
    private Point here;
    private Point next;

    private final double[] step;
    private final double[] plainStep;
    private final SplitEquations equations;

    /**
     * Splits.
     *
     * @param totals what each connection gets, in scaled units; kept
     * @param full   rows that are full in every feasible split; kept
     * @param empty  subflows that are empty in every feasible split, but not all of a connection; kept
     * @param prices prices of rows to begin with, zeros if nothing is known
     */
    EvenSplit(Rows rows, double[] totals, boolean[] full, boolean[] empty, double[] prices) {
        this.rows = rows;
        this.total = totals;
        this.full = full;
        this.empty = empty;
        here = new Point();
        next = new Point();
        for (int r = 0; r < prices.length; r++) {
            here.price[r] = full[r] ? prices[r] : Math.max(0, prices[r]);
        }
        step = new double[rows.rows()];
        plainStep = new double[rows.rows()];
        equations = new SplitEquations(rows);
        solve();
    }

    /** Returns the rates of subflows in scaled units; loads are off by some rounding, if they {@link #fits fit}. */
    double[] rates() {
        return here.rate;
    }

    /** Returns the prices of rows. */
    double[] prices() {
        return here.price;
    }

    /** Tells whether loads fit but for rounding; otherwise the totals given are not feasible, or nearly not. */
    boolean fits() {
        return here.misfit <= GOOD_ENOUGH;
    }

    private void solve() {
        here.evaluate();
        double damping = Math.max(LEAST_DAMPING, Math.min(FIRST_DAMPING, here.misfit / 100));
        int idle = 0;
        for (int steps = 0; steps < MOST_STEPS && here.misfit > TARGET && idle < MOST_IDLE; steps++) {
            double length = walk(damping);
            if (length == 0) {
                damping *= 100;
                idle += damping > MOST_DAMPING ? MOST_IDLE : 0;
                continue;
            }
            // Totals that are a trifle too much leave a misfit that no step takes away.
            idle = next.misfit < GOOD_ENOUGH && next.misfit > here.misfit / 2 ? idle + 1 : 0;
            Point before = here;
            here = next;
            next = before;
            damping = length == 1 ? Math.min(damping / 10, here.misfit / 100) : length < 0.2 ? damping * 10 : damping;
            damping = Math.max(LEAST_DAMPING, damping);
        }
    }

    /** Puts the point that the next step leads to into {@link #next}; returns the part of the step taken, 0 if none helps. */
    private double walk(double damping) {
        direction(damping);
        if (here.misfit < NEAR) {
            System.arraycopy(step, 0, plainStep, 0, step.length);
            if (correct() && pays(1)) {
                return 1;
            }
            System.arraycopy(plainStep, 0, step, 0, step.length);
        }
        for (double length = 1; length > SHORTEST; length /= 2) {
            if (pays(length)) {
                return length;
            }
        }
        return 0;
    }

    /** Puts the point that a step leads to into {@link #next}, and tells whether it is better. */
    private boolean pays(double length) {
        double slope = 0;
        for (int r = 0; r < step.length; r++) {
            double price = here.price[r] + length * step[r];
            next.price[r] = full[r] ? price : Math.max(0, price);
            slope += here.excess[r] * (next.price[r] - here.price[r]);
        }
        next.evaluate();
        boolean higher = slope > 0 && next.value >= here.value + SUFFICIENT * slope;
        boolean same = Math.abs(next.value - here.value) < Tolerances.ROUNDING * Math.abs(here.value);
        return higher || same && next.misfit < here.misfit / 2;
    }

    /** Computes the Newton step over the rows that matter. */
    private void direction(double damping) {
        equations.choose(r -> full[r] || here.price[r] > 0 || here.excess[r] > 0);
        equations.build(here.rate, damping);
        Arrays.fill(step, 0);
        equations.solve(here.excess, accuracy(), step);
    }

    private double accuracy() {
        return Math.min(ROUGHLY, Math.max(here.misfit / 10, TARGET / here.misfit / 10));
    }

    /** Computes the step again such that prices which it would bring below 0 come to 0; tells whether there are any. */
    private boolean correct() {
        boolean corrected = false;
        for (int i = 0; i < MOST_CORRECTIONS; i++) {
            boolean more = false;
            for (int r = 0; r < step.length; r++) {
                if (!full[r] && equations.has(r) && here.price[r] + step[r] < 0) {
                    step[r] = -here.price[r];
                    equations.hold(r);
                    more = true;
                }
            }
            if (!more) {
                return corrected;
            }
            corrected = true;
            equations.solve(here.excess, accuracy(), step);
        }
        return corrected;
    }

    /** Prices and what follows from them. */
    private final class Point {
        private final double[] price = new double[rows.rows()];
        private final double[] rate = new double[rows.subflows()];
        private final double[] excess = new double[rows.rows()];
        private double value;
        private double misfit;

        private void evaluate() {
            value = 0;
            for (int r = 0; r < price.length; r++) {
                excess[r] = -rows.limit[r];
                value -= price[r] * rows.limit[r];
            }
            for (int c = 0; c < total.length; c++) {
                share(c);
            }
            misfit = 0;
            for (int r = 0; r < price.length; r++) {
                double off = full[r] || price[r] > 0 ? Math.abs(excess[r]) : Math.max(0, excess[r]);
                misfit = off > misfit * rows.limit[r] ? off / rows.limit[r] : misfit;
            }
        }

        /** Shares a total among subflows by what they pay; {@code rate} holds what they pay on the way. */
        private void share(int c) {
            int from = rows.first[c];
            int to = rows.first[c + 1];
            for (int s = from; s < to; s++) {
                rate[s] = empty[s] ? Double.POSITIVE_INFINITY : 0;
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    rate[s] += price[rows.row[i]];
                }
            }
            double level = Double.POSITIVE_INFINITY;
            for (double before = 0; level != before;) {
                before = level;
                double sum = total[c];
                int used = 0;
                for (int s = from; s < to; s++) {
                    if (rate[s] < before) {
                        sum += rate[s];
                        used++;
                    }
                }
                level = Math.min(before, sum / used);
            }
            for (int s = from; s < to; s++) {
                double paid = rate[s];
                rate[s] = Math.max(0, level - paid);
                value += rate[s] > 0 ? rate[s] * (rate[s] / 2 + paid) : 0;
                for (int i = rows.rowStart[s]; rate[s] > 0 && i < rows.rowStart[s + 1]; i++) {
                    excess[rows.row[i]] += rate[s];
                }
            }
        }
    }
}
