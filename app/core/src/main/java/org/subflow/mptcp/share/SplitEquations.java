// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The Newton system of {@link EvenSplit}: A·P·Aᵀ over some of the rows, where P takes from each subflow in use the mean
 * over those of its connection, with a damped diagonal.
 *
 * <p>Solved by conjugate gradients, scaled by the diagonal, as exactly as asked for: O(size of A) per round, and mostly
 * some tens of rounds. Where they take more than the O(r³/6) of a Cholesky factorisation for r rows would, that is done
 * instead; for good, as the next system is alike.
 *
 * <p>M. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.
 */
final class SplitEquations {
    /** Operations of a round per entry of A and per row, against those of a factorisation, which come in order. */
    private static final int COST_OF_ENTRY = 12;
    private static final int COST_OF_ROW = 10;
    private static final int FEWEST_ROUNDS = 12;

    private final Rows rows;
    private final RowSystem dense;
    private boolean direct;

    /** The rows that take part; their diagonal, and what damping adds to it. */
    private final int[] chosen;
    private int chosenCount;
    private final boolean[] takesPart;
    private final double[] diagonal;
    private double damping;
    /** Subflows in use that have siblings in use: those of a group, and the chosen rows of each. */
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

    SplitEquations(Rows rows) {
        this.rows = rows;
        dense = new RowSystem(rows);
        chosen = new int[rows.rows()];
        takesPart = new boolean[rows.rows()];
        diagonal = new double[rows.rows()];
        groupStart = new int[rows.connections() + 1];
        member = new int[rows.subflows()];
        entryStart = new int[rows.subflows() + 1];
        entry = new int[rows.row.length];
        residual = new double[rows.rows()];
        scaled = new double[rows.rows()];
        way = new double[rows.rows()];
        image = new double[rows.rows()];
        sum = new double[rows.subflows()];
    }

    /** Begins anew with the rows that take part. */
    void choose(IntPredicate part) {
        chosenCount = 0;
        for (int r = 0; r < takesPart.length; r++) {
            takesPart[r] = part.test(r);
            if (takesPart[r]) {
                chosen[chosenCount++] = r;
            }
        }
    }

    /** Tells whether a row takes part. */
    boolean has(int row) {
        return takesPart[row];
    }

    /** Holds the solution of a row that takes part at what it is: the others are solved for around it. */
    void hold(int row) {
        takesPart[row] = false;
        int left = 0;
        for (int i = 0; i < chosenCount; i++) {
            if (chosen[i] != row) {
                chosen[left++] = chosen[i];
            }
        }
        chosenCount = left;
    }

    /** Builds the system for the subflows that carry something. */
    void build(double[] rate, double damping) {
        this.damping = damping;
        Arrays.fill(diagonal, 0);
        groups = 0;
        int members = 0;
        int entries = 0;
        for (int c = 0; c < rows.connections(); c++) {
            int from = members;
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
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
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    if (takesPart[rows.row[i]]) {
                        entry[entries++] = rows.row[i];
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
        // For a moment the image counts the subflows of the group on each row.
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
     * @param accuracy by what part of the right-hand side the solution may leave something
     * @param solution a guess of the solution, and then the solution; rows that take no part are left as they are
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

    /** Returns how many rounds take no longer than a factorisation. */
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
