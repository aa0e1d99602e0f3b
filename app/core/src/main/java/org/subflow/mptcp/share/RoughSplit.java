// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * A guess in what parts connections send over their subflows where totals are max-min fair: for {@link RateSimplex} to
 * begin with, which needs fewer pivots the better it is, and is right in any case.
 *
 * <p>Scheme, for some rounds:
 * <ol>
 * <li>with parts as they are, levels rise until rows are full; whoever sends something over a full row stops;
 * <li>a row is the scarcer the lower the level at which it was full: each part is divided by Σ 1/level over the rows of
 * its subflow.
 * </ol>
 * O(size of A) per round, and per step in which levels rise.
 */
final class RoughSplit {
    private static final int ROUNDS = 20;
    /** Rows that are full at nearly the same level are taken together. */
    private static final double NEARLY = 1.05;
    /** A part of no more than this does not stop its connection. */
    private static final double NEXT_TO_NOTHING = 1e-6;
    private static final double LEAST = 1e-9;
    /** A row that is never full counts as if it were at a level above all that cross it, but by no more than this factor. */
    private static final double AMPLE = 10;

    /** What part of its connection's total each subflow carries. */
    final double[] part;

    private final Rows rows;
    private final boolean capped;
    private final boolean[] stopped;
    /** For each row: how fast its load grows with the level, what it has left at level 0 for those still rising. */
    private final double[] slope;
    private final double[] room;
    /** Level at which each row is full; 0 as long as it is not. */
    private final double[] fullAt;
    private final double[] scarcity;
    private final double[] stoppedAt;

    RoughSplit(Rows rows) {
        this.rows = rows;
        part = new double[rows.subflows()];
        stopped = new boolean[rows.connections()];
        slope = new double[rows.rows()];
        room = new double[rows.rows()];
        fullAt = new double[rows.rows()];
        stoppedAt = new double[rows.connections()];
        scarcity = new double[rows.rows()];
        capped = Arrays.stream(rows.cap).anyMatch(cap -> cap < Double.POSITIVE_INFINITY);
        for (int c = 0; c < stopped.length; c++) {
            Arrays.fill(part, rows.first[c], rows.first[c + 1], 1.0 / (rows.first[c + 1] - rows.first[c]));
        }
        for (int round = 0; round < ROUNDS; round++) {
            fill();
            shift();
        }
    }

    private void fill() {
        Arrays.fill(stopped, false);
        Arrays.fill(slope, 0);
        Arrays.fill(fullAt, 0);
        System.arraycopy(rows.limit, 0, room, 0, room.length);
        for (int s = 0; s < part.length; s++) {
            addSlope(s, part[s] * rows.weight[rows.connectionOf[s]]);
        }
        for (double level = nextLevel(); level < Double.POSITIVE_INFINITY; level = nextLevel()) {
            stopAtCaps(level);
            for (int r = 0; r < room.length; r++) {
                if (fullAt[r] == 0 && slope[r] > LEAST && room[r] <= level * slope[r]) {
                    fullAt[r] = Math.max(room[r] / slope[r], LEAST);
                    stopAll(r);
                }
            }
        }
        stopAtCaps(Double.MAX_VALUE);
    }

    private void addSlope(int s, double amount) {
        for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
            slope[rows.row[i]] += amount;
        }
    }

    /** Returns a level by which the next row is full. */
    private double nextLevel() {
        double least = Double.POSITIVE_INFINITY;
        for (int r = 0; r < room.length; r++) {
            if (fullAt[r] == 0 && slope[r] > LEAST && room[r] < least * slope[r]) {
                least = room[r] / slope[r];
            }
        }
        return Math.max(least, LEAST) * NEARLY;
    }

    private void stopAtCaps(double level) {
        for (int c = 0; capped && c < stopped.length; c++) {
            if (!stopped[c] && rows.cap[c] <= level * rows.weight[c]) {
                stop(c, rows.cap[c] / rows.weight[c]);
            }
        }
    }

    private void stopAll(int r) {
        for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
            int c = rows.connectionOf[rows.on[k]];
            if (!stopped[c] && part[rows.on[k]] > NEXT_TO_NOTHING) {
                stop(c, fullAt[r]);
            }
        }
    }

    private void stop(int c, double level) {
        stopped[c] = true;
        stoppedAt[c] = level;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            double amount = part[s] * rows.weight[c];
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                int r = rows.row[i];
                slope[r] -= amount;
                room[r] -= amount * level;
            }
        }
    }

    private void shift() {
        for (int r = 0; r < fullAt.length; r++) {
            if (fullAt[r] == 0) {
                double load = Math.max(rows.limit[r] - room[r], LEAST);
                fullAt[r] = highest(r) * Math.min(AMPLE, rows.limit[r] / load);
            }
            scarcity[r] = 1 / fullAt[r];
        }
        for (int c = 0; c < stopped.length; c++) {
            double sum = 0;
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                double sumOfRows = 0;
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    sumOfRows += scarcity[rows.row[i]];
                }
                part[s] /= Math.max(sumOfRows, LEAST);
                sum += part[s];
            }
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                part[s] = Math.max(part[s] / sum, LEAST);
            }
        }
    }

    /** Returns the highest level of those who cross a row. */
    private double highest(int r) {
        double highest = LEAST;
        for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
            highest = Math.max(highest, stoppedAt[rows.connectionOf[rows.on[k]]]);
        }
        return highest;
    }
}
