// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * A limit on the totals of connections that follows from prices of rows: Σ q_c·T_c ≤ β, where q_c is the price of the
 * cheapest subflow of connection c and β what all limits are worth.
 *
 * <p>It holds for every feasible split: whatever a connection sends costs at least q_c per unit, and together not more
 * than β can be bought. In scaled units; immutable.
 */
final class Cut {

    /** Rows with a price above 0, and the prices. */
    final int[] row;
    final double[] price;
    /** Connections with q above 0, and their q. */
    final int[] connection;
    final double[] factor;
    final double bound;

    private Cut(int[] row, double[] price, int[] connection, double[] factor, double bound) {
        this.row = row;
        this.price = price;
        this.connection = connection;
        this.factor = factor;
        this.bound = bound;
    }

    /**
     * Returns the same cut with one connection more, whose routes may be what the prices are of too.
     *
     * @param q what its cheapest subflow pays
     */
    Cut with(int newcomer, double q) {
        if (!(q > Tolerances.LEAST_PRICE)) {
            return this;
        }
        int count = connection.length;
        int[] more = Arrays.copyOf(connection, count + 1);
        double[] factors = Arrays.copyOf(factor, count + 1);
        more[count] = newcomer;
        factors[count] = q;
        return new Cut(row, price, more, factors, bound);
    }

    /** Makes the cut that prices stand for: none below 0, the largest 1. */
    static Cut of(Rows rows, RowPrices prices) {
        int[] row = Arrays.copyOf(prices.row, prices.rowCount);
        double[] price = Arrays.stream(row).mapToDouble(r -> prices.price[r]).toArray();
        double bound = 0;
        for (int i = 0; i < row.length; i++) {
            bound += price[i] * rows.limit[row[i]];
        }
        int[] connection = new int[prices.payers()];
        double[] factor = new double[prices.payers()];
        int count = 0;
        for (int i = 0; i < prices.payers(); i++) {
            int c = prices.payer[i];
            double q = prices.cheapest(c);
            if (q > Tolerances.LEAST_PRICE) {
                connection[count] = c;
                factor[count++] = q;
            }
        }
        return new Cut(row, price, Arrays.copyOf(connection, count), Arrays.copyOf(factor, count), bound);
    }
}
