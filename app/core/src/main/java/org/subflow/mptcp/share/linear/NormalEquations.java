// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.linear;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Normal equations A·M·Aᵀ·y = r over chosen rows of a scaled problem: symmetric, positive semidefinite, dense.
 *
 * <p>The matrix is kept from one solution to the next, as callers mostly choose the same rows again.
 */
public final class NormalEquations {
    /** A row that depends linearly on others has a smaller pivot than this; its solution is 0. */
    private static final double DEPENDENT = 1e-14;

    private final ScaledProblem problem;
    private final int[] index;
    private int size;
    private double[][] matrix = new double[0][];
    private double[] vector = new double[0];

    /** Begins with no rows chosen. */
    public NormalEquations(ScaledProblem problem) {
        this.problem = problem;
        this.index = new int[problem.rows()];
    }

    /** Chooses rows and sets the matrix to 0. */
    public void choose(IntPredicate part) {
        size = 0;
        for (int r = 0; r < index.length; r++) {
            index[r] = part.test(r) ? size++ : -1;
        }
        if (matrix.length < size) {
            matrix = new double[size][size];
            vector = new double[size];
        }
        for (int i = 0; i < size; i++) {
            Arrays.fill(matrix[i], i, size, 0);
        }
    }

    /** Tells whether a row is chosen. */
    public boolean has(int row) {
        return index[row] >= 0;
    }

    /** Adds factor·a·bᵀ, with a and b the columns of two subflows in A. Callers add both orders, a·bᵀ and b·aᵀ. */
    public void addProduct(int s, int t, double factor) {
        for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
            int p = index[problem.row[i]];
            for (int j = problem.rowStart[t]; p >= 0 && j < problem.rowStart[t + 1]; j++) {
                int q = index[problem.row[j]];
                if (q >= p) {
                    matrix[p][q] += factor;
                }
            }
        }
    }

    /** Returns the diagonal element of a chosen row. */
    public double diagonal(int row) {
        return matrix[index[row]][index[row]];
    }

    /** Sets the diagonal element of a chosen row. */
    public void setDiagonal(int row, double value) {
        matrix[index[row]][index[row]] = value;
    }

    /** Factors the matrix; {@link #solve} may then be called any number of times. */
    public void factor() {
        Cholesky.factor(matrix, size, DEPENDENT);
    }

    /** Replaces the right-hand side, one value per row, by the solution; rows that are not chosen keep their values. */
    public void solve(double[] values) {
        for (int r = 0; r < index.length; r++) {
            if (index[r] >= 0) {
                vector[index[r]] = values[r];
            }
        }
        Cholesky.solve(matrix, size, vector);
        for (int r = 0; r < index.length; r++) {
            if (index[r] >= 0) {
                values[r] = vector[index[r]];
            }
        }
    }
}
