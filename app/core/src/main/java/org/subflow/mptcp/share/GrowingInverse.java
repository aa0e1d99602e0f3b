// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * The inverse of a symmetric positive definite matrix to which rows come, from which rows go, and which changes by
 * rank 1.
 *
 * <p>Each change costs O(n²) in long straight loops; nothing is factored anew. Callers correct the rounding that builds
 * up by iterative refinement against the matrix itself.
 */
final class GrowingInverse {
    private double[][] rows = new double[16][16];
    private int size;

    int size() {
        return size;
    }


    /** Adds {@code factor} times column i to a vector. */
    void addColumn(int i, double factor, double[] to) {
        double[] r = rows[i];
        for (int j = 0; j < size; j++) {
            to[j] += factor * r[j];
        }
    }

    /** Adds the product of the inverse and a vector to {@code to}. */
    void multiplyAdd(double[] vector, double[] to) {
        for (int i = 0; i < size; i++) {
            if (vector[i] != 0) {
                addColumn(i, vector[i], to);
            }
        }
    }

    /** Adds d·dᵀ·factor. */
    void addOuter(double[] d, double factor) {
        for (int i = 0; i < size; i++) {
            double f = factor * d[i];
            if (f != 0) {
                double[] r = rows[i];
                for (int j = 0; j < size; j++) {
                    r[j] += f * d[j];
                }
            }
        }
    }

    /**
     * Follows the matrix as it grows by a row: d is minus the inverse times the new column, sigma the Schur complement.
     */
    void append(double[] d, double sigma) {
        reserve(size + 1);
        addOuter(d, 1 / sigma);
        double[] last = rows[size];
        for (int j = 0; j < size; j++) {
            last[j] = d[j] / sigma;
            rows[j][size] = last[j];
        }
        last[size] = 1 / sigma;
        size++;
    }

    /** Follows the matrix as it loses row and column i; the last ones take their place. */
    void remove(int i) {
        double[] column = Arrays.copyOf(rows[i], size);
        addOuter(column, -1 / column[i]);
        int last = size - 1;
        double[] gone = rows[i];
        rows[i] = rows[last];
        rows[last] = gone;
        for (int j = 0; j < last; j++) {
            rows[j][i] = rows[j][last];
        }
        size = last;
    }

    /**
     * Inverts a matrix from scratch.
     *
     * @param matrix symmetric positive definite, n × n in its lower triangle; overwritten
     * @return whether it is safely positive definite; if not, this inverse is unusable until the next call
     */
    boolean invert(double[][] matrix, int n) {
        reserve(n);
        size = n;
        if (!Cholesky.factor(matrix, n, 1e-11)) {
            return false;
        }
        double[] unit = new double[n];
        for (int i = 0; i < n; i++) {
            Arrays.fill(unit, 0);
            unit[i] = 1;
            Cholesky.solve(matrix, n, unit);
            System.arraycopy(unit, 0, rows[i], 0, n);
        }
        return true;
    }

    void clear() {
        size = 0;
    }

    private void reserve(int n) {
        if (n > rows.length) {
            int wanted = Math.max(n, rows.length * 2);
            double[][] larger = new double[wanted][];
            for (int i = 0; i < wanted; i++) {
                larger[i] = i < size ? Arrays.copyOf(rows[i], wanted) : new double[wanted];
            }
            rows = larger;
        }
    }
}
