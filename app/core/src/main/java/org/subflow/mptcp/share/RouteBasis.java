// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * A basis of the equations that rates of subflows solve: load plus slack makes a row's limit, the rates of siblings make
 * their connection's total.
 *
 * <p>Each connection has one <em>key</em> subflow, which takes what its siblings leave of the total (generalised upper
 * bounding). That eliminates one equation per connection. What is left to invert is the small matrix W of the
 * <em>tight</em> rows, whose slack is 0, by as many <em>extra</em> subflows, which may carry something beside the keys:
 * W = (row crossed by the extra subflow) − (row crossed by the key of its connection). All other subflows are idle, all
 * other rows have their slack.
 *
 * <p>The inverse is dense and follows each pivot in O(n²) for n tight rows, less where the pivot's column is sparse.
 *
 * <p>G. Dantzig, R. Van Slyke, "Generalized upper bounding techniques", 1967.
 */
final class RouteBasis {
    /** Factors below this change no entry of the inverse: its entries are mostly near 1, and a double has 16 digits. */
    private static final double DROP_TOLERANCE = 1e-15;

    /** Key subflow of each connection. */
    final int[] key;
    /** The extra subflows and the tight rows, as many of the one as of the other. */
    int[] extra = new int[16];
    int[] tight = new int[16];
    int size;

    private final Rows rows;
    private final int[] extraPlace;
    private final int[] tightPlace;
    /** W⁻¹: a line for each extra subflow, a column for each tight row. */
    private double[][] inverse = new double[16][16];
    private double[] leftOnTight = new double[16];

    /** Begins with no row tight, and the first subflow of each connection as its key. */
    RouteBasis(Rows rows) {
        this.rows = rows;
        key = Arrays.copyOf(rows.first, rows.connections());
        extraPlace = new int[rows.subflows()];
        tightPlace = new int[rows.rows()];
        Arrays.fill(extraPlace, -1);
        Arrays.fill(tightPlace, -1);
    }

    /**
     * Takes over the basis of an earlier version of a problem, which is of no use afterwards.
     *
     * @return null if a tight row or an extra subflow is not there any more
     */
    static RouteBasis after(RouteBasis before, Rows rows, Match match) {
        RouteBasis basis = new RouteBasis(rows);
        for (int c = 0; c < basis.key.length; c++) {
            int old = match.oldConnection[c];
            basis.key[c] = old < 0 ? rows.first[c] : match.newSubflow[before.key[old]];
        }
        basis.inverse = before.inverse;
        basis.extra = before.extra;
        basis.tight = before.tight;
        basis.size = before.size;
        for (int i = 0; i < basis.size; i++) {
            basis.extra[i] = match.newSubflow[basis.extra[i]];
            basis.tight[i] = match.newRow[basis.tight[i]];
            if (basis.extra[i] < 0 || basis.tight[i] < 0) {
                return null;
            }
            basis.extraPlace[basis.extra[i]] = i;
            basis.tightPlace[basis.tight[i]] = i;
        }
        return basis;
    }

    /** Returns a copy for rows that begin with the same connections, subflows and rows. */
    RouteBasis copy(Rows more) {
        RouteBasis basis = new RouteBasis(more);
        System.arraycopy(key, 0, basis.key, 0, key.length);
        basis.reserve(size + 1);
        basis.size = size;
        for (int i = 0; i < size; i++) {
            System.arraycopy(inverse[i], 0, basis.inverse[i], 0, size);
            basis.extra[i] = extra[i];
            basis.tight[i] = tight[i];
            basis.extraPlace[extra[i]] = i;
            basis.tightPlace[tight[i]] = i;
        }
        return basis;
    }

    /** Returns the tight row that an extra subflow can best be exchanged for. */
    int safestRow(int subflow) {
        double[] line = inverse[extraPlace[subflow]];
        int best = 0;
        for (int i = 1; i < size; i++) {
            best = Math.abs(line[i]) > Math.abs(line[best]) ? i : best;
        }
        return tight[best];
    }

    boolean isExtra(int subflow) {
        return extraPlace[subflow] >= 0;
    }

    boolean isTight(int row) {
        return tightPlace[row] >= 0;
    }

    /** Returns a vector with room for a number per tight row and one more, or the given one if it has. */
    double[] fit(double[] vector) {
        return vector.length > size ? vector : new double[2 * size + 16];
    }

    /**
     * Writes what a unit more of each tight row's load does to the load of a row that is not tight, by way of the extra
     * subflows.
     */
    void follow(int row, double[] change) {
        Arrays.fill(change, 0, size, 0);
        for (int k = rows.onStart[row]; k < rows.onStart[row + 1]; k++) {
            int s = rows.on[k];
            int c = rows.connectionOf[s];
            if (extraPlace[s] >= 0) {
                addLine(extraPlace[s], 1, change);
            } else if (key[c] == s) {
                for (int e = rows.first[c]; e < rows.first[c + 1]; e++) {
                    if (extraPlace[e] >= 0) {
                        addLine(extraPlace[e], -1, change);
                    }
                }
            }
        }
    }

    /** Writes what a unit more of each tight row's load does to the rate of an extra subflow. */
    void rise(int subflow, double[] change) {
        System.arraycopy(inverse[extraPlace[subflow]], 0, change, 0, size);
    }

    private void addLine(int p, double factor, double[] to) {
        double[] line = inverse[p];
        for (int i = 0; i < size; i++) {
            to[i] += factor * line[i];
        }
    }

    /** Writes by how much each extra subflow falls when an idle one rises by a unit. */
    void fallForSubflow(int subflow, double[] fall) {
        Arrays.fill(fall, 0, size, 0);
        addColumns(subflow, 1, fall);
        addColumns(key[rows.connectionOf[subflow]], -1, fall);
    }

    /** Writes by how much each extra subflow falls when the slack of a tight row rises by a unit. */
    void fallForSlack(int row, double[] fall) {
        int q = tightPlace[row];
        for (int p = 0; p < size; p++) {
            fall[p] = inverse[p][q];
        }
    }

    private void addColumns(int subflow, double factor, double[] to) {
        for (int i = rows.rowStart[subflow]; i < rows.rowStart[subflow + 1]; i++) {
            int q = tightPlace[rows.row[i]];
            for (int p = 0; q >= 0 && p < size; p++) {
                to[p] += factor * inverse[p][q];
            }
        }
    }

    /**
     * Writes what the extra subflows carry.
     *
     * @param left for each row, what it has left for them if keys carried the whole totals
     */
    void solve(double[] left, double[] rates) {
        leftOnTight = fit(leftOnTight);
        for (int i = 0; i < size; i++) {
            leftOnTight[i] = left[tight[i]];
        }
        for (int p = 0; p < size; p++) {
            rates[p] = product(inverse[p], leftOnTight, size);
        }
    }

    /** Four sums side by side: the processor need not wait for one addition to begin the next. */
    private static double product(double[] x, double[] y, int n) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i + 3 < n; i += 4) {
            a += x[i] * y[i];
            b += x[i + 1] * y[i + 1];
            c += x[i + 2] * y[i + 2];
            d += x[i + 3] * y[i + 3];
        }
        for (; i < n; i++) {
            a += x[i] * y[i];
        }
        return a + b + (c + d);
    }

    /** Writes the prices of tight rows by which each extra subflow pays as much more than its key as given. */
    void solveTransposed(double[] more, double[] prices) {
        Arrays.fill(prices, 0, size, 0);
        for (int p = 0; p < size; p++) {
            if (more[p] != 0) {
                addLine(p, more[p], prices);
            }
        }
    }

    /** Lets an extra subflow be the key of its connection, and the key extra. */
    void swapKey(int subflow) {
        int c = rows.connectionOf[subflow];
        int p = extraPlace[subflow];
        double[] line = inverse[p];
        for (int e = rows.first[c]; e < rows.first[c + 1]; e++) {
            if (extraPlace[e] >= 0 && e != subflow) {
                addLine(extraPlace[e], 1, line);
            }
        }
        scale(line, -1);
        extraPlace[key[c]] = p;
        extra[p] = key[c];
        extraPlace[subflow] = -1;
        key[c] = subflow;
    }

    /** Lets an idle subflow take the place of an extra one; {@code fall} as {@link #fallForSubflow} gives it. */
    void exchangeSubflow(int leaving, int entering, double[] fall) {
        int p = extraPlace[leaving];
        scale(inverse[p], 1 / fall[p]);
        eliminate(p, fall);
        extraPlace[leaving] = -1;
        extraPlace[entering] = p;
        extra[p] = entering;
    }

    /** Lets a row be tight in the place of another; {@code change} as {@link #follow} gives it. */
    void exchangeRow(int becomesTight, int leaving, double[] change) {
        int q = tightPlace[leaving];
        double pivot = change[q];
        change[q] = 0;
        for (int p = 0; p < size; p++) {
            double[] line = inverse[p];
            double f = line[q] / pivot;
            if (Math.abs(f) > DROP_TOLERANCE) {
                line[q] = f;
                subtract(line, change, f, size);
            }
        }
        change[q] = pivot;
        tightPlace[leaving] = -1;
        tightPlace[becomesTight] = q;
        tight[q] = becomesTight;
    }

    /**
     * Lets a row be tight and an idle subflow extra.
     *
     * @param change as {@link #follow} gives it for the row
     * @param fall   as {@link #fallForSubflow} gives it
     * @param gain   by how much the row's slack grows with a unit on the subflow, not 0
     */
    void grow(int row, int subflow, double[] change, double[] fall, double gain) {
        reserve(size + 1);
        double[] last = inverse[size];
        for (int i = 0; i < size; i++) {
            last[i] = change[i] / gain;
        }
        last[size] = -1 / gain;
        for (int p = 0; p < size; p++) {
            inverse[p][size] = 0;
            if (Math.abs(fall[p]) > DROP_TOLERANCE) {
                subtract(inverse[p], last, fall[p], size + 1);
            }
        }
        tight[size] = row;
        tightPlace[row] = size;
        extra[size] = subflow;
        extraPlace[subflow] = size;
        size++;
    }

    /** Lets a tight row have slack again and an extra subflow idle; {@code fall} as {@link #fallForSlack} gives it. */
    void shrink(int row, int subflow, double[] fall) {
        int q = tightPlace[row];
        int p = extraPlace[subflow];
        double[] gone = inverse[p];
        scale(gone, 1 / gone[q]);
        eliminate(p, fall);
        int last = --size;
        inverse[p] = inverse[last];
        inverse[last] = gone;
        extra[p] = extra[last];
        extraPlace[extra[p]] = p;
        extraPlace[subflow] = -1;
        for (int i = 0; i < last; i++) {
            inverse[i][q] = inverse[i][last];
        }
        tight[q] = tight[last];
        tightPlace[tight[q]] = q;
        tightPlace[row] = -1;
    }

    /**
     * Takes rounding out of the inverse by a step of Newton's method, O(n³).
     *
     * @return the largest error found in the product of W and its inverse; the step helps if it is well below 1
     */
    double refine() {
        double[][] error = new double[size][size];
        double largest = 0;
        for (int q = 0; q < size; q++) {
            follow(tight[q], error[q]);
            for (int i = 0; i < size; i++) {
                error[q][i] = (i == q ? 1 : 0) - error[q][i];
                largest = Math.max(largest, Math.abs(error[q][i]));
            }
        }
        double[] sum = new double[size];
        for (int p = 0; p < size; p++) {
            Arrays.fill(sum, 0);
            for (int q = 0; q < size; q++) {
                if (inverse[p][q] != 0) {
                    subtract(sum, error[q], -inverse[p][q], size);
                }
            }
            subtract(inverse[p], sum, -1, size);
        }
        return largest;
    }

    private void eliminate(int p, double[] factor) {
        double[] line = inverse[p];
        for (int other = 0; other < size; other++) {
            if (other != p && Math.abs(factor[other]) > DROP_TOLERANCE) {
                subtract(inverse[other], line, factor[other], size);
            }
        }
    }

    private static void subtract(double[] from, double[] line, double factor, int n) {
        for (int i = 0; i < n; i++) {
            from[i] -= factor * line[i];
        }
    }

    private void scale(double[] line, double factor) {
        for (int i = 0; i < size; i++) {
            line[i] *= factor;
        }
    }

    private void reserve(int n) {
        if (n > inverse.length) {
            int wanted = 2 * n;
            double[][] larger = new double[wanted][];
            for (int p = 0; p < wanted; p++) {
                larger[p] = p < size ? Arrays.copyOf(inverse[p], wanted) : new double[wanted];
            }
            inverse = larger;
            extra = Arrays.copyOf(extra, wanted);
            tight = Arrays.copyOf(tight, wanted);
        }
    }
}
