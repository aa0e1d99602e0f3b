// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * Prices of rows, most of them 0, and what subflows pay by them: the sum over the rows that they cross.
 *
 * <p>To set and to clear a price is O(subflows on the row).
 */
final class RowPrices {
    private static final int UNKNOWN = -1;

    /** Price of each row. */
    final double[] price;
    /** What each subflow pays. */
    final double[] pays;
    /** Rows that have a price. */
    int[] row = new int[16];
    int rowCount;
    /** Connections of whose subflows some may pay, as far as {@link #payers} has counted them. */
    final int[] payer;

    private final Rows rows;
    private final boolean[] paying;
    /** How many there are; unknown if below 0. */
    private int payerCount;
    private int entries;

    RowPrices(Rows rows) {
        this.rows = rows;
        price = new double[rows.rows()];
        pays = new double[rows.subflows()];
        payer = new int[rows.connections()];
        paying = new boolean[rows.connections()];
    }

    /** Gives a price to a row that has none. */
    void set(int r, double value) {
        if (rowCount == row.length) {
            row = Arrays.copyOf(row, 2 * rowCount);
        }
        price[r] = value;
        row[rowCount++] = r;
        payerCount = UNKNOWN;
        entries += rows.onStart[r + 1] - rows.onStart[r];
        for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
            pays[rows.on[k]] += value;
        }
    }

    /** Returns the number of connections in {@link #payer}: all if many pay, for to look which would take longer. */
    int payers() {
        if (payerCount == UNKNOWN) {
            payerCount = 0;
            boolean all = entries > paying.length;
            for (int c = 0; all && c < paying.length; c++) {
                payer[payerCount++] = c;
            }
            for (int i = 0; !all && i < rowCount; i++) {
                addPayers(row[i]);
            }
            for (int i = 0; i < payerCount; i++) {
                paying[payer[i]] = false;
            }
        }
        return payerCount;
    }

    private void addPayers(int r) {
        for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
            int c = rows.connectionOf[rows.on[k]];
            if (!paying[c]) {
                paying[c] = true;
                payer[payerCount++] = c;
            }
        }
    }

    /** Gives prices to all rows anew, but for rounding. */
    void setAll(double[] values) {
        clear();
        double largest = 0;
        for (double value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        for (int r = 0; r < values.length; r++) {
            if (Math.abs(values[r]) > Tolerances.ROUNDING * largest) {
                set(r, values[r]);
            }
        }
    }

    /** Takes all prices back. */
    void clear() {
        if (entries > pays.length) {
            Arrays.fill(pays, 0);
        }
        for (int i = 0; i < rowCount; i++) {
            int r = row[i];
            price[r] = 0;
            for (int k = rows.onStart[r]; entries <= pays.length && k < rows.onStart[r + 1]; k++) {
                pays[rows.on[k]] = 0;
            }
        }
        rowCount = 0;
        entries = 0;
        payerCount = UNKNOWN;
    }

    /** Returns what the cheapest subflow of a connection pays. */
    double cheapest(int c) {
        double least = Double.POSITIVE_INFINITY;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            least = Math.min(least, pays[s]);
        }
        return least;
    }

    /** Returns the largest amount of a price. */
    double largest() {
        double largest = 0;
        for (int i = 0; i < rowCount; i++) {
            largest = Math.max(largest, Math.abs(price[row[i]]));
        }
        return largest;
    }
}
