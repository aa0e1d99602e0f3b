// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.linear;

/**
 * Cholesky factorisation UᵀU of dense symmetric positive definite matrices; only the upper triangle is stored.
 *
 * <p>The inner loops add a multiple of one row to another, which the virtual machine compiles to vector instructions.
 * Panels of rows fit in the cache.
 */
final class Cholesky {
    private static final int PANEL = 32;
    private static final double HUGE = 1e128;

    private Cholesky() {
    }

    /**
     * Replaces the upper triangle of a matrix by its factor U.
     *
     * @param least the smallest pivot, relative to its diagonal entry, that counts as positive; {@link #solve} answers 0
     *              for an unknown with a smaller one
     */
    static void factor(double[][] a, int n, double least) {
        double[] diagonal = new double[n];
        for (int i = 0; i < n; i++) {
            diagonal[i] = a[i][i];
        }
        for (int from = 0; from < n; from += PANEL) {
            int to = Math.min(n, from + PANEL);
            for (int k = 0; k < from; k += 4) {
                for (int i = from; i < to; i++) {
                    subtractFour(a, k, i, n);
                }
            }
            for (int k = from; k < to; k++) {
                double pivot = a[k][k];
                if (!(pivot > least * diagonal[k])) {
                    pivot = HUGE;
                    a[k][k] = HUGE;
                }
                scale(a[k], 1 / Math.sqrt(pivot), k, n);
                for (int i = k + 1; i < to; i++) {
                    subtract(a[i], a[k], a[k][i], i, n);
                }
            }
        }
    }

    /** Solves UᵀU·x = b in place. */
    static void solve(double[][] u, int n, double[] b) {
        for (int i = 0; i < n; i++) {
            b[i] /= u[i][i];
            if (b[i] != 0) {
                subtract(b, u[i], b[i], i + 1, n);
            }
        }
        for (int i = n - 1; i >= 0; i--) {
            double[] row = u[i];
            double sum = b[i];
            for (int j = i + 1; j < n; j++) {
                sum -= row[j] * b[j];
            }
            b[i] = sum / row[i];
        }
    }

    private static void subtractFour(double[][] a, int k, int i, int n) {
        double[] row = a[i];
        double[] r0 = a[k];
        double[] r1 = a[k + 1];
        double[] r2 = a[k + 2];
        double[] r3 = a[k + 3];
        double f0 = r0[i];
        double f1 = r1[i];
        double f2 = r2[i];
        double f3 = r3[i];
        if (f0 == 0 && f1 == 0 && f2 == 0 && f3 == 0) {
            return;
        }
        for (int j = i; j < n; j++) {
            row[j] -= f0 * r0[j] + f1 * r1[j] + f2 * r2[j] + f3 * r3[j];
        }
    }

    private static void subtract(double[] row, double[] other, double factor, int from, int n) {
        for (int j = from; j < n; j++) {
            row[j] -= factor * other[j];
        }
    }

    private static void scale(double[] row, double factor, int from, int n) {
        for (int j = from; j < n; j++) {
            row[j] *= factor;
        }
    }
}
