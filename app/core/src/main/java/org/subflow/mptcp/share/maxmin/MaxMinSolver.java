// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import java.util.List;
import org.subflow.mptcp.share.linear.RowPrices;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;
import org.subflow.mptcp.share.split.LeastSquaresSplit;

/**
 * Solves one {@link ScaledProblem} for max-min fair totals and splits them over subflows. The package description gives the
 * method. Scaled units. Results may be read by any thread; the solver of the next version changes the simplex.
 */
public final class MaxMinSolver {
    /** In {@link #cutOf}: a connection that no cut has stopped, but its cap or its own routes. */
    public static final int NO_CUT = WaterFilling.OWN_BOUND;
    /** An answer with a larger shortfall is computed once more, from another start. */
    static final double ACCEPTED = 1e-6;

    private final ScaledProblem problem;
    private final double[] own;
    private final ParametricSimplex simplex;
    private final List<Cut> cuts;
    private final WaterFilling levels;
    private final LeastSquaresSplit split;
    private final double[] rates;
    private final double[] totals;
    private final long coldPivots;

    private MaxMinSolver(ScaledProblem problem, double[] own, ParametricSimplex simplex, List<Cut> cuts, double[] prices,
                         long coldPivots) {
        this.problem = problem;
        this.own = own;
        this.simplex = simplex;
        this.cuts = cuts;
        this.coldPivots = coldPivots;
        levels = new WaterFilling(problem, own, cuts);
        split = split(prices);
        rates = (split.fits() ? split.rates() : simplex.solution.rate).clone();
        problem.fit(rates);
        totals = new double[own.length];
        for (int s = 0; s < rates.length; s++) {
            totals[problem.connectionOf[s]] += rates[s];
        }
    }

    /** Solves a problem from a cold start. */
    public static MaxMinSolver of(ScaledProblem problem) {
        MaxMinSolver solver = fill(problem, true);
        if (solver.shortfall() > ACCEPTED) {
            MaxMinSolver other = fill(problem, false);
            return other.shortfall() < solver.shortfall() ? other : solver;
        }
        return solver;
    }

    private static MaxMinSolver fill(ScaledProblem problem, boolean guess) {
        ProgressiveFilling filling = new ProgressiveFilling(problem, guess);
        return new MaxMinSolver(problem, ownBounds(problem), filling.simplex(), filling.cuts(),
                new double[problem.rows()], filling.simplex().pivots());
    }

    /**
     * Solves the next version of a problem, from a warm start if that succeeds.
     *
     * @param before the solver of the last version; its results stay, but it can be the start of one version only
     */
    public static MaxMinSolver after(MaxMinSolver before, ScaledProblem problem) {
        double[] own = ownBounds(problem);
        WarmStart start = WarmStart.of(before, problem, own);
        if (start != null) {
            MaxMinSolver solver = new MaxMinSolver(problem, own, start.simplex(), start.cuts(), start.splitPrices(),
                    before.coldPivots);
            if (solver.shortfall() <= ACCEPTED) {
                return solver;
            }
        }
        return of(problem);
    }

    /** Returns the bound of each connection: its cap, or the capacity of its routes if it used them alone. */
    private static double[] ownBounds(ScaledProblem problem) {
        double[] bounds = new double[problem.connections()];
        for (int c = 0; c < bounds.length; c++) {
            bounds[c] = ownBound(problem, c);
        }
        return bounds;
    }

    static double ownBound(ScaledProblem problem, int c) {
        double alone = 0;
        for (int r : narrowestRows(problem, c)) {
            alone += r < 0 ? Double.POSITIVE_INFINITY : problem.limit[r];
        }
        return Math.min(alone, problem.cap[c]);
    }

    /** Returns the narrowest row of each subflow of a connection, each row once; −1 for subflows without a row. */
    public static int[] narrowestRows(ScaledProblem problem, int c) {
        int[] narrowest = new int[problem.first[c + 1] - problem.first[c]];
        for (int k = 0; k < narrowest.length; k++) {
            narrowest[k] = problem.narrowest(problem.first[c] + k);
        }
        return Arrays.stream(narrowest).distinct().toArray();
    }

    /** Splits totals: rows with a price in a cut are full, subflows dearer than the cheapest by a cut are empty. */
    private LeastSquaresSplit split(double[] prices) {
        boolean[] full = new boolean[problem.rows()];
        boolean[] empty = new boolean[problem.subflows()];
        RowPrices paid = new RowPrices(problem);
        for (int k = 0; k < levels.level.length; k++) {
            if (levels.level[k] > 0) {
                markDetermined(cuts.get(k), paid, full, empty);
            }
        }
        double[] reached = reached();
        LeastSquaresSplit near = new LeastSquaresSplit(problem, reached, full, empty, prices);
        boolean known = Arrays.stream(prices).anyMatch(price -> price != 0);
        return near.fits() || !known ? near
                : new LeastSquaresSplit(problem, reached, full, empty, new double[prices.length]);
    }

    private void markDetermined(Cut cut, RowPrices paid, boolean[] full, boolean[] empty) {
        paid.clear();
        for (int i = 0; i < cut.row.length; i++) {
            paid.set(cut.row[i], cut.price[i]);
            full[cut.row[i]] |= cut.price[i] > Tolerances.BINDING_PRICE;
        }
        for (int i = 0; i < paid.payers(); i++) {
            int c = paid.payer[i];
            double cheapest = paid.cheapest(c);
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                empty[s] |= paid.pays[s] - cheapest > Tolerances.BINDING_PRICE;
            }
        }
    }

    /** Returns the totals reached; a total that differs from the fair one by rounding only is replaced by it. */
    private double[] reached() {
        double[] reached = simplex.solution.total.clone();
        for (int c = 0; c < reached.length; c++) {
            double fair = levels.total[c];
            reached[c] = Math.abs(reached[c] - fair) <= Tolerances.ROUNDING * fair ? fair : reached[c];
        }
        return reached;
    }

    /** Returns the problem that was solved. */
    public ScaledProblem problem() {
        return problem;
    }

    /** Returns the rate of each subflow in scaled units; not to be changed. */
    public double[] rates() {
        return rates;
    }

    /** Returns the level (total ÷ weight) that a connection is entitled to, in scaled units. */
    public double level(int c) {
        return levels.total[c] / problem.weight[c];
    }

    /** Returns the index in {@link #cuts} of the cut that stopped a connection, or {@link #NO_CUT}. */
    public int cutOf(int c) {
        return levels.stoppedBy[c];
    }

    /** Returns whether a connection without a cut fills its own routes; if not, it has reached its cap. */
    public boolean fillsItsRoutes(int c) {
        return cutOf(c) == NO_CUT && own[c] < problem.cap[c];
    }

    /** Returns the cuts found, which bound the totals. */
    public List<Cut> cuts() {
        return cuts;
    }

    /** Returns the largest part by which a connection is below the total that the cuts allow; 0 for an exact answer. */
    public double shortfall() {
        double worst = 0;
        for (int c = 0; c < totals.length; c++) {
            worst = Math.max(worst, 1 - totals[c] / levels.total[c]);
        }
        return worst;
    }

    ParametricSimplex simplex() {
        return simplex;
    }

    LeastSquaresSplit split() {
        return split;
    }

    /** Returns the bound of each connection by its cap and its routes, in scaled units. */
    double[] own() {
        return own;
    }

    WaterFilling levels() {
        return levels;
    }

    /** Returns the number of pivots of the last cold start. */
    long coldPivots() {
        return coldPivots;
    }
}
