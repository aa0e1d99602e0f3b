// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.share.linear.RowPrices;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * Variables that cuts fix for good. The totals in a cut that has stopped them stay. So the rows with a price stay full,
 * and subflows dearer than the cheapest of their connection stay empty. The simplex need not look at fixed variables again.
 *
 * <p>Later prices may prove a bottleneck only as long as variables are fixed. Such prices are negative on a fixed row, or
 * make a fixed subflow the cheapest. {@link #cut} adds a multiple of the cuts that fixed these variables, which removes
 * the assumption.
 */
final class FixedVariables {
    /** Rounding of a sum of prices over several cuts: ten times that of one price. */
    private static final double SUM_ROUNDING = 1e-11;

    private final ScaledProblem problem;
    private final ParametricSimplex simplex;
    private final List<Cut> cuts = new ArrayList<>();
    private final RowPrices valid;
    /** For each fixed variable, the cut that fixed it and the price by which it did; infinite if fixed for now only. */
    private final int[] rowCut;
    private final double[] rowMargin;
    private final int[] subflowCut;
    private final double[] subflowMargin;
    private final List<Integer> rowsForNow = new ArrayList<>();
    private final List<Integer> subflowsForNow = new ArrayList<>();

    FixedVariables(ScaledProblem problem, ParametricSimplex simplex) {
        this.problem = problem;
        this.simplex = simplex;
        valid = new RowPrices(problem);
        rowCut = new int[problem.rows()];
        rowMargin = new double[problem.rows()];
        subflowCut = new int[problem.subflows()];
        subflowMargin = new double[problem.subflows()];
    }

    /**
     * Returns the cut that follows from the simplex's prices and holds without fixed variables. Fixes the variables that it
     * determines.
     */
    Cut cut() {
        makeValid();
        Cut cut = Cut.of(problem, valid);
        release();
        cuts.add(cut);
        fixRows();
        fixSubflows();
        return cut;
    }

    private void makeValid() {
        double[] sum = simplex.prices.price.clone();
        double[] multiple = multiples(simplex.prices);
        for (int k = 0; k < multiple.length; k++) {
            Cut more = cuts.get(k);
            for (int i = 0; multiple[k] > 0 && i < more.row.length; i++) {
                sum[more.row[i]] += multiple[k] * more.price[i];
            }
        }
        double largest = 0;
        for (double price : sum) {
            largest = Math.max(largest, price);
        }
        valid.clear();
        for (int r = 0; r < sum.length; r++) {
            if (sum[r] > SUM_ROUNDING * largest) {
                valid.set(r, sum[r] / largest);
            }
        }
    }

    /** Returns the multiple of each cut that makes the prices valid. */
    private double[] multiples(RowPrices prices) {
        double[] multiple = new double[cuts.size()];
        for (int i = 0; i < prices.rowCount; i++) {
            int r = prices.row[i];
            if (simplex.solution.fixedRow[r] && prices.price[r] < 0 && multiple.length > 0) {
                multiple[rowCut[r]] = Math.max(multiple[rowCut[r]], -prices.price[r] / rowMargin[r]);
            }
        }
        for (int i = 0; i < prices.payers(); i++) {
            int c = prices.payer[i];
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                double excess = prices.pays[simplex.basis.key[c]] - prices.pays[s];
                if (simplex.solution.fixedSubflow[s] && excess > SUM_ROUNDING && multiple.length > 0) {
                    multiple[subflowCut[s]] = Math.max(multiple[subflowCut[s]], excess / subflowMargin[s]);
                }
            }
        }
        return multiple;
    }

    private void fixRows() {
        for (int i = 0; i < valid.rowCount; i++) {
            int r = valid.row[i];
            if (valid.price[r] > Tolerances.BINDING_PRICE && !simplex.solution.fixedRow[r]) {
                simplex.solution.fixedRow[r] = true;
                rowCut[r] = cuts.size() - 1;
                rowMargin[r] = valid.price[r];
            }
        }
    }

    private void fixSubflows() {
        for (int i = 0; i < valid.payers(); i++) {
            int c = valid.payer[i];
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                double margin = valid.pays[s] - valid.pays[simplex.basis.key[c]];
                if (margin > Tolerances.BINDING_PRICE && !simplex.solution.fixedSubflow[s]) {
                    simplex.solution.fixedSubflow[s] = true;
                    subflowCut[s] = cuts.size() - 1;
                    subflowMargin[s] = margin;
                }
            }
        }
    }

    /** Fixes the blocking variable until the next cut: it falls by rounding only, and no total depends on it. */
    void fixForNow() {
        boolean row = simplex.solution.blockingSubflow < 0;
        int index = row ? simplex.solution.blockingRow : simplex.solution.blockingSubflow;
        (row ? simplex.solution.fixedRow : simplex.solution.fixedSubflow)[index] = true;
        (row ? rowMargin : subflowMargin)[index] = Double.POSITIVE_INFINITY;
        (row ? rowsForNow : subflowsForNow).add(index);
    }

    private void release() {
        rowsForNow.forEach(r -> simplex.solution.fixedRow[r] = false);
        subflowsForNow.forEach(s -> simplex.solution.fixedSubflow[s] = false);
        rowsForNow.clear();
        subflowsForNow.clear();
    }
}
