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
    /** Prices below this part of the largest are rounding; to hold a connection by them would be arbitrary. */
    private static final double NOTHING = 1e-9;

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

    /** Makes the cut that the given prices of all rows stand for; the largest becomes 1, and rounding 0. */
    static Cut of(Rows rows, double[] y) {
        int used = 0;
        double largest = 0;
        for (double p : y) {
            largest = Math.max(largest, p);
        }
        for (int r = 0; r < y.length; r++) {
            y[r] = y[r] > NOTHING * largest ? y[r] : 0;
            used += y[r] > 0 ? 1 : 0;
        }
        int[] row = new int[used];
        double[] price = new double[used];
        for (int r = 0, i = 0; r < y.length; r++) {
            if (y[r] > 0) {
                row[i] = r;
                price[i++] = y[r] / largest;
            }
        }
        Touched touched = new Touched(rows.connections());
        for (int r : row) {
            touched.addConnectionsOn(rows, r);
        }
        return of(rows, row, price, touched, y, largest);
    }

    /** Makes the cut of one row; null if every connection on it can also go round it. */
    static Cut ofRow(Rows rows, int row, double[] zeros, Touched touched) {
        zeros[row] = 1;
        touched.addConnectionsOn(rows, row);
        Cut cut = of(rows, new int[] {row}, new double[] {1}, touched, zeros, 1);
        zeros[row] = 0;
        return cut.connection.length > 0 ? cut : null;
    }

    /**
     * Makes the cut that the same prices stand for in a later version of the problem.
     *
     * @param zeros as many zeros as there are rows; zeros again afterwards
     * @return the cut, or null if a row is gone or nobody is held by it any more
     */
    Cut after(Rows rows, Match match, double[] zeros, Touched touched) {
        int[] rowNow = new int[row.length];
        for (int i = 0; i < row.length; i++) {
            rowNow[i] = match.newRow[row[i]];
            if (rowNow[i] < 0) {
                return null;
            }
        }
        for (int i = 0; i < row.length; i++) {
            zeros[rowNow[i]] = price[i];
            touched.addConnectionsOn(rows, rowNow[i]);
        }
        Cut cut = of(rows, rowNow, price, touched, zeros, 1);
        for (int r : rowNow) {
            zeros[r] = 0;
        }
        return cut.connection.length > 0 ? cut : null;
    }

    private static Cut of(Rows rows, int[] row, double[] price, Touched touched, double[] y, double largest) {
        int[] connection = new int[touched.count];
        double[] factor = new double[touched.count];
        int count = 0;
        for (int i = 0; i < touched.count; i++) {
            int c = touched.connection[i];
            double q = cheapest(rows, c, y) / largest;
            if (q > NOTHING) {
                connection[count] = c;
                factor[count++] = q;
            }
        }
        touched.clear();
        return new Cut(row, price, Arrays.copyOf(connection, count), Arrays.copyOf(factor, count),
                bound(rows, row, price));
    }

    private static double bound(Rows rows, int[] row, double[] price) {
        double bound = 0;
        for (int i = 0; i < row.length; i++) {
            bound += price[i] * rows.limit[row[i]];
        }
        return bound;
    }

    private static double cheapest(Rows rows, int c, double[] y) {
        double least = Double.POSITIVE_INFINITY;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            double sum = 0;
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                sum += y[rows.row[i]];
            }
            least = Math.min(least, sum);
        }
        return least;
    }

    /** Returns the left-hand side. */
    double worth(double[] totals) {
        double sum = 0;
        for (int i = 0; i < connection.length; i++) {
            sum += factor[i] * totals[connection[i]];
        }
        return sum;
    }

    /**
     * Lowers totals, the highest levels first and all to the same, until the cut holds.
     *
     * @param slack how far below the bound to go, relative to it
     */
    void lower(Rows rows, double[] totals, double slack) {
        int n = connection.length;
        boolean[] stays = new boolean[n];
        double level = 0;
        for (boolean changed = true; changed;) {
            double room = bound * (1 - slack);
            double rising = 0;
            for (int i = 0; i < n; i++) {
                int c = connection[i];
                room -= stays[i] ? factor[i] * totals[c] : 0;
                rising += stays[i] ? 0 : factor[i] * rows.weight[c];
            }
            level = Math.max(0, room / rising);
            changed = false;
            for (int i = 0; i < n; i++) {
                if (!stays[i] && totals[connection[i]] < level * rows.weight[connection[i]]) {
                    stays[i] = true;
                    changed = true;
                }
            }
        }
        for (int i = 0; i < n; i++) {
            int c = connection[i];
            totals[c] = stays[i] ? totals[c] : level * rows.weight[c];
        }
    }

    /** A set of connections that is quick to empty. */
    static final class Touched {
        private final boolean[] in;
        private final int[] connection;
        private int count;

        Touched(int connections) {
            in = new boolean[connections];
            connection = new int[connections];
        }

        void addConnectionsOn(Rows rows, int row) {
            for (int k = rows.onStart[row]; k < rows.onStart[row + 1]; k++) {
                int c = rows.connectionOf[rows.on[k]];
                if (!in[c]) {
                    in[c] = true;
                    connection[count++] = c;
                }
            }
        }

        void clear() {
            for (int i = 0; i < count; i++) {
                in[connection[i]] = false;
            }
            count = 0;
        }
    }
}
