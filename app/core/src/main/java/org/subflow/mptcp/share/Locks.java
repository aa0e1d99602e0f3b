// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayList;
import java.util.List;

/**
 * What cuts forbid for good. The totals in a cut that has stopped them stay, so the rows that it prices stay full and the
 * subflows that are not the cheapest of their connection stay empty: they are locked, and the simplex is rid of them.
 *
 * <p>Prices found later may then be sound only as long as the locks hold: negative where a locked row would be left,
 * lower for a locked subflow. {@link #cut} adds as much of the cuts that locked these as makes up for it.
 */
final class Locks {
    /** Rounding of a price that several cuts add up to: ten times that of one. */
    private static final double SUM_ROUNDING = 1e-11;

    private final Rows rows;
    private final RateSimplex simplex;
    private final List<Cut> cuts = new ArrayList<>();
    private final RowPrices sound;
    /** For what is locked, the cut that did it and by how much it forbids it; infinitely if none did. */
    private final int[] rowCut;
    private final double[] rowStrength;
    private final int[] subflowCut;
    private final double[] subflowStrength;
    private final List<Integer> rowsForNow = new ArrayList<>();
    private final List<Integer> subflowsForNow = new ArrayList<>();

    Locks(Rows rows, RateSimplex simplex) {
        this.rows = rows;
        this.simplex = simplex;
        sound = new RowPrices(rows);
        rowCut = new int[rows.rows()];
        rowStrength = new double[rows.rows()];
        subflowCut = new int[rows.subflows()];
        subflowStrength = new double[rows.subflows()];
    }

    /**
     * Returns the cut that proves without any lock what the simplex's prices prove with those there are, and locks what it
     * forbids.
     */
    Cut cut() {
        makeSound();
        Cut cut = Cut.of(rows, sound);
        release();
        cuts.add(cut);
        lockRows();
        lockSubflows();
        return cut;
    }

    private void makeSound() {
        double[] sum = simplex.prices.price.clone();
        double[] part = parts(simplex.prices);
        for (int k = 0; k < part.length; k++) {
            Cut more = cuts.get(k);
            for (int i = 0; part[k] > 0 && i < more.row.length; i++) {
                sum[more.row[i]] += part[k] * more.price[i];
            }
        }
        double largest = 0;
        for (double price : sum) {
            largest = Math.max(largest, price);
        }
        sound.clear();
        for (int r = 0; r < sum.length; r++) {
            if (sum[r] > SUM_ROUNDING * largest) {
                sound.set(r, sum[r] / largest);
            }
        }
    }

    /** Returns how much of each cut is needed. */
    private double[] parts(RowPrices prices) {
        double[] part = new double[cuts.size()];
        for (int i = 0; i < prices.rowCount; i++) {
            int r = prices.row[i];
            if (simplex.moving.lockedRow[r] && prices.price[r] < 0 && part.length > 0) {
                part[rowCut[r]] = Math.max(part[rowCut[r]], -prices.price[r] / rowStrength[r]);
            }
        }
        for (int i = 0; i < prices.payers(); i++) {
            int c = prices.payer[i];
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                double cheaper = prices.pays[simplex.basis.key[c]] - prices.pays[s];
                if (simplex.moving.lockedSubflow[s] && cheaper > SUM_ROUNDING && part.length > 0) {
                    part[subflowCut[s]] = Math.max(part[subflowCut[s]], cheaper / subflowStrength[s]);
                }
            }
        }
        return part;
    }

    private void lockRows() {
        for (int i = 0; i < sound.rowCount; i++) {
            int r = sound.row[i];
            if (sound.price[r] > Tolerances.BINDING_PRICE && !simplex.moving.lockedRow[r]) {
                simplex.moving.lockedRow[r] = true;
                rowCut[r] = cuts.size() - 1;
                rowStrength[r] = sound.price[r];
            }
        }
    }

    private void lockSubflows() {
        for (int i = 0; i < sound.payers(); i++) {
            int c = sound.payer[i];
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                double dearer = sound.pays[s] - sound.pays[simplex.basis.key[c]];
                if (dearer > Tolerances.BINDING_PRICE && !simplex.moving.lockedSubflow[s]) {
                    simplex.moving.lockedSubflow[s] = true;
                    subflowCut[s] = cuts.size() - 1;
                    subflowStrength[s] = dearer;
                }
            }
        }
    }

    /** Locks what the simplex stands at until the next cut: rounding has it fall, nobody's total has to do with it. */
    void lockForNow() {
        boolean row = simplex.moving.wallSubflow < 0;
        int index = row ? simplex.moving.wallRow : simplex.moving.wallSubflow;
        (row ? simplex.moving.lockedRow : simplex.moving.lockedSubflow)[index] = true;
        (row ? rowStrength : subflowStrength)[index] = Double.POSITIVE_INFINITY;
        (row ? rowsForNow : subflowsForNow).add(index);
    }

    private void release() {
        rowsForNow.forEach(r -> simplex.moving.lockedRow[r] = false);
        subflowsForNow.forEach(s -> simplex.moving.lockedSubflow[s] = false);
        rowsForNow.clear();
        subflowsForNow.clear();
    }
}
