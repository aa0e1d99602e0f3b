// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * A heuristic guess of the parts in which connections split over their subflows where totals are max-min fair. The
 * {@link ParametricSimplex} begins with it; a good guess saves pivots, and a bad one does not change the answer.
 *
 * <p>Scheme, 20 rounds:
 * <ol>
 * <li>with the present parts, all levels rise until rows are full; a connection with a part on a full row stops;
 * <li>the price of a row is 1 ÷ the level at which it was full;
 * <li>each part is divided by the price of its subflow, then the parts of a connection are scaled to the sum 1.
 * </ol>
 * O(size of A) per round and per step in which levels rise.
 */
final class InitialSplit {
    private static final int ROUNDS = 20;
    /** Rows that fill up within this factor of a level count as full at the same time. */
    private static final double NEARLY = 1.05;
    /** A part up to this does not stop its connection. */
    private static final double NEGLIGIBLE = 1e-6;
    /** Smallest level, load and part: none of them becomes 0. */
    private static final double LEAST = 1e-9;
    /** A row that never fills up counts as full at a level above all its connections, by at most this factor. */
    private static final double AMPLE = 10;

    /** The part of its connection's total that each subflow carries. */
    final double[] part;

    private final ScaledProblem problem;
    private final boolean capped;
    private final boolean[] stopped;
    /** For each row: growth of its load with the level, and residual capacity at level 0 for those still rising. */
    private final double[] slope;
    private final double[] residual;
    /** Level at which each row is full; 0 while it is not. */
    private final double[] fullAt;
    private final double[] rowPrice;
    private final double[] stoppedAt;

    InitialSplit(ScaledProblem problem) {
        this.problem = problem;
        part = new double[problem.subflows()];
        stopped = new boolean[problem.connections()];
        slope = new double[problem.rows()];
        residual = new double[problem.rows()];
        fullAt = new double[problem.rows()];
        stoppedAt = new double[problem.connections()];
        rowPrice = new double[problem.rows()];
        capped = Arrays.stream(problem.cap).anyMatch(cap -> cap < Double.POSITIVE_INFINITY);
        for (int c = 0; c < stopped.length; c++) {
            Arrays.fill(part, problem.first[c], problem.first[c + 1], 1.0 / (problem.first[c + 1] - problem.first[c]));
        }
        for (int round = 0; round < ROUNDS; round++) {
            fill();
            updateParts();
        }
    }

    private void fill() {
        Arrays.fill(stopped, false);
        Arrays.fill(slope, 0);
        Arrays.fill(fullAt, 0);
        System.arraycopy(problem.limit, 0, residual, 0, residual.length);
        for (int s = 0; s < part.length; s++) {
            addSlope(s, part[s] * problem.weight[problem.connectionOf[s]]);
        }
        for (double level = nextLevel(); level < Double.POSITIVE_INFINITY; level = nextLevel()) {
            stopAtCaps(level);
            for (int r = 0; r < residual.length; r++) {
                if (fullAt[r] == 0 && slope[r] > LEAST && residual[r] <= level * slope[r]) {
                    fullAt[r] = Math.max(residual[r] / slope[r], LEAST);
                    stopAll(r);
                }
            }
        }
        stopAtCaps(Double.MAX_VALUE);
    }

    private void addSlope(int s, double amount) {
        for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
            slope[problem.row[i]] += amount;
        }
    }

    /** Returns a level at which the next row is full. */
    private double nextLevel() {
        double least = Double.POSITIVE_INFINITY;
        for (int r = 0; r < residual.length; r++) {
            if (fullAt[r] == 0 && slope[r] > LEAST && residual[r] < least * slope[r]) {
                least = residual[r] / slope[r];
            }
        }
        return Math.max(least, LEAST) * NEARLY;
    }

    private void stopAtCaps(double level) {
        for (int c = 0; capped && c < stopped.length; c++) {
            if (!stopped[c] && problem.cap[c] <= level * problem.weight[c]) {
                stop(c, problem.cap[c] / problem.weight[c]);
            }
        }
    }

    private void stopAll(int r) {
        for (int k = problem.onStart[r]; k < problem.onStart[r + 1]; k++) {
            int c = problem.connectionOf[problem.on[k]];
            if (!stopped[c] && part[problem.on[k]] > NEGLIGIBLE) {
                stop(c, fullAt[r]);
            }
        }
    }

    private void stop(int c, double level) {
        stopped[c] = true;
        stoppedAt[c] = level;
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            double amount = part[s] * problem.weight[c];
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                int r = problem.row[i];
                slope[r] -= amount;
                residual[r] -= amount * level;
            }
        }
    }

    private void updateParts() {
        for (int r = 0; r < fullAt.length; r++) {
            if (fullAt[r] == 0) {
                double load = Math.max(problem.limit[r] - residual[r], LEAST);
                fullAt[r] = highest(r) * Math.min(AMPLE, problem.limit[r] / load);
            }
            rowPrice[r] = 1 / fullAt[r];
        }
        for (int c = 0; c < stopped.length; c++) {
            double sum = 0;
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                double subflowPrice = 0;
                for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                    subflowPrice += rowPrice[problem.row[i]];
                }
                part[s] /= Math.max(subflowPrice, LEAST);
                sum += part[s];
            }
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                part[s] = Math.max(part[s] / sum, LEAST);
            }
        }
    }

    /** Returns the highest level of the connections that cross a row. */
    private double highest(int r) {
        double highest = LEAST;
        for (int k = problem.onStart[r]; k < problem.onStart[r + 1]; k++) {
            highest = Math.max(highest, stoppedAt[problem.connectionOf[problem.on[k]]]);
        }
        return highest;
    }
}
