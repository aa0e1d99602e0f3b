// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A symmetric positive semidefinite system of equations with one unknown for each of some rows, dense; kept between
 * solutions, as the rows chosen are mostly the same again.
 */
final class RowSystem {
    /** Rows that follow from others have a pivot that is rounding, and a solution of 0. */
    private static final double DEPENDENT = 1e-14;

    private final Rows rows;
    private final int[] index;
    private int dense;
    private double[][] matrix = new double[0][];
    private double[] vector = new double[0];

    RowSystem(Rows rows) {
        this.rows = rows;
        this.index = new int[rows.rows()];
    }

    /** Begins anew with an empty matrix over the rows that are to take part. */
    void choose(IntPredicate part) {
        dense = 0;
        for (int r = 0; r < index.length; r++) {
            index[r] = part.test(r) ? dense++ : -1;
        }
        if (matrix.length < dense) {
            matrix = new double[dense][dense];
            vector = new double[dense];
        }
        for (int i = 0; i < dense; i++) {
            Arrays.fill(matrix[i], i, dense, 0);
        }
    }

    /** Tells whether a row takes part. */
    boolean has(int row) {
        return index[row] >= 0;
    }

    /** Adds factor · a·bᵀ for the columns a and b of two subflows in A; each of the two orders is asked for. */
    void addProduct(int s, int t, double factor) {
        for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
            int p = index[rows.row[i]];
            for (int j = rows.rowStart[t]; p >= 0 && j < rows.rowStart[t + 1]; j++) {
                int q = index[rows.row[j]];
                if (q >= p) {
                    matrix[p][q] += factor;
                }
            }
        }
    }

    /** Returns the diagonal element of a row that takes part. */
    double diagonal(int row) {
        return matrix[index[row]][index[row]];
    }

    /** Sets the diagonal element of a row that takes part. */
    void setDiagonal(int row, double value) {
        matrix[index[row]][index[row]] = value;
    }

    /** Makes the system ready to be solved, as often as wanted. */
    void factor() {
        Cholesky.factor(matrix, dense, DEPENDENT);
    }

    /** Puts the solution in place of the right-hand side, by row; rows that take no part are left as they are. */
    void solve(double[] values) {
        for (int r = 0; r < index.length; r++) {
            if (index[r] >= 0) {
                vector[index[r]] = values[r];
            }
        }
        Cholesky.solve(matrix, dense, vector);
        for (int r = 0; r < index.length; r++) {
            if (index[r] >= 0) {
                values[r] = vector[index[r]];
            }
        }
    }
}
