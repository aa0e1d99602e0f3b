// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.subflow.mptcp.share.alphafair.AlphaFair;
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
    /** The work that gives an exact answer, however long that takes. */
    public static final long NO_BOUND = Long.MAX_VALUE;
    /** An answer with a larger shortfall is computed once more, from another start. */
    static final double ACCEPTED = 1e-6;
    /** Bound on the cuts that one change may bring before the simplex has to find them. */
    private static final int MOST_ROUNDS = 8;
    /** Of an approximation. With twice as large a one, prices spread so far that sweeps take longer than they gain. */
    private static final double ALPHA = 12;
    private static final int SWEEPS = 100;
    /** Bound on the steps of a split that is to prove totals: one that takes more costs more than the simplex. */
    private static final int FEW_STEPS = 40;
    private static final int[] NOBODY = {};

    private final ScaledProblem problem;
    private final double[] own;
    private final ParametricSimplex simplex;
    private final List<Cut> cuts;
    private final WaterFilling levels;
    private final LeastSquaresSplit split;
    private final double[] rates;
    private final double[] totals;

    /**
     * Splits totals.
     *
     * @param simplex that reached these totals; null to split those that the cuts allow
     * @param prices  of rows, with which the split by cuts begins, and another where one without prices does not fit
     */
    private MaxMinSolver(ScaledProblem problem, double[] own, ParametricSimplex simplex, List<Cut> cuts, double[] prices) {
        this.problem = problem;
        this.own = own;
        this.simplex = simplex;
        this.cuts = cuts;
        levels = new WaterFilling(problem, own, cuts);
        split = split(prices);
        rates = (simplex == null || split.fits() ? split.rates() : simplex.solution.rate).clone();
        problem.fit(rates);
        totals = problem.totals(rates);
    }

    /** Approximates where the simplex has given up; its cuts and those of the approximation's prices tell how far this is from fair. */
    private MaxMinSolver(ScaledProblem problem, ProgressiveFilling filling) {
        this.problem = problem;
        own = ownBounds(problem);
        simplex = null;
        AlphaFair near = new AlphaFair(problem, ALPHA).solve(SWEEPS);
        KnownCuts known = KnownCuts.guessed(problem);
        known.addBands(near.prices);
        cuts = new ArrayList<>(filling.cuts());
        cuts.addAll(known.cuts);
        levels = new WaterFilling(problem, own, cuts);
        split = new LeastSquaresSplit(problem, problem.totals(near.rates), new boolean[problem.rows()], new boolean[near.rates.length],
                new double[problem.rows()]);
        rates = (split.fits() ? split.rates() : near.rates).clone();
        problem.fit(rates);
        totals = problem.totals(rates);
    }

    /**
     * Solves a problem of which nothing is known.
     *
     * @param mostWork of the simplex, in multiplications, roughly; beyond it the answer is approximate. {@link #NO_BOUND} for an exact one
     */
    public static MaxMinSolver of(ScaledProblem problem, long mostWork) {
        MaxMinSolver solver = byCuts(KnownCuts.guessed(problem), problem);
        return solver == null ? withBasis(problem, mostWork) : solver;
    }

    /**
     * Solves the next version of a problem.
     *
     * @param before the solver of the last version
     */
    public static MaxMinSolver after(MaxMinSolver before, ScaledProblem problem, long mostWork) {
        KnownCuts known = KnownCuts.of(before, problem);
        MaxMinSolver solver = byCuts(known, problem);
        return solver == null ? withBasis(before, known, problem, mostWork) : solver;
    }

    /**
     * Solves a problem by cuts alone: they give the totals, and a split that fits proves these. Adds further cuts where none
     * fits. Most changes leave the bottlenecks as they are, but for some new ones.
     *
     * @return null if some cut is not found
     */
    private static MaxMinSolver byCuts(KnownCuts known, ScaledProblem problem) {
        double[] own = ownBounds(problem);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            MaxMinSolver solver = new MaxMinSolver(problem, own, null, List.copyOf(known.cuts), known.splitPrices);
            if (solver.split.fits() && solver.shortfall() <= ACCEPTED) {
                return solver;
            }
            if (!solver.split.provesInfeasible() || !known.addViolated(solver.levels.total, solver.split.prices())) {
                return null;
            }
        }
        return null;
    }

    /** As {@link #of}, but with a simplex unless that takes too much work: a {@link Newcomer} starts from it. */
    public static MaxMinSolver withBasis(ScaledProblem problem, long mostWork) {
        double[] none = new double[problem.rows()];
        return better(fill(problem, new InitialSplit(problem).part, none, mostWork), () -> fill(problem, null, none, mostWork));
    }

    /** As {@link #after}, but with a simplex of this version unless that takes too much work. */
    public static MaxMinSolver withBasis(MaxMinSolver before, ScaledProblem problem, long mostWork) {
        return withBasis(before, KnownCuts.of(before, problem), problem, mostWork);
    }

    private static MaxMinSolver withBasis(MaxMinSolver before, KnownCuts known, ScaledProblem problem, long mostWork) {
        return better(fill(problem, new LastSplit(before, problem).part, known.splitPrices, mostWork),
                      () -> withBasis(problem, mostWork));
    }

    /** Returns a solver if it is good enough, or another would take too much work; else the better of it and another. */
    private static MaxMinSolver better(MaxMinSolver solver, Supplier<MaxMinSolver> another) {
        if (solver.shortfall() <= ACCEPTED || !solver.hasBasis()) {
            return solver;
        }
        MaxMinSolver other = another.get();
        return other.shortfall() < solver.shortfall() ? other : solver;
    }

    private static MaxMinSolver fill(ScaledProblem problem, double[] parts, double[] prices, long mostWork) {
        ProgressiveFilling filling = new ProgressiveFilling(problem, parts, mostWork);
        return filling.simplex().isExhausted() ? new MaxMinSolver(problem, filling)
                : new MaxMinSolver(problem, ownBounds(problem), filling.simplex(), filling.cuts(), prices);
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
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            int r = problem.narrowest(s);
            boolean isNew = true;
            for (int before = problem.first[c]; isNew && before < s; before++) {
                isNew = problem.narrowest(before) != r;
            }
            alone += !isNew ? 0 : r < 0 ? Double.POSITIVE_INFINITY : problem.limit[r];
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
        double[] reached = simplex == null ? levels.total : reached();
        boolean[] full = new boolean[problem.rows()];
        boolean[] empty = new boolean[problem.subflows()];
        RowPrices paid = new RowPrices(problem);
        for (int k = 0; k < levels.level.length; k++) {
            if (levels.level[k] > 0) {
                markDetermined(cuts.get(k), paid, full, empty);
            }
        }
        double[] rates = new double[empty.length];
        if (simplex != null && !simplex.failed()) {
            KnownRates known = new KnownRates(problem, simplex, full, empty);
            empty = known.known;
            rates = known.rates;
        }
        if (simplex == null) {
            return new LeastSquaresSplit(problem, reached, full, empty, rates, prices, FEW_STEPS);
        }
        LeastSquaresSplit even = new LeastSquaresSplit(problem, reached, full, empty, rates, new double[prices.length],
                LeastSquaresSplit.MOST_STEPS);
        boolean isGuess = Arrays.stream(prices).anyMatch(price -> price != 0);
        return even.fits() || !isGuess ? even
                : new LeastSquaresSplit(problem, reached, full, empty, rates, prices, LeastSquaresSplit.MOST_STEPS);
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

    /**
     * Returns for each connection the lowest level of a bottleneck in which it has a part, even if it has reached its cap before;
     * positive infinity if there is none. Below that, nobody waits for what it has.
     */
    public double[] lowestBottlenecks() {
        double[] lowest = new double[problem.connections()];
        Arrays.fill(lowest, Double.POSITIVE_INFINITY);
        for (int k = 0; k < levels.level.length; k++) {
            for (int c : levels.level[k] > 0 ? cuts.get(k).connection : NOBODY) {
                lowest[c] = Math.min(lowest[c], levels.level[k]);
            }
        }
        return lowest;
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

    /** Returns the number of pivots of the simplex method; 0 if cuts alone gave the answer. */
    public long pivots() {
        return simplex == null ? 0 : simplex.pivots();
    }

    /** Returns whether it has a simplex, from which a {@link Newcomer} can start. */
    public boolean hasBasis() {
        return simplex != null;
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
}
