// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.split;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.subflow.mptcp.share.linear.NormalEquations;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * The Newton system of {@link LeastSquaresSplit}: A·P·Aᵀ over chosen rows, with a damped diagonal. P subtracts from each
 * subflow in use the mean over the subflows in use of its connection.
 *
 * <p>Conjugate gradients with a diagonal preconditioner solve it to the accuracy asked for: O(size of A) per round, mostly
 * some tens of rounds. Where these would cost more than the O(r³/6) of a Cholesky factorisation for r rows, the system is
 * factored; later systems are alike, so they are factored too.
 *
 * <p>M. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.
 */
final class SplitNewtonSystem {
    /** Cost of a round per entry of A and per row, in operations of a factorisation; these have better memory order. */
    private static final int COST_OF_ENTRY = 12;
    private static final int COST_OF_ROW = 10;
    private static final int FEWEST_ROUNDS = 12;

    private final ScaledProblem problem;
    private final NormalEquations dense;
    private boolean direct;

    /** The chosen rows, the diagonal of the system, and its damping. */
    private final int[] chosen;
    private int chosenCount;
    private final boolean[] takesPart;
    private final double[] diagonal;
    private double damping;
    /** Groups of subflows in use of one connection, at least two each; the chosen rows of each subflow. */
    private final int[] groupStart;
    private int groups;
    private final int[] member;
    private final int[] entryStart;
    private final int[] entry;
    /** Scratch by row, by member. */
    private final double[] residual;
    private final double[] scaled;
    private final double[] way;
    private final double[] image;
    private final double[] sum;

    SplitNewtonSystem(ScaledProblem problem) {
        this.problem = problem;
        dense = new NormalEquations(problem);
        chosen = new int[problem.rows()];
        takesPart = new boolean[problem.rows()];
        diagonal = new double[problem.rows()];
        groupStart = new int[problem.connections() + 1];
        member = new int[problem.subflows()];
        entryStart = new int[problem.subflows() + 1];
        entry = new int[problem.row.length];
        residual = new double[problem.rows()];
        scaled = new double[problem.rows()];
        way = new double[problem.rows()];
        image = new double[problem.rows()];
        sum = new double[problem.subflows()];
    }

    /** Chooses rows. */
    void choose(IntPredicate part) {
        chosenCount = 0;
        for (int r = 0; r < takesPart.length; r++) {
            takesPart[r] = part.test(r);
            if (takesPart[r]) {
                chosen[chosenCount++] = r;
            }
        }
    }

    /** Tells whether a row is chosen. */
    boolean has(int row) {
        return takesPart[row];
    }

    /** Drops a chosen row; its value in the solution is then given, and the others are solved for with it. */
    void hold(int row) {
        takesPart[row] = false;
        int kept = 0;
        for (int i = 0; i < chosenCount; i++) {
            if (chosen[i] != row) {
                chosen[kept++] = chosen[i];
            }
        }
        chosenCount = kept;
    }

    /** Builds the system for the subflows with a rate above 0. */
    void build(double[] rate, double damping) {
        this.damping = damping;
        Arrays.fill(diagonal, 0);
        groups = 0;
        int members = 0;
        int entries = 0;
        for (int c = 0; c < problem.connections(); c++) {
            int from = members;
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                if (rate[s] > 0) {
                    member[members++] = s;
                }
            }
            if (members - from < 2) {
                members = from;
                continue;
            }
            for (int m = from; m < members; m++) {
                int s = member[m];
                entryStart[m] = entries;
                for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                    if (takesPart[problem.row[i]]) {
                        entry[entries++] = problem.row[i];
                    }
                }
            }
            entryStart[members] = entries;
            addToDiagonal(from, members);
            groups++;
            groupStart[groups] = members;
        }
    }

    private void addToDiagonal(int from, int to) {
        // Here the image counts the subflows of the group on each row.
        for (int e = entryStart[from]; e < entryStart[to]; e++) {
            image[entry[e]] = 0;
        }
        for (int e = entryStart[from]; e < entryStart[to]; e++) {
            image[entry[e]]++;
        }
        for (int e = entryStart[from]; e < entryStart[to]; e++) {
            diagonal[entry[e]] += 1 - image[entry[e]] / (to - from);
        }
    }

    /**
     * Solves the system.
     *
     * @param rhs      right-hand side by row
     * @param accuracy residual that the solution may leave, relative to the right-hand side
     * @param solution a guess, and then the solution; values of rows that are not chosen are given
     */
    void solve(double[] rhs, double accuracy, double[] solution) {
        System.arraycopy(solution, 0, way, 0, way.length);
        multiply();
        double target = 0;
        for (int i = 0; i < chosenCount; i++) {
            int r = chosen[i];
            residual[r] = rhs[r] - image[r];
            target += rhs[r] * rhs[r] / damped(r);
        }
        direct = direct || !iterate(target * accuracy * accuracy, solution);
        if (direct) {
            factor(solution);
        }
    }

    private boolean iterate(double target, double[] solution) {
        Arrays.fill(way, 0);
        double before = Double.POSITIVE_INFINITY;
        long most = mostRounds();
        for (long round = 0; round < most; round++) {
            double product = 0;
            for (int i = 0; i < chosenCount; i++) {
                int r = chosen[i];
                scaled[r] = residual[r] / damped(r);
                product += residual[r] * scaled[r];
            }
            if (product <= target) {
                return true;
            }
            for (int i = 0; i < chosenCount; i++) {
                int r = chosen[i];
                way[r] = scaled[r] + product / before * way[r];
            }
            before = product;
            step(product, solution);
        }
        return false;
    }

    private void step(double product, double[] solution) {
        multiply();
        double curvature = 0;
        for (int i = 0; i < chosenCount; i++) {
            curvature += way[chosen[i]] * image[chosen[i]];
        }
        double length = product / curvature;
        for (int i = 0; i < chosenCount; i++) {
            int r = chosen[i];
            solution[r] += length * way[r];
            residual[r] -= length * image[r];
        }
    }

    /** Returns the number of rounds that cost no more than a factorisation. */
    private long mostRounds() {
        double cubic = (double) chosenCount * chosenCount * chosenCount / 3;
        double round = (double) COST_OF_ENTRY * entryStart[groupStart[groups]] + COST_OF_ROW * chosenCount + 1;
        long most = (long) (cubic / round);
        return most < FEWEST_ROUNDS ? 0 : most;
    }

    private double damped(int r) {
        return diagonal[r] * (1 + damping) + damping;
    }

    private void multiply() {
        for (int r = 0; r < image.length; r++) {
            image[r] = (diagonal[r] + 1) * damping * way[r];
        }
        for (int g = 0; g < groups; g++) {
            int from = groupStart[g];
            int to = groupStart[g + 1];
            double mean = 0;
            for (int m = from; m < to; m++) {
                double u = 0;
                for (int e = entryStart[m]; e < entryStart[m + 1]; e++) {
                    u += way[entry[e]];
                }
                sum[m] = u;
                mean += u;
            }
            mean /= to - from;
            for (int m = from; m < to; m++) {
                double u = sum[m] - mean;
                for (int e = entryStart[m]; e < entryStart[m + 1]; e++) {
                    image[entry[e]] += u;
                }
            }
        }
    }

    private void factor(double[] solution) {
        dense.choose(r -> takesPart[r]);
        for (int g = 0; g < groups; g++) {
            int from = groupStart[g];
            int to = groupStart[g + 1];
            for (int m = from; m < to; m++) {
                for (int n = from; n < to; n++) {
                    dense.addProduct(member[m], member[n], (m == n ? 1 : 0) - 1.0 / (to - from));
                }
            }
        }
        for (int i = 0; i < chosenCount; i++) {
            int r = chosen[i];
            dense.setDiagonal(r, dense.diagonal(r) * (1 + damping) + damping);
        }
        dense.factor();
        dense.solve(residual);
        for (int i = 0; i < chosenCount; i++) {
            solution[chosen[i]] += residual[chosen[i]];
        }
    }
}
