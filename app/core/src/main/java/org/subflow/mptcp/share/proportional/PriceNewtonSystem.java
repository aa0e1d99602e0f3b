// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.proportional;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.NormalEquations;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * The Newton system of {@link InteriorPoint}, reduced to one equation per row: (A·K·Aᵀ + slack/y)·Δy = right-hand side.
 *
 * <p>K = (D + θ·1·1ᵀ)⁻¹ has a closed form for each connection. Where slack/y dominates the diagonal, the row is solved for
 * on its own. The dense system thus shrinks to the rows that are full at the optimum. Splits and prices need not be unique.
 * A proximal term in D and a relative term on the diagonal keep the system regular without moving the solution.
 */
final class PriceNewtonSystem {
    /** A row whose slack/y exceeds the rest of its diagonal by this factor is solved for on its own. */
    private static final double DOMINANT = 1e7;
    private static final double REGULARISATION = 1e-13;
    private static final double PROXIMAL = 1e-6;

    private final ScaledProblem problem;
    private final double[] d;
    private final double[] theta;
    private final double[] diagonal;
    private final NormalEquations system;

    PriceNewtonSystem(ScaledProblem problem) {
        this.problem = problem;
        d = new double[problem.subflows()];
        theta = new double[problem.connections()];
        diagonal = new double[problem.rows()];
        system = new NormalEquations(problem);
    }

    /** Sets up the equations at a point. */
    void at(PrimalDualPoint point) {
        setDiagonals(point);
        system.choose(r -> point.slack[r] / point.y[r] < DOMINANT * diagonal[r]);
        for (int c = 0; c < theta.length; c++) {
            addConnection(c);
        }
        for (int r = 0; r < diagonal.length; r++) {
            double own = point.slack[r] / point.y[r];
            diagonal[r] += own;
            if (system.has(r)) {
                system.setDiagonal(r, (system.diagonal(r) + own) * (1 + REGULARISATION));
            }
        }
        system.factor();
    }

    private void setDiagonals(PrimalDualPoint point) {
        Arrays.fill(diagonal, 0);
        for (int c = 0; c < theta.length; c++) {
            double curvature = point.levelPrice[c] / point.total[c];
            theta[c] = curvature + (point.capped(c) ? point.capPrice[c] / point.capSlack[c] : 0);
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                d[s] = point.z[s] / point.x[s] + PROXIMAL * curvature;
                for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                    diagonal[problem.row[i]] += 1 / d[s];
                }
            }
        }
    }

    private void addConnection(int c) {
        double inverseSum = inverseSum(c);
        double common = 1 / (inverseSum * (1 + theta[c] * inverseSum));
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            for (int t = problem.first[c]; t < problem.first[c + 1]; t++) {
                double others = s == t ? d[s] * (inverseSum - 1 / d[s]) : -1;
                system.addProduct(s, t, (others / inverseSum + common) / (d[s] * d[t]));
            }
        }
    }

    private double inverseSum(int c) {
        double sum = 0;
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
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

    /** Tells whether a row was solved for on its own, which is approximate. */
    boolean alone(int row) {
        return !system.has(row);
    }

    /**
     * Writes K·(rhs + common·1) of a connection.
     *
     * <p>The mean over subflows and the deviation from it are computed separately. Near the optimum the deviation is
     * divided by a tiny number, which must not magnify the rounding error of the mean.
     */
    void applyK(int c, double[] rhs, double common, double[] dx) {
        double inverseSum = inverseSum(c);
        double mean = 0;
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            mean += rhs[s] / d[s];
        }
        mean /= inverseSum;
        double shared = (mean + common) / (1 + theta[c] * inverseSum);
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            dx[s] = (rhs[s] - mean + shared) / d[s];
        }
    }
}
