// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The state of {@link SmptcpAllocator} while connections arrive: expected throughputs so far and the two residual graphs.
 *
 * <p>Names in comments are those of the paper: et, maxt, avgt, jointd, rb, nb, nums, bo. Scaled units.
 */
final class WaterFlow {
    private static final double FAIR_ENOUGH = 0.9;
    private static final double REST = 0.1;
    private static final int MOST_PASSES = 10;
    private static final int MOST_ROUNDS = 100;

    private final Rows rows;
    private final double[] et;
    /** rb of the judgement graph: limits less what all connections have. */
    private final double[] judgement;
    /** rb of the calculation graph: limits less what the connections processed in this round have. */
    private final double[] calculation;
    private final boolean[] present;
    private final double[] maxt;
    private final double[] overload;
    private final int[] subflowsOn;

    WaterFlow(Rows rows) {
        this.rows = rows;
        et = new double[rows.subflows()];
        judgement = rows.limit.clone();
        calculation = new double[rows.rows()];
        present = new boolean[rows.connections()];
        maxt = new double[rows.subflows()];
        overload = new double[rows.rows()];
        subflowsOn = new int[rows.rows()];
    }

    /** Returns the expected throughput of each subflow. */
    double[] rates() {
        return et;
    }

    /** Lets a connection join those that are there and evens out the levels (Algorithms 3 and 4). */
    void arrive(int newcomer) {
        present[newcomer] = true;
        int[] order = breadthFirst(newcomer);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            System.arraycopy(rows.limit, 0, calculation, 0, calculation.length);
            for (int c : order) {
                process(c, order);
            }
            if (feasible()) {
                return;
            }
        }
        scaleDown();
    }

    private boolean feasible() {
        for (int r = 0; r < judgement.length; r++) {
            if (judgement[r] < -Tolerances.ROUNDING * rows.limit[r]) {
                return false;
            }
        }
        return true;
    }

    private void scaleDown() {
        rows.fit(et);
        System.arraycopy(rows.limit, 0, judgement, 0, judgement.length);
        for (int s = 0; s < et.length; s++) {
            take(judgement, s, et[s]);
        }
    }

    /** Gives one connection what it is due, given all others (Algorithm 4 from line 7). */
    private void process(int c, int[] set) {
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            take(judgement, s, -et[s]);
            et[s] = 0;
        }
        double most = maximum(c, judgement);
        double average = average(c, set, most);
        double due = average * rows.weight[c];
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            et[s] = maxt[s];
        }
        if (most < FAIR_ENOUGH * due) {
            double possible = maximum(c, calculation);
            if (due >= possible) {
                System.arraycopy(maxt, rows.first[c], et, rows.first[c], rows.first[c + 1] - rows.first[c]);
            } else {
                raise(c, due - most, average);
            }
        }
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            take(judgement, s, et[s]);
            take(calculation, s, et[s]);
        }
    }

    private double average(int c, int[] set, double most) {
        double sum = most;
        double weights = 0;
        for (int member : set) {
            weights += rows.weight[member];
            for (int s = rows.first[member]; member != c && s < rows.first[member + 1]; s++) {
                sum += et[s];
            }
        }
        return sum / weights;
    }

    /** Hands Δ out over the subflows, in proportion to what is above the average on each one's side of the set. */
    private void raise(int c, double delta, double average) {
        double rest = delta;
        double[] above = new double[rows.first[c + 1] - rows.first[c]];
        for (int j = 0; j < above.length; j++) {
            above[j] = aboveAverage(c, rows.first[c] + j, average);
        }
        for (int pass = 0; pass < MOST_PASSES && rest > REST * delta; pass++) {
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                take(calculation, s, et[s]);
            }
            maximum(c, calculation);
            double sum = 0;
            for (int j = 0; j < above.length; j++) {
                sum += maxt[rows.first[c] + j] > 0 ? Math.max(0, above[j]) : 0;
            }
            double atStart = rest;
            for (int j = 0; j < above.length; j++) {
                int s = rows.first[c] + j;
                take(calculation, s, -et[s]);
                double more = sum > 0 && above[j] > 0 ? Math.min(atStart * above[j] / sum, maxt[s]) : 0;
                et[s] += more;
                rest -= more;
            }
            if (sum == 0) {
                return;
            }
        }
    }

    /** Returns totalet: what the connections joint with a subflow, not by way of its own connection, have above average. */
    private double aboveAverage(int c, int subflow, double average) {
        boolean[] seenConnection = new boolean[rows.connections()];
        boolean[] seenRow = new boolean[rows.rows()];
        seenConnection[c] = true;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        double sum = visitRows(subflow, seenConnection, seenRow, queue, average);
        while (!queue.isEmpty()) {
            int next = queue.remove();
            for (int s = rows.first[next]; s < rows.first[next + 1]; s++) {
                sum += visitRows(s, seenConnection, seenRow, queue, average);
            }
        }
        return sum;
    }

    private double visitRows(int subflow, boolean[] seenConnection, boolean[] seenRow, ArrayDeque<Integer> queue,
                             double average) {
        double sum = 0;
        for (int i = rows.rowStart[subflow]; i < rows.rowStart[subflow + 1]; i++) {
            int r = rows.row[i];
            for (int k = rows.onStart[r]; !seenRow[r] && k < rows.onStart[r + 1]; k++) {
                int c = rows.connectionOf[rows.on[k]];
                if (present[c] && !seenConnection[c]) {
                    seenConnection[c] = true;
                    queue.add(c);
                    sum -= average * rows.weight[c];
                    for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                        sum += et[s];
                    }
                }
            }
            seenRow[r] = true;
        }
        return sum;
    }

    /** Estimates the most that a connection can have on a residual graph, into {@link #maxt} (Algorithm 2). */
    private double maximum(int c, double[] residual) {
        int from = rows.first[c];
        int to = rows.first[c + 1];
        for (int s = from; s < to; s++) {
            int narrowest = rows.narrowest(s);
            maxt[s] = narrowest < 0 ? rows.cap[c] : rows.limit[narrowest];
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                overload[rows.row[i]] = residual[rows.row[i]];
                subflowsOn[rows.row[i]] = 0;
            }
        }
        for (int s = from; s < to; s++) {
            take(overload, s, maxt[s]);
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                subflowsOn[rows.row[i]]++;
            }
        }
        for (int s = mostOverloaded(from, to); s >= 0; s = mostOverloaded(from, to)) {
            double least = 0;
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                least = Math.min(least, overload[rows.row[i]]);
            }
            double before = maxt[s];
            maxt[s] = before + least > Tolerances.ROUNDING * before ? before + least : 0;
            take(overload, s, maxt[s] - before);
        }
        double sum = 0;
        for (int s = from; s < to; s++) {
            sum += maxt[s];
        }
        for (int s = from; s < to && sum > rows.cap[c]; s++) {
            maxt[s] *= rows.cap[c] / sum;
        }
        return Math.min(sum, rows.cap[c]);
    }

    /** Returns the subflow with something left to give whose bo is lowest, or −1 if none is on an overloaded row. */
    private int mostOverloaded(int from, int to) {
        double lowest = 0;
        int found = -1;
        for (int s = from; s < to; s++) {
            double bo = 0;
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                int r = rows.row[i];
                bo += overload[r] < -Tolerances.ROUNDING * rows.limit[r] ? overload[r] / subflowsOn[r] : 0;
            }
            if (maxt[s] > 0 && bo < lowest) {
                lowest = bo;
                found = s;
            }
        }
        return found;
    }

    private void take(double[] from, int subflow, double amount) {
        for (int i = rows.rowStart[subflow]; i < rows.rowStart[subflow + 1]; i++) {
            from[rows.row[i]] -= amount;
        }
    }

    /** Returns the newcomer and all connections joint with it, directly or not, nearest first, then by number. */
    private int[] breadthFirst(int newcomer) {
        int[] order = new int[rows.connections()];
        boolean[] seen = new boolean[rows.connections()];
        boolean[] seenRow = new boolean[rows.rows()];
        int count = 0;
        order[count++] = newcomer;
        seen[newcomer] = true;
        for (int from = 0, to = 1; from < to; from = to, to = count) {
            for (int at = from; at < to; at++) {
                count = addJoint(order[at], order, count, seen, seenRow);
            }
            Arrays.sort(order, to, count);
        }
        return Arrays.copyOf(order, count);
    }

    private int addJoint(int c, int[] order, int count, boolean[] seen, boolean[] seenRow) {
        int end = count;
        for (int i = rows.rowStart[rows.first[c]]; i < rows.rowStart[rows.first[c + 1]]; i++) {
            int r = rows.row[i];
            for (int k = rows.onStart[r]; !seenRow[r] && k < rows.onStart[r + 1]; k++) {
                int joint = rows.connectionOf[rows.on[k]];
                if (present[joint] && !seen[joint]) {
                    seen[joint] = true;
                    order[end++] = joint;
                }
            }
            seenRow[r] = true;
        }
        return end;
    }
}
