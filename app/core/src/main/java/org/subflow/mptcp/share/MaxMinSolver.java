// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Max-min fair totals, and the split of them over subflows: see {@link MaxMinAllocator} for the method.
 *
 * <p>Working state of one computation; not thread-safe.
 */
final class MaxMinSolver {
    private final Rows rows;
    private final double[] own;
    private final List<Cut> cuts;
    private final WaterFilling levels;
    private final double[] rates;
    private final double[] totals;

    /**
     * Solves.
     *
     * @param spread see {@link LevelRise}
     */
    MaxMinSolver(Rows rows, boolean spread) {
        this.rows = rows;
        own = ownBounds();
        LevelRise rise = new LevelRise(rows, spread);
        cuts = rise.cuts();
        levels = new WaterFilling(rows, own, cuts);
        RateSimplex simplex = rise.simplex();
        EvenSplit split = new EvenSplit(rows, simplex.total, simplex.lockedRow, simplex.lockedSubflow);
        rates = (split.fits() ? split.rates() : simplex.rate).clone();
        rows.fit(rates);
        totals = new double[own.length];
        for (int s = 0; s < rates.length; s++) {
            totals[rows.connectionOf[s]] += rates[s];
        }
    }

    /** Returns the largest part by which a connection is below what the cuts allow it. */
    double shortfall() {
        double worst = 0;
        for (int c = 0; c < totals.length; c++) {
            worst = Math.max(worst, 1 - totals[c] / levels.total[c]);
        }
        return worst;
    }

    /** Returns the bound of each connection by its cap and by what its routes could carry if they were its alone. */
    private double[] ownBounds() {
        double[] bounds = new double[rows.connections()];
        for (int c = 0; c < bounds.length; c++) {
            double alone = 0;
            for (int r : narrowestRows(c)) {
                alone += r < 0 ? Double.POSITIVE_INFINITY : rows.limit[r];
            }
            bounds[c] = Math.min(alone, rows.cap[c]);
        }
        return bounds;
    }

    /** Returns the narrowest row of each subflow of a connection, each row once; −1 for subflows without a row. */
    private int[] narrowestRows(int c) {
        int[] narrowest = new int[rows.first[c + 1] - rows.first[c]];
        for (int k = 0; k < narrowest.length; k++) {
            narrowest[k] = rows.narrowest(rows.first[c] + k);
        }
        return Arrays.stream(narrowest).distinct().toArray();
    }

    /** Makes the answer of what was found. */
    Allocation allocation(String name) {
        List<Bottleneck> bottlenecks = new ArrayList<>();
        int[] bottleneckOf = new int[rows.problem.connectionCount()];
        Arrays.fill(bottleneckOf, Allocation.NO_BOTTLENECK);
        int[] index = new int[cuts.size()];
        for (int c = 0; c < own.length; c++) {
            int k = levels.stoppedBy[c];
            double level = levels.total[c] / rows.weight[c] * rows.scale;
            if (k == WaterFilling.OWN_BOUND && own[c] < rows.cap[c]) {
                bottleneckOf[rows.connectionInProblem[c]] = bottlenecks.size();
                bottlenecks.add(new Bottleneck(level, alone(c)));
            } else if (k != WaterFilling.OWN_BOUND) {
                if (index[k] == 0) {
                    Cut cut = cuts.get(k);
                    bottlenecks.add(new Bottleneck(level, ArcPrices.of(rows, cut.row, cut.price)));
                    index[k] = bottlenecks.size();
                }
                bottleneckOf[rows.connectionInProblem[c]] = index[k] - 1;
            }
        }
        return Allocation.maxMin(name, rows.problem, rows.toBitsPerSecond(rates), shortfall(),
                bottlenecks, bottleneckOf);
    }

    private ArcPrices alone(int c) {
        int[] row = narrowestRows(c);
        double[] price = new double[row.length];
        Arrays.fill(price, 1);
        return ArcPrices.of(rows, row, price);
    }
}
