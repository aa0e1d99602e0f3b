// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.split;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * Splits given totals of connections over their subflows: the feasible split with the least sum of squares.
 *
 * <p>With prices λ of rows, a subflow of price p has the rate x = max(0, ν − p). The level ν of its connection makes the
 * total right. The right prices maximise the dual: concave, in quadratic pieces, with gradient load − limit. Scheme:
 * <ol>
 * <li>begin with given prices, or without prices, which means even splits;
 * <li>take a damped Newton step on the present piece, over rows with a price or an excess load; halve it until the dual
 * rises;
 * <li>damp less after full steps, more after short ones; repeat until loads fit, or prices prove that none can: where
 * totals are infeasible, the dual rises without limit.
 * </ol>
 * Near the solution, a step that would make prices negative is computed again with these prices held at 0.
 *
 * <p>The caller states which rows are full and which rates are known, mostly 0, in every feasible split. A full row has
 * a price of either sign, a subflow with a known rate takes no part. Where one split alone is feasible, no prices may exist that
 * lead to it, or only very large ones.
 *
 * <p>Mostly 5 to 30 steps; {@link SplitNewtonSystem} states the cost of one. L. Qi, J. Sun, "A nonsmooth version of
 * Newton's method", 1993.
 */
public final class LeastSquaresSplit {
    /** The method ends where no load exceeds its limit by more than this part. */
    private static final double TARGET = 1e-11;
    /** With a larger misfit, the totals count as infeasible. */
    private static final double GOOD_ENOUGH = 1e-8;
    /** Relative: totals that violate a bound by more are infeasible. It is no more than a misfit that is good enough. */
    private static final double PROOF = GOOD_ENOUGH;
    private static final double FIRST_DAMPING = 1e-2;
    private static final double LEAST_DAMPING = 1e-12;
    private static final double MOST_DAMPING = 1e6;
    /** Part of the predicted rise of the dual that a step must reach (L. Armijo, 1966). */
    private static final double SUFFICIENT = 1e-4;
    /** Least accuracy of a Newton step; it grows as the misfit falls. */
    private static final double ROUGHLY = 1e-2;
    /** Below this misfit, a step that makes prices negative is computed again. */
    private static final double NEAR = 1e-2;
    private static final int MOST_CORRECTIONS = 3;
    /** The usual bound on steps. */
    public static final int MOST_STEPS = 200;
    private static final double SHORTEST = 1e-9;
    private static final int MOST_IDLE = 2;

    private final ScaledProblem problem;
    private final double[] total;
    private final boolean[] full;
    /** What {@link #known} subflows leave of each limit. */
    private final double[] limit;
    private final boolean[] known;
    private final double[] knownRates;
    private Point here;
    private Point next;

    private final double[] step;
    private final double[] plainStep;
    private final SplitNewtonSystem equations;

    /**
     * Splits.
     *
     * @param totals total of each connection, in scaled units; kept
     * @param full   rows that are full in every feasible split; kept
     * @param empty  subflows that are empty in every feasible split, but not all of a connection; kept
     * @param prices prices of rows to begin with; zeros if none are known
     */
    public LeastSquaresSplit(ScaledProblem problem, double[] totals, boolean[] full, boolean[] empty, double[] prices) {
        this(problem, totals, full, empty, new double[empty.length], prices, MOST_STEPS);
    }

    /**
     * Splits where some rates are known.
     *
     * @param totals total of each connection, in scaled units
     * @param full   rows that are full in every feasible split
     * @param known  subflows with the same rate in every feasible split; kept
     * @param rates  their rates, and 0 for all others; kept
     * @param prices prices of rows to begin with; zeros if none are known
     * @param most   bound on the steps
     */
    public LeastSquaresSplit(ScaledProblem problem, double[] totals, boolean[] full, boolean[] known, double[] rates,
                             double[] prices, int most) {
        this.problem = problem;
        this.known = known;
        this.knownRates = rates;
        this.full = new boolean[problem.rows()];
        total = totals.clone();
        limit = problem.limit.clone();
        subtractKnown(full);
        here = new Point();
        next = new Point();
        for (int r = 0; r < prices.length; r++) {
            here.price[r] = this.full[r] ? prices[r] : Math.max(0, prices[r]);
        }
        step = new double[problem.rows()];
        plainStep = new double[problem.rows()];
        equations = new SplitNewtonSystem(problem);
        solve(most);
    }

    /** Takes known rates from totals and limits; what is left of a connection or row that has no other is rounding. */
    private void subtractKnown(boolean[] givenFull) {
        for (int c = 0; c < total.length; c++) {
            boolean hasOther = false;
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                total[c] -= knownRates[s];
                hasOther |= !known[s];
                for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                    limit[problem.row[i]] -= knownRates[s];
                    full[problem.row[i]] |= !known[s] && givenFull[problem.row[i]];
                }
            }
            total[c] = hasOther ? Math.max(0, total[c]) : 0;
        }
    }

    /** Returns the rates of subflows in scaled units; where they {@link #fits fit}, loads are exact up to rounding. */
    public double[] rates() {
        double[] rates = here.rate.clone();
        for (int s = 0; s < rates.length; s++) {
            rates[s] += knownRates[s];
        }
        return rates;
    }

    /** Returns the prices of rows, λ. */
    public double[] prices() {
        return here.price;
    }

    /** Tells whether loads fit up to rounding; if not, the totals are infeasible or nearly so. */
    public boolean fits() {
        return here.misfit <= GOOD_ENOUGH;
    }

    /** Tells whether the prices prove that the totals are infeasible: what they pay is more than all limits are worth. */
    public boolean provesInfeasible() {
        return here.isProof;
    }

    private void solve(int most) {
        here.evaluate();
        double damping = Math.max(LEAST_DAMPING, Math.min(FIRST_DAMPING, here.misfit / 100));
        int idle = 0;
        for (int steps = 0; steps < most && here.misfit > TARGET && idle < MOST_IDLE && !here.isProof; steps++) {
            double length = walk(damping);
            if (length == 0) {
                damping *= 100;
                idle += damping > MOST_DAMPING ? MOST_IDLE : 0;
                continue;
            }
            // Totals that are infeasible by rounding leave a misfit that no step removes.
            idle = next.misfit < GOOD_ENOUGH && next.misfit > here.misfit / 2 ? idle + 1 : 0;
            Point before = here;
            here = next;
            next = before;
            damping = length == 1 ? Math.min(damping / 10, here.misfit / 100) : length < 0.2 ? damping * 10 : damping;
            damping = Math.max(LEAST_DAMPING, damping);
        }
    }

    /** Takes a step into {@link #next}; returns the part of the Newton step taken, 0 if no part raises the dual. */
    private double walk(double damping) {
        direction(damping);
        if (here.misfit < NEAR) {
            System.arraycopy(step, 0, plainStep, 0, step.length);
            if (correct() && improves(1)) {
                return 1;
            }
            System.arraycopy(plainStep, 0, step, 0, step.length);
        }
        for (double length = 1; length > SHORTEST; length /= 2) {
            if (improves(length)) {
                return length;
            }
        }
        return 0;
    }

    /** Takes a part of the step into {@link #next}; tells whether that raises the dual enough. */
    private boolean improves(double length) {
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

    /** Computes the Newton step over rows that are full, have a price, or have an excess load. */
    private void direction(double damping) {
        equations.choose(r -> full[r] || here.price[r] > 0 || here.excess[r] > 0);
        equations.build(here.rate, damping);
        Arrays.fill(step, 0);
        equations.solve(here.excess, accuracy(), step);
    }

    private double accuracy() {
        return Math.min(ROUGHLY, Math.max(here.misfit / 10, TARGET / here.misfit / 10));
    }

    /** Computes the step again with prices held at 0 that it would make negative; tells whether there are any. */
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

    /** Prices of rows with the rates, loads and dual value that follow. */
    private final class Point {
        private final double[] price = new double[problem.rows()];
        private final double[] rate = new double[problem.subflows()];
        private final double[] excess = new double[problem.rows()];
        private double value;
        private double misfit;
        /** Σ price of the cheapest subflow · total, which is at most Σ price · limit for totals that are feasible. */
        private double payments;
        private boolean isProof;

        private void evaluate() {
            payments = 0;
            double worth = 0;
            double most = 0;
            for (int r = 0; r < price.length; r++) {
                excess[r] = -limit[r];
                worth += price[r] * limit[r];
                most += Math.abs(price[r]) * problem.limit[r];
            }
            value = -worth;
            for (int c = 0; c < total.length; c++) {
                share(c);
            }
            isProof = payments - worth > PROOF * most;
            misfit = 0;
            for (int r = 0; r < price.length; r++) {
                double off = full[r] || price[r] > 0 ? Math.abs(excess[r]) : Math.max(0, excess[r]);
                misfit = off > misfit * problem.limit[r] ? off / problem.limit[r] : misfit;
            }
        }

        /**
         * Returns the level to which a total fills up the prices of subflows from {@code from} to {@code to}; 0 if there is
         * nothing to split, or nothing that it can be split among.
         */
        private double level(int from, int to, double amount) {
            double level = Double.POSITIVE_INFINITY;
            int used = amount > 0 ? Integer.MAX_VALUE : 0;
            // Each round leaves out further subflows, those with prices above the level, so there are few rounds.
            for (int before = 0; used > 0 && used != before;) {
                before = used;
                double sum = amount;
                used = 0;
                for (int s = from; s < to; s++) {
                    if (rate[s] < level) {
                        sum += rate[s];
                        used++;
                    }
                }
                level = Math.min(level, sum / used);
            }
            return level > 0 && level < Double.POSITIVE_INFINITY ? level : 0;
        }

        /** Splits a total by the prices of subflows; {@code rate} first holds these prices. */
        private void share(int c) {
            int from = problem.first[c];
            int to = problem.first[c + 1];
            for (int s = from; s < to; s++) {
                rate[s] = known[s] ? Double.POSITIVE_INFINITY : 0;
                for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                    rate[s] += price[problem.row[i]];
                }
            }
            double cheapest = Double.POSITIVE_INFINITY;
            for (int s = from; s < to; s++) {
                cheapest = Math.min(cheapest, rate[s]);
            }
            payments += total[c] > 0 ? cheapest * total[c] : 0;
            double level = level(from, to, total[c]);
            for (int s = from; s < to; s++) {
                double paid = rate[s];
                rate[s] = Math.max(0, level - paid);
                value += rate[s] > 0 ? rate[s] * (rate[s] / 2 + paid) : 0;
                for (int i = problem.rowStart[s]; rate[s] > 0 && i < problem.rowStart[s + 1]; i++) {
                    excess[problem.row[i]] += rate[s];
                }
            }
        }
    }
}
