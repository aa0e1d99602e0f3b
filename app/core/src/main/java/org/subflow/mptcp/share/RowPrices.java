// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * Prices of rows, most of them 0, and what subflows pay by them: the sum over the rows that they cross.
 *
 * <p>To set and to clear a price is O(subflows on the row).
 */
final class RowPrices {
    /** Prices below this part of the largest are rounding. */
    private static final double ROUNDING = 1e-12;

    /** Price of each row. */
    final double[] price;
    /** What each subflow pays. */
    final double[] pays;
    /** Rows that have a price. */
    int[] row = new int[16];
    int rowCount;
    /** Connections some of whose subflows pay. */
    final int[] connection;
    int connectionCount;

    private final Rows rows;
    private final boolean[] paying;

    RowPrices(Rows rows) {
        this.rows = rows;
        price = new double[rows.rows()];
        pays = new double[rows.subflows()];
        connection = new int[rows.connections()];
        paying = new boolean[rows.connections()];
    }

    /** Gives a price to a row that has none. */
    void set(int r, double value) {
        if (rowCount == row.length) {
            row = Arrays.copyOf(row, 2 * rowCount);
        }
        price[r] = value;
        row[rowCount++] = r;
        for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
            int s = rows.on[k];
            int c = rows.connectionOf[s];
            pays[s] += value;
            if (!paying[c]) {
                paying[c] = true;
                connection[connectionCount++] = c;
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
            if (Math.abs(values[r]) > ROUNDING * largest) {
                set(r, values[r]);
            }
        }
    }

    /** Takes all prices back. */
    void clear() {
        for (int i = 0; i < rowCount; i++) {
            price[row[i]] = 0;
        }
        for (int i = 0; i < connectionCount; i++) {
            int c = connection[i];
            Arrays.fill(pays, rows.first[c], rows.first[c + 1], 0);
            paying[c] = false;
        }
        rowCount = 0;
        connectionCount = 0;
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
