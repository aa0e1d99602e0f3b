// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * The Newton system of {@link InteriorPoint}, reduced to one equation per row: (A·K·Aᵀ + slack/y)·Δy = right-hand side.
 *
 * <p>K = (D + θ·1·1ᵀ)⁻¹ is known in closed form for each connection. Rows that have nothing to decide any more, since
 * their slack/y dwarfs the rest of the diagonal, are solved for on their own, so that the dense system shrinks to the
 * rows that are full in the end. Splits and prices need not be unique: a proximal term in D and a trace of one on y keep
 * the system regular without moving the answer.
 */
final class PriceEquations {
    private static final double ALONE = 1e7;
    private static final double REGULAR = 1e-13;
    private static final double PROXIMAL = 1e-6;

    private final Rows rows;
    private final double[] d;
    private final double[] theta;
    private final double[] diagonal;
    private final RowSystem system;

    PriceEquations(Rows rows) {
        this.rows = rows;
        d = new double[rows.subflows()];
        theta = new double[rows.connections()];
        diagonal = new double[rows.rows()];
        system = new RowSystem(rows);
    }

    /** Sets up the equations at a point. */
    void at(PrimalDual point) {
        setDiagonals(point);
        system.choose(r -> point.slack[r] / point.y[r] < ALONE * diagonal[r]);
        for (int c = 0; c < theta.length; c++) {
            addConnection(c);
        }
        for (int r = 0; r < diagonal.length; r++) {
            double own = point.slack[r] / point.y[r];
            diagonal[r] += own;
            if (system.has(r)) {
                system.setDiagonal(r, (system.diagonal(r) + own) * (1 + REGULAR));
            }
        }
        system.factor();
    }

    private void setDiagonals(PrimalDual point) {
        Arrays.fill(diagonal, 0);
        for (int c = 0; c < theta.length; c++) {
            double curvature = point.levelPrice[c] / point.total[c];
            theta[c] = curvature + (point.capped(c) ? point.capPrice[c] / point.capSlack[c] : 0);
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                d[s] = point.z[s] / point.x[s] + PROXIMAL * curvature;
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    diagonal[rows.row[i]] += 1 / d[s];
                }
            }
        }
    }

    private void addConnection(int c) {
        double inverseSum = inverseSum(c);
        double common = 1 / (inverseSum * (1 + theta[c] * inverseSum));
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            for (int t = rows.first[c]; t < rows.first[c + 1]; t++) {
                double others = s == t ? d[s] * (inverseSum - 1 / d[s]) : -1;
                system.addProduct(s, t, (others / inverseSum + common) / (d[s] * d[t]));
            }
        }
    }

    private double inverseSum(int c) {
        double sum = 0;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            sum += 1 / d[s];
        }
        return sum;
    }

    /** Solves in place, given the right-hand side. */
    void solve(double[] dy) {
        for (int r = 0; r < diagonal.length; r++) {
            dy[r] = system.has(r) ? dy[r] : dy[r] / diagonal[r];
        }
        system.solve(dy);
    }

    /** Tells whether a row was solved for on its own, roughly. */
    boolean alone(int row) {
        return !system.has(row);
    }

    /**
     * Writes K·(rhs + common·1) of a connection.
     *
     * <p>What all subflows have in common and what tells them apart are kept apart, because in the end the second is
     * divided by next to nothing, and rounding of the first must not be.
     */
    void applyK(int c, double[] rhs, double common, double[] dx) {
        double inverseSum = inverseSum(c);
        double mean = 0;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            mean += rhs[s] / d[s];
        }
        mean /= inverseSum;
        double shared = (mean + common) / (1 + theta[c] * inverseSum);
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            dx[s] = (rhs[s] - mean + shared) / d[s];
        }
    }
}
