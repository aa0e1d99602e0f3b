// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.RowPrices;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * A cutting plane for the totals of connections, which follows from prices of rows: Σ q_c·T_c ≤ β, where q_c is the price
 * of the cheapest subflow of connection c, and β = Σ price·limit.
 *
 * <p>Every feasible split satisfies it: connection c uses priced capacity worth at least q_c per unit of its total, and all
 * capacity together is worth β. Scaled units. Immutable.
 */
public final class Cut {
    /** Rows with a price above 0, and the prices. */
    public final int[] row;
    /** Price of each of {@link #row}. */
    public final double[] price;
    /** Connections with a price q above 0, and their q. */
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
     * Returns the same cut for a problem with one more connection.
     *
     * @param q the price of its cheapest subflow
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

    /** Returns by how much totals violate this cut; below 0 if they do not. */
    double violation(double[] totals) {
        double beyond = -bound;
        for (int i = 0; i < connection.length; i++) {
            beyond += factor[i] * totals[connection[i]];
        }
        return beyond;
    }

    /** Returns the cut that follows from prices, of which none is below 0 and the largest is 1. */
    static Cut of(ScaledProblem problem, RowPrices prices) {
        int[] row = Arrays.copyOf(prices.row, prices.rowCount);
        double[] price = Arrays.stream(row).mapToDouble(r -> prices.price[r]).toArray();
        double bound = 0;
        for (int i = 0; i < row.length; i++) {
            bound += price[i] * problem.limit[row[i]];
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
