// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.linear;

import java.util.Arrays;

/**
 * A price for each row, mostly 0, and the price of each subflow: the sum over the rows that it crosses, yᵀA.
 *
 * <p>Setting and clearing a price is O(subflows on the row). Working state; not thread-safe.
 */
public final class RowPrices {
    private static final int UNKNOWN = -1;

    /** Price of each row. */
    public final double[] price;
    /** Price of each subflow. */
    public final double[] pays;
    /** Rows that have a price. */
    public int[] row = new int[16];
    /** Number of rows in {@link #row}. */
    public int rowCount;
    /** Connections with a subflow that may have a price, as many as {@link #payers} says. */
    public final int[] payer;

    private final ScaledProblem problem;
    private final boolean[] paying;
    /** Number of connections in {@link #payer}, or {@link #UNKNOWN}. */
    private int payerCount;
    private int entries;

    /** Begins without prices. */
    public RowPrices(ScaledProblem problem) {
        this.problem = problem;
        price = new double[problem.rows()];
        pays = new double[problem.subflows()];
        payer = new int[problem.connections()];
        paying = new boolean[problem.connections()];
    }

    /** Gives a price to a row that has none. */
    public void set(int r, double value) {
        if (rowCount == row.length) {
            row = Arrays.copyOf(row, 2 * rowCount);
        }
        price[r] = value;
        row[rowCount++] = r;
        payerCount = UNKNOWN;
        entries += problem.onStart[r + 1] - problem.onStart[r];
        for (int k = problem.onStart[r]; k < problem.onStart[r + 1]; k++) {
            pays[problem.on[k]] += value;
        }
    }

    /** Returns the number of connections in {@link #payer}; where many pay, all are listed, as that is faster. */
    public int payers() {
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
        for (int k = problem.onStart[r]; k < problem.onStart[r + 1]; k++) {
            int c = problem.connectionOf[problem.on[k]];
            if (!paying[c]) {
                paying[c] = true;
                payer[payerCount++] = c;
            }
        }
    }

    /** Replaces all prices; those that are rounding errors become 0. */
    public void setAll(double[] values) {
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

    /** Sets all prices to 0. */
    public void clear() {
        if (entries > pays.length) {
            Arrays.fill(pays, 0);
        }
        for (int i = 0; i < rowCount; i++) {
            int r = row[i];
            price[r] = 0;
            for (int k = problem.onStart[r]; entries <= pays.length && k < problem.onStart[r + 1]; k++) {
                pays[problem.on[k]] = 0;
            }
        }
        rowCount = 0;
        entries = 0;
        payerCount = UNKNOWN;
    }

    /** Returns the price of the cheapest subflow of a connection. */
    public double cheapest(int c) {
        double least = Double.POSITIVE_INFINITY;
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            least = Math.min(least, pays[s]);
        }
        return least;
    }

    /** Returns the largest absolute value of a price. */
    public double largest() {
        double largest = 0;
        for (int i = 0; i < rowCount; i++) {
            largest = Math.max(largest, Math.abs(price[row[i]]));
        }
        return largest;
    }
}
