// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.List;

/**
 * Max-min fair totals of connections that share a network, and the split of them over subflows: see
 * {@link MaxMinAllocator} for the method. Not thread-safe.
 */
final class MaxMinSolver {
    /** What is further off begins anew from elsewhere; the better of the two counts. */
    static final double GOOD = 1e-6;

    private final Rows rows;
    private final double[] own;
    private final RateSimplex simplex;
    private final List<Cut> cuts;
    private final WaterFilling levels;
    private final EvenSplit split;
    private final double[] rates;
    private final double[] totals;

    private MaxMinSolver(Rows rows, double[] own, RateSimplex simplex, List<Cut> cuts, double[] prices) {
        this.rows = rows;
        this.own = own;
        this.simplex = simplex;
        this.cuts = cuts;
        levels = new WaterFilling(rows, own, cuts);
        split = split(prices);
        rates = (split.fits() ? split.rates() : simplex.moving.rate).clone();
        rows.fit(rates);
        totals = new double[own.length];
        for (int s = 0; s < rates.length; s++) {
            totals[rows.connectionOf[s]] += rates[s];
        }
    }

    /** Solves from nothing. */
    static MaxMinSolver of(Rows rows) {
        MaxMinSolver solver = sweep(rows, true);
        if (solver.shortfall() > GOOD) {
            MaxMinSolver other = sweep(rows, false);
            return other.shortfall() < solver.shortfall() ? other : solver;
        }
        return solver;
    }

    private static MaxMinSolver sweep(Rows rows, boolean spread) {
        LevelRise rise = new LevelRise(rows, spread);
        return new MaxMinSolver(rows, ownBounds(rows), rise.simplex(), rise.cuts(), new double[rows.rows()]);
    }

    /**
     * Solves the next version of a problem.
     *
     * @param before what solved the last version; it can report still, but nothing can go on from it again
     */
    static MaxMinSolver after(MaxMinSolver before, Rows rows) {
        double[] own = ownBounds(rows);
        Resumption resumption = Resumption.of(before, rows, own);
        if (resumption != null) {
            MaxMinSolver solver = new MaxMinSolver(rows, own, resumption.simplex(), resumption.cuts(),
                    resumption.splitPrices());
            if (solver.shortfall() <= GOOD) {
                return solver;
            }
        }
        return of(rows);
    }

    /** Returns the bound of each connection by its cap and by what its routes could carry if they were its alone. */
    private static double[] ownBounds(Rows rows) {
        double[] bounds = new double[rows.connections()];
        for (int c = 0; c < bounds.length; c++) {
            bounds[c] = ownBound(rows, c);
        }
        return bounds;
    }

    static double ownBound(Rows rows, int c) {
        double alone = 0;
        for (int r : narrowestRows(rows, c)) {
            alone += r < 0 ? Double.POSITIVE_INFINITY : rows.limit[r];
        }
        return Math.min(alone, rows.cap[c]);
    }

    /** Returns the narrowest row of each subflow of a connection, each row once; −1 for subflows without a row. */
    private static int[] narrowestRows(Rows rows, int c) {
        int[] narrowest = new int[rows.first[c + 1] - rows.first[c]];
        for (int k = 0; k < narrowest.length; k++) {
            narrowest[k] = rows.narrowest(rows.first[c] + k);
        }
        return Arrays.stream(narrowest).distinct().toArray();
    }

    /** Splits totals where the rows that cuts price are full and subflows that are not the cheapest by one are empty. */
    private EvenSplit split(double[] prices) {
        boolean[] full = new boolean[rows.rows()];
        boolean[] empty = new boolean[rows.subflows()];
        RowPrices paid = new RowPrices(rows);
        for (int k = 0; k < levels.level.length; k++) {
            if (levels.level[k] > 0) {
                Cut cut = cuts.get(k);
                paid.clear();
                for (int i = 0; i < cut.row.length; i++) {
                    paid.set(cut.row[i], cut.price[i]);
                    full[cut.row[i]] |= cut.price[i] > Tolerances.BINDING_PRICE;
                }
                for (int i = 0; i < paid.payers(); i++) {
                    int c = paid.payer[i];
                    double cheapest = paid.cheapest(c);
                    for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                        empty[s] |= paid.pays[s] - cheapest > Tolerances.BINDING_PRICE;
                    }
                }
            }
        }
        double[] reached = reached();
        EvenSplit near = new EvenSplit(rows, reached, full, empty, prices);
        boolean known = Arrays.stream(prices).anyMatch(price -> price != 0);
        return near.fits() || !known ? near : new EvenSplit(rows, reached, full, empty, new double[prices.length]);
    }

    /** Returns the totals reached, without what rounding on the way has made of them. */
    private double[] reached() {
        double[] reached = simplex.moving.total.clone();
        for (int c = 0; c < reached.length; c++) {
            double fair = levels.total[c];
            reached[c] = Math.abs(reached[c] - fair) <= Tolerances.ROUNDING * fair ? fair : reached[c];
        }
        return reached;
    }

    Rows rows() {
        return rows;
    }

    RateSimplex simplex() {
        return simplex;
    }

    EvenSplit split() {
        return split;
    }

    List<Cut> cuts() {
        return cuts;
    }

    /** Returns the bound of each connection of its own, in scaled units. */
    double[] own() {
        return own;
    }

    WaterFilling levels() {
        return levels;
    }

    /** Returns the largest part by which a connection is below what the cuts allow it. */
    double shortfall() {
        double worst = 0;
        for (int c = 0; c < totals.length; c++) {
            worst = Math.max(worst, 1 - totals[c] / levels.total[c]);
        }
        return worst;
    }

    /**
     * Reports what was found.
     *
     * @param as           the same rows, which may have other names in the problem now
     * @param allRates     rates of all subflows of the problem in bit/s; those of these rows are overwritten
     * @param bottlenecks  takes those found
     * @param bottleneckOf index of the bottleneck of each connection of the problem, written for those of these rows
     */
    void report(Rows as, double[] allRates, List<Bottleneck> bottlenecks, int[] bottleneckOf) {
        for (int s = 0; s < rates.length; s++) {
            allRates[as.subflowInProblem[s]] = rates[s] * rows.scale;
        }
        int[] index = new int[cuts.size()];
        for (int c = 0; c < own.length; c++) {
            int k = levels.stoppedBy[c];
            double level = levels.total[c] / rows.weight[c] * rows.scale;
            if (k == WaterFilling.OWN_BOUND && own[c] < rows.cap[c]) {
                bottleneckOf[as.connectionInProblem[c]] = bottlenecks.size();
                bottlenecks.add(new Bottleneck(level, alone(as, c)));
            } else if (k != WaterFilling.OWN_BOUND) {
                if (index[k] == 0) {
                    bottlenecks.add(new Bottleneck(level, ArcPrices.of(as, cuts.get(k).row, cuts.get(k).price)));
                    index[k] = bottlenecks.size();
                }
                bottleneckOf[as.connectionInProblem[c]] = index[k] - 1;
            }
        }
    }

    private static ArcPrices alone(Rows as, int c) {
        int[] row = narrowestRows(as, c);
        double[] price = new double[row.length];
        Arrays.fill(price, 1);
        return ArcPrices.of(as, row, price);
    }
}
