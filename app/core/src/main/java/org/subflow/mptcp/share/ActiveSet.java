// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * The full rows and the unused subflows that a split is pinned by, and the inverse of the Schur complement
 * S = A·P·Aᵀ of those rows.
 *
 * <p>A is the part of the row matrix that belongs to full rows and used subflows. P takes from each subflow the mean over
 * the used subflows of its connection, since totals are given: only differences between siblings can move.
 */
final class ActiveSet {
    private static final double NOTHING = 1e-14;
    private static final double LEAST_GAIN = 1e-6;

    final boolean[] used;
    final int[] usedCount;
    private final Rows rows;
    private final int[] position;
    private int[] active = new int[16];
    private GrowingInverse inverse = new GrowingInverse();
    private double[] work = new double[16];

    private double[] gathered = new double[16];
    private int[] touched = new int[64];
    private int touchedCount;

    /** Starts with no full row and all subflows in use. */
    ActiveSet(Rows rows) {
        this.rows = rows;
        used = new boolean[rows.subflows()];
        usedCount = new int[rows.connections()];
        position = new int[rows.rows()];
        Arrays.fill(position, -1);
        useAll();
    }

    /**
     * Takes over the set of an earlier version of the problem, which is of no use afterwards. Of a new connection
     * one subflow is
     * in use, so that it does not count in the Schur complement.
     *
     * @param prices for each row of the new version, what decides which subflow of a new connection is the cheapest
     */
    ActiveSet(Rows rows, ActiveSet before, Match match, double[] prices) {
        this(rows);
        boolean intact = before.retire(match);
        for (int s = 0; s < used.length; s++) {
            used[s] = match.oldSubflow[s] >= 0 ? before.used[match.oldSubflow[s]] : s == cheapest(rows.connectionOf[s], prices);
        }
        Arrays.fill(usedCount, 0);
        for (int s = 0; s < used.length; s++) {
            usedCount[rows.connectionOf[s]] += used[s] ? 1 : 0;
        }
        active = new int[Math.max(16, before.size())];
        int n = 0;
        for (int i = 0; i < before.size(); i++) {
            int row = match.newRow[before.active[i]];
            if (row >= 0 && rows.onStart[row] < rows.onStart[row + 1]) {
                position[row] = n;
                active[n++] = row;
            }
        }
        if (intact && n == before.size()) {
            inverse = before.inverse;
        } else if (!inverse.invert(schur(n), n)) {
            clear();
        }
    }

    /** Leaves each connection that is gone with one subflow in use; returns false if the inverse does not survive that. */
    private boolean retire(Match match) {
        for (int s = 0; s < used.length; s++) {
            int c = rows.connectionOf[s];
            if (!match.stays[c] && used[s] && usedCount[c] > 1) {
                work = fit(work);
                Arrays.fill(work, 0, size(), 0);
                respondToSubflow(s, 1, work);
                double gain = 1 - 1.0 / usedCount[c] - through(s);
                if (gain < LEAST_GAIN) {
                    return false;
                }
                leave(s, work, gain);
            }
        }
        return true;
    }

    private int cheapest(int c, double[] prices) {
        int cheapest = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            double sum = 0;
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                sum += prices[rows.row[i]];
            }
            if (sum < least) {
                least = sum;
                cheapest = s;
            }
        }
        return cheapest;
    }

    private void useAll() {
        Arrays.fill(used, true);
        for (int c = 0; c < usedCount.length; c++) {
            usedCount[c] = rows.first[c + 1] - rows.first[c];
        }
    }

    int size() {
        return inverse.size();
    }

    /** Returns the i-th full row. */
    int row(int i) {
        return active[i];
    }

    /** Returns where a row stands among the full ones, or −1. */
    int position(int row) {
        return position[row];
    }

    /** Returns a vector that has room for a number per full row and one more, or the given one if it has. */
    double[] fit(double[] vector) {
        return vector.length > size() ? vector : new double[2 * size() + 16];
    }

    /** Adds the product of the inverse and a vector to {@code to}. */
    void solve(double[] vector, double[] to) {
        inverse.multiplyAdd(vector, to);
    }

    /** Adds {@code factor} · inverse · (Schur column of a row) to a vector. */
    void respondToRow(int row, double factor, double[] to) {
        for (int k = rows.onStart[row]; k < rows.onStart[row + 1]; k++) {
            if (used[rows.on[k]]) {
                gatherEvened(rows.on[k]);
            }
        }
        multiplyGathered(factor, to);
    }

    /**
     * Adds to a vector {@code factor} · inverse · (loads of full rows when a used subflow gets a unit more, and the used
     * subflows of its connection, it among them, give that up in equal parts).
     */
    void respondToSubflow(int subflow, double factor, double[] to) {
        gatherEvened(subflow);
        multiplyGathered(factor, to);
    }

    /** Adds a row; {@code step} is minus the inverse times its Schur column, {@code gain} the new Schur complement. */
    void addRow(int row, double[] step, double gain) {
        int n = size();
        inverse.append(step, gain);
        if (n == active.length) {
            active = Arrays.copyOf(active, 2 * n);
        }
        active[n] = row;
        position[row] = n;
    }

    /** Removes a row. */
    void removeRow(int row) {
        int i = position[row];
        inverse.remove(i);
        position[row] = -1;
        int last = active[size()];
        if (i < size()) {
            active[i] = last;
            position[last] = i;
        }
    }

    /** Takes a subflow out of use; {@code step} and {@code gain} as {@link #respondToSubflow} gives them. */
    void leave(int subflow, double[] step, double gain) {
        inverse.addOuter(step, 1 / gain);
        used[subflow] = false;
        usedCount[rows.connectionOf[subflow]]--;
    }

    /** Takes a subflow into use again. */
    void use(int subflow) {
        int c = rows.connectionOf[subflow];
        used[subflow] = true;
        usedCount[c]++;
        work = fit(work);
        Arrays.fill(work, 0, size(), 0);
        respondToSubflow(subflow, 1, work);
        inverse.addOuter(work, -1 / (1 - 1.0 / usedCount[c] + through(subflow)));
    }

    /** Returns the product of {@link #work} with the loads of full rows from a unit on a subflow, taken evenly. */
    private double through(int subflow) {
        gatherEvened(subflow);
        double sum = 0;
        for (int k = 0; k < touchedCount; k++) {
            sum += gathered[touched[k]] * work[touched[k]];
            gathered[touched[k]] = 0;
        }
        touchedCount = 0;
        return sum;
    }

    /** Forgets everything: no full row, all subflows in use. */
    void clear() {
        inverse.clear();
        Arrays.fill(position, -1);
        useAll();
    }

    /** Inverts the Schur complement anew; returns false if its rows depend on one another, and then clears everything. */
    boolean refactor() {
        if (inverse.invert(schur(size()), size())) {
            return true;
        }
        clear();
        return false;
    }

    private double[][] schur(int n) {
        double[][] matrix = new double[n][n];
        for (int s = 0; s < used.length; s++) {
            for (int i = rows.rowStart[s]; used[s] && i < rows.rowStart[s + 1]; i++) {
                int p = position[rows.row[i]];
                if (p >= 0) {
                    gatherEvened(s);
                    for (int k = 0; k < touchedCount; k++) {
                        matrix[p][touched[k]] += gathered[touched[k]];
                        gathered[touched[k]] = 0;
                    }
                    touchedCount = 0;
                }
            }
        }
        return matrix;
    }

    /** Gathers the loads of full rows from a unit on a subflow, taken evenly from the used ones of its connection. */
    private void gatherEvened(int subflow) {
        int c = rows.connectionOf[subflow];
        gather(subflow, 1);
        for (int t = rows.first[c]; t < rows.first[c + 1]; t++) {
            if (used[t]) {
                gather(t, -1.0 / usedCount[c]);
            }
        }
    }

    private void gather(int subflow, double amount) {
        if (gathered.length < active.length) {
            gathered = new double[active.length];
        }
        for (int i = rows.rowStart[subflow]; i < rows.rowStart[subflow + 1]; i++) {
            int p = position[rows.row[i]];
            if (p >= 0) {
                if (touchedCount == touched.length) {
                    touched = Arrays.copyOf(touched, 2 * touchedCount);
                }
                if (gathered[p] == 0) {
                    touched[touchedCount++] = p;
                }
                gathered[p] += amount;
            }
        }
    }

    private void multiplyGathered(double factor, double[] to) {
        for (int k = 0; k < touchedCount; k++) {
            int p = touched[k];
            if (Math.abs(gathered[p]) > NOTHING) {
                inverse.addColumn(p, factor * gathered[p], to);
            }
            gathered[p] = 0;
        }
        touchedCount = 0;
    }
}
