// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.subflow.mptcp.share.linear.RowPrices;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * Cuts that are worth a try, and the prices with which a split begins. Whatever the prices of rows, the cut that follows from them
 * holds. So a guess can be useless, but never wrong.
 */
final class KnownCuts {
    private static final int NONE = -1;
    /** Prices are also tried in whole parts of the largest: those of most bottlenecks are small whole numbers. */
    private static final int[] PARTS = {1, 2, 3, 4, 6};
    /** Prices within this factor of the next may be those of one bottleneck. */
    private static final double ALIKE = 1.05;
    /** Prices below this part of the largest have not grown. */
    private static final double NEGLIGIBLE = 1e-3;
    private static final int BANDS = 60;

    final List<Cut> cuts = new ArrayList<>();
    final double[] splitPrices;

    private final ScaledProblem problem;
    private final RowPrices prices;

    private KnownCuts(ScaledProblem problem) {
        this.problem = problem;
        prices = new RowPrices(problem);
        splitPrices = new double[problem.rows()];
    }

    /** Returns those of the last version of a problem that stopped a connection there. */
    static KnownCuts of(MaxMinSolver before, ScaledProblem problem) {
        KnownCuts known = new KnownCuts(problem);
        int[] newRow = rows(before.problem(), problem);
        for (int k = 0; k < before.cuts().size(); k++) {
            if (before.levels().level[k] > 0) {
                known.keep(before.cuts().get(k), newRow);
            }
        }
        for (int r = 0; r < newRow.length; r++) {
            if (newRow[r] >= 0) {
                known.splitPrices[newRow[r]] = before.split().prices()[r];
            }
        }
        return known;
    }

    /** Returns for each row of the old version the row in the new version, or −1. */
    private static int[] rows(ScaledProblem before, ScaledProblem after) {
        int arcs = Math.max(Arrays.stream(before.arc).max().orElse(0), Arrays.stream(after.arc).max().orElse(0)) + 1;
        int[] rowOf = after.rowOfArc(arcs);
        return Arrays.stream(before.arc).map(arc -> rowOf[arc]).toArray();
    }

    private void keep(Cut old, int[] newRow) {
        prices.clear();
        for (int i = 0; i < old.row.length; i++) {
            if (newRow[old.row[i]] >= 0) {
                prices.set(newRow[old.row[i]], old.price[i]);
            }
        }
        addIf(cut -> true);
    }

    /**
     * Returns cuts to begin with: that of each row by itself, and those of the rows on which connections begin together, or end.
     * Where each end has links enough for the paths of others, its own links are the bottleneck.
     */
    static KnownCuts guessed(ScaledProblem problem) {
        KnownCuts known = new KnownCuts(problem);
        int[] all = IntStream.range(0, problem.rows()).toArray();
        for (int r : all) {
            known.prices.clear();
            known.prices.set(r, 1);
            known.addIf(cut -> true);
        }
        known.addGroups(s -> known.hasRow(s) ? problem.row[problem.rowStart[s]] : NONE, all, cut -> cut.row.length > 1);
        known.addGroups(s -> known.hasRow(s) ? problem.row[problem.rowStart[s + 1] - 1] : NONE, all, cut -> cut.row.length > 1);
        return known;
    }

    private boolean hasRow(int subflow) {
        return problem.rowStart[subflow] < problem.rowStart[subflow + 1];
    }

    /**
     * Adds cuts that totals violate, near the prices of a split that does not fit. These grow on the rows that cannot hold what the
     * totals put on them, each bottleneck at its own pace.
     *
     * @return whether there is one
     */
    boolean addViolated(double[] totals, double[] price) {
        int before = cuts.size();
        Predicate<Cut> isViolated = cut -> cut.violation(totals) > Tolerances.LEAST_PRICE * cut.bound;
        int[] rows = IntStream.range(0, price.length).filter(r -> price[r] > 0).boxed()
                .sorted(Comparator.comparingDouble(r -> -price[r])).mapToInt(Integer::intValue).toArray();
        for (int from = 0, to; from < rows.length && price[rows[from]] > NEGLIGIBLE * price[rows[0]]; from = to) {
            to = from + 1;
            while (to < rows.length && price[rows[to]] * ALIKE > price[rows[to - 1]]) {
                to++;
            }
            int[] alike = Arrays.copyOfRange(rows, from, to);
            boolean[] isAlike = new boolean[price.length];
            Arrays.stream(alike).forEach(r -> isAlike[r] = true);
            addGroups(s -> onlyOne(s, isAlike), alike, isViolated);
        }
        for (int parts : PARTS) {
            prices.clear();
            for (int r : rows) {
                long whole = Math.round(price[r] / price[rows[0]] * parts);
                if (whole > 0) {
                    prices.set(r, (double) whole / parts);
                }
            }
            addIf(isViolated);
        }
        return cuts.size() > before;
    }

    /**
     * Adds cuts from prices that grow with a high power of a bottleneck's scarcity: for each of some levels, that of the rows which cost
     * no more. So the rows of scarcer bottlenecks, whose connections stop sooner, do not hide it.
     */
    void addBands(double[] price) {
        double[] dearest = Arrays.stream(price).filter(one -> one > 0).sorted().toArray();
        for (int band = 1; band <= Math.min(BANDS, dearest.length); band++) {
            double most = dearest[(int) ((long) band * dearest.length / Math.min(BANDS, dearest.length)) - 1];
            prices.clear();
            for (int r = 0; r < price.length; r++) {
                if (price[r] <= most && price[r] > Tolerances.LEAST_PRICE * most) {
                    prices.set(r, price[r] / most);
                }
            }
            addIf(cut -> true);
        }
    }

    /** Returns the row of some that a subflow crosses; none if it crosses several. */
    private int onlyOne(int subflow, boolean[] some) {
        int found = NONE;
        for (int i = problem.rowStart[subflow]; i < problem.rowStart[subflow + 1]; i++) {
            if (some[problem.row[i]]) {
                if (found != NONE) {
                    return NONE;
                }
                found = problem.row[i];
            }
        }
        return found;
    }

    /**
     * Adds the cuts of rows that hang together, with a price of 1 each. Rows do where all subflows of a connection have one of them.
     *
     * @param rowOf the row of a subflow that counts, or −1
     * @param rows  the rows in question
     */
    private void addGroups(IntUnaryOperator rowOf, int[] rows, Predicate<Cut> isWanted) {
        int[] group = new int[problem.rows()];
        Arrays.setAll(group, r -> r);
        for (int c = 0; c < problem.connections(); c++) {
            boolean all = true;
            for (int s = problem.first[c]; all && s < problem.first[c + 1]; s++) {
                all = rowOf.applyAsInt(s) != NONE;
            }
            for (int s = problem.first[c] + 1; all && s < problem.first[c + 1]; s++) {
                int one = root(group, rowOf.applyAsInt(s - 1));
                int other = root(group, rowOf.applyAsInt(s));
                group[Math.max(one, other)] = Math.min(one, other);
            }
        }
        Map<Integer, List<Integer>> members = new LinkedHashMap<>();
        for (int r : rows) {
            members.computeIfAbsent(root(group, r), unused -> new ArrayList<>()).add(r);
        }
        for (List<Integer> together : members.values()) {
            prices.clear();
            together.forEach(r -> prices.set(r, 1));
            addIf(isWanted);
        }
    }

    private static int root(int[] group, int r) {
        int at = r;
        while (group[at] != at) {
            group[at] = group[group[at]];
            at = group[at];
        }
        return at;
    }

    private void addIf(Predicate<Cut> isWanted) {
        Cut cut = Cut.of(problem, prices);
        if (cut.connection.length > 0 && isWanted.test(cut)) {
            cuts.add(cut);
        }
    }
}
