// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds max-min fair totals by cutting planes: see {@link MaxMinAllocator} for the method.
 *
 * <p>Working state of one computation; not thread-safe.
 */
final class MaxMinSolver {
    /** Stop when nobody is further than this, relative, below what the cuts found allow. */
    private static final double TARGET = 1e-9;
    private static final double LADDER = 1.5;
    private static final int MOST_ROUNDS = 500;

    private final Rows rows;
    private final double[] own;
    private final MinNormSplit split;
    private final List<Cut> cuts = new ArrayList<>();
    private WaterFilling levels;

    MaxMinSolver(Rows rows) {
        this(rows, new MinNormSplit(rows));
    }

    private MaxMinSolver(Rows rows, MinNormSplit split) {
        this.rows = rows;
        this.split = split;
        own = ownBounds();
        double[] zeros = new double[rows.rows()];
        Cut.Touched touched = new Cut.Touched(rows.connections());
        for (int r = 0; r < rows.rows(); r++) {
            Cut cut = rows.onStart[r] < rows.onStart[r + 1] ? Cut.ofRow(rows, r, zeros, touched) : null;
            if (cut != null) {
                cuts.add(cut);
            }
        }
    }

    /** Solves from nothing. */
    void solve() {
        climb();
        converge();
    }

    /**
     * Solves the next version of a problem from the cuts and the split of the last.
     *
     * @param before the solver of the last version, already solved; of no use afterwards
     */
    static MaxMinSolver solveAfter(MaxMinSolver before, Rows rows) {
        Match match = new Match(before.rows, rows);
        MaxMinSolver solver = new MaxMinSolver(rows, MinNormSplit.after(before.split, rows, match));
        double[] zeros = new double[rows.rows()];
        Cut.Touched touched = new Cut.Touched(rows.connections());
        for (int k = 0; k < before.cuts.size(); k++) {
            Cut old = before.cuts.get(k);
            boolean binds = k >= before.levels.level.length || before.levels.level[k] > 0;
            Cut cut = old.row.length > 1 && binds ? old.after(rows, match, zeros, touched) : null;
            if (cut != null) {
                solver.cuts.add(cut);
            }
        }
        solver.converge();
        return solver;
    }

    /** Tells whether what was found is good enough to go on from. */
    boolean reusable() {
        return split.exact();
    }

    /** Returns the prepared problem. */
    Rows rows() {
        return rows;
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

    /** Raises all levels in steps, so that the cuts found on the way belong to the lowest levels first. */
    private void climb() {
        levels = new WaterFilling(rows, own, cuts);
        double[] totals = new double[own.length];
        for (double level = evenLevel() * LADDER; level < highestLevel(); level *= LADDER) {
            for (int c = 0; c < totals.length; c++) {
                totals[c] = Math.min(levels.total[c], level * rows.weight[c]);
            }
            if (reach(totals)) {
                levels = new WaterFilling(rows, own, cuts);
            }
        }
    }

    /** Fills up to what the cuts allow, and finds the cut that forbids it, until none does. */
    private void converge() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            levels = new WaterFilling(rows, own, cuts);
            double[] totals = levels.total.clone();
            if (!reach(totals) || shortfall(totals) <= TARGET) {
                return;
            }
        }
    }

    /** Returns the highest level that is feasible for all when every connection splits evenly. */
    private double evenLevel() {
        double[] load = new double[rows.rows()];
        for (int s = 0; s < rows.subflows(); s++) {
            int c = rows.connectionOf[s];
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                load[rows.row[i]] += rows.weight[c] / (rows.first[c + 1] - rows.first[c]);
            }
        }
        double least = highestLevel();
        for (int r = 0; r < load.length; r++) {
            least = load[r] > 0 ? Math.min(least, rows.limit[r] / load[r]) : least;
        }
        return least;
    }

    private double highestLevel() {
        double highest = 0;
        for (int c = 0; c < own.length; c++) {
            highest = Math.max(highest, levels.total[c] / rows.weight[c]);
        }
        return highest;
    }

    /** Splits totals, lowering them to every cut that forbids them; returns whether one did. */
    private boolean reach(double[] totals) {
        boolean lowered = false;
        for (Cut cut = split.split(totals); cut != null; cut = split.split(totals)) {
            double excess = cut.worth(totals) / cut.bound - 1;
            cuts.add(cut);
            // A cut that rounding alone can tell from the totals would be found again and again.
            cut.lower(rows, totals, excess < TARGET ? TARGET / 4 : 0);
            lowered = true;
        }
        return lowered;
    }

    private double shortfall(double[] totals) {
        double worst = 0;
        for (int c = 0; c < totals.length; c++) {
            worst = Math.max(worst, 1 - totals[c] / levels.total[c]);
        }
        return worst;
    }

    /** Makes the answer of what {@link #solve} found. */
    Allocation allocation(String name) {
        double[] rates = split.rates().clone();
        rows.fit(rates);
        double[] totals = new double[own.length];
        for (int s = 0; s < rates.length; s++) {
            totals[rows.connectionOf[s]] += rates[s];
        }
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
        return Allocation.maxMin(name, rows.problem, rows.toBitsPerSecond(rates), shortfall(totals),
                bottlenecks, bottleneckOf);
    }

    private ArcPrices alone(int c) {
        int[] row = narrowestRows(c);
        double[] price = new double[row.length];
        Arrays.fill(price, 1);
        return ArcPrices.of(rows, row, price);
    }
}
