// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.smptcp;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * State of the S-MPTCP heuristic while connections arrive: expected throughputs and the two residual graphs. Scaled units.
 * Working state; not thread-safe.
 *
 * <p>Comments use the paper's names: et, maxt, avgt, jointd, rb, nb, nums, bo.
 */
public final class SmptcpHeuristic {
    private static final double FAIR_ENOUGH = 0.9;
    private static final double NEGLIGIBLE_PART = 0.1;
    private static final int MOST_PASSES = 10;
    private static final int MOST_ROUNDS = 100;

    private final ScaledProblem problem;
    private final double[] et;
    /** rb of the judgement graph: limits less the rates of all connections. */
    private final double[] judgement;
    /** rb of the calculation graph: limits less the rates of the connections processed in this round. */
    private final double[] calculation;
    private final boolean[] present;
    private final double[] maxt;
    private final double[] overload;
    private final int[] subflowsOn;

    /** Begins without connections. */
    public SmptcpHeuristic(ScaledProblem problem) {
        this.problem = problem;
        et = new double[problem.subflows()];
        judgement = problem.limit.clone();
        calculation = new double[problem.rows()];
        present = new boolean[problem.connections()];
        maxt = new double[problem.subflows()];
        overload = new double[problem.rows()];
        subflowsOn = new int[problem.rows()];
    }

    /** Returns the expected throughput of each subflow. */
    public double[] rates() {
        return et;
    }

    /** Adds a connection and evens out the levels (Algorithms 3 and 4). */
    public void arrive(int newcomer) {
        present[newcomer] = true;
        int[] order = breadthFirst(newcomer);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            System.arraycopy(problem.limit, 0, calculation, 0, calculation.length);
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
            if (judgement[r] < -Tolerances.ROUNDING * problem.limit[r]) {
                return false;
            }
        }
        return true;
    }

    private void scaleDown() {
        problem.fit(et);
        System.arraycopy(problem.limit, 0, judgement, 0, judgement.length);
        for (int s = 0; s < et.length; s++) {
            take(judgement, s, et[s]);
        }
    }

    /** Gives one connection its fair share, given all others (Algorithm 4 from line 7). */
    private void process(int c, int[] set) {
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            take(judgement, s, -et[s]);
            et[s] = 0;
        }
        double most = maximum(c, judgement);
        double average = average(c, set, most);
        double fairShare = average * problem.weight[c];
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            et[s] = maxt[s];
        }
        if (most < FAIR_ENOUGH * fairShare) {
            double possible = maximum(c, calculation);
            if (fairShare >= possible) {
                System.arraycopy(maxt, problem.first[c], et, problem.first[c], problem.first[c + 1] - problem.first[c]);
            } else {
                raise(c, fairShare - most, average);
            }
        }
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            take(judgement, s, et[s]);
            take(calculation, s, et[s]);
        }
    }

    private double average(int c, int[] set, double most) {
        double sum = most;
        double weights = 0;
        for (int member : set) {
            weights += problem.weight[member];
            for (int s = problem.first[member]; member != c && s < problem.first[member + 1]; s++) {
                sum += et[s];
            }
        }
        return sum / weights;
    }

    /** Adds Δ to the subflows, in proportion to the excess over the average of the connections joint with each. */
    private void raise(int c, double delta, double average) {
        double remaining = delta;
        double[] above = new double[problem.first[c + 1] - problem.first[c]];
        for (int j = 0; j < above.length; j++) {
            above[j] = aboveAverage(c, problem.first[c] + j, average);
        }
        for (int pass = 0; pass < MOST_PASSES && remaining > NEGLIGIBLE_PART * delta; pass++) {
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                take(calculation, s, et[s]);
            }
            maximum(c, calculation);
            double sum = 0;
            for (int j = 0; j < above.length; j++) {
                sum += maxt[problem.first[c] + j] > 0 ? Math.max(0, above[j]) : 0;
            }
            double atStart = remaining;
            for (int j = 0; j < above.length; j++) {
                int s = problem.first[c] + j;
                take(calculation, s, -et[s]);
                double more = sum > 0 && above[j] > 0 ? Math.min(atStart * above[j] / sum, maxt[s]) : 0;
                et[s] += more;
                remaining -= more;
            }
            if (sum == 0) {
                return;
            }
        }
    }

    /** Returns totalet: the excess over the average of the connections joint with a subflow, without its own connection. */
    private double aboveAverage(int c, int subflow, double average) {
        boolean[] seenConnection = new boolean[problem.connections()];
        boolean[] seenRow = new boolean[problem.rows()];
        seenConnection[c] = true;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        double sum = visitRows(subflow, seenConnection, seenRow, queue, average);
        while (!queue.isEmpty()) {
            int next = queue.remove();
            for (int s = problem.first[next]; s < problem.first[next + 1]; s++) {
                sum += visitRows(s, seenConnection, seenRow, queue, average);
            }
        }
        return sum;
    }

    private double visitRows(int subflow, boolean[] seenConnection, boolean[] seenRow, ArrayDeque<Integer> queue,
                             double average) {
        double sum = 0;
        for (int i = problem.rowStart[subflow]; i < problem.rowStart[subflow + 1]; i++) {
            int r = problem.row[i];
            for (int k = problem.onStart[r]; !seenRow[r] && k < problem.onStart[r + 1]; k++) {
                int c = problem.connectionOf[problem.on[k]];
                if (present[c] && !seenConnection[c]) {
                    seenConnection[c] = true;
                    queue.add(c);
                    sum -= average * problem.weight[c];
                    for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
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
        int from = problem.first[c];
        int to = problem.first[c + 1];
        for (int s = from; s < to; s++) {
            int narrowest = problem.narrowest(s);
            maxt[s] = narrowest < 0 ? problem.cap[c] : problem.limit[narrowest];
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                overload[problem.row[i]] = residual[problem.row[i]];
                subflowsOn[problem.row[i]] = 0;
            }
        }
        for (int s = from; s < to; s++) {
            take(overload, s, maxt[s]);
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                subflowsOn[problem.row[i]]++;
            }
        }
        for (int s = mostOverloaded(from, to); s >= 0; s = mostOverloaded(from, to)) {
            double least = 0;
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                least = Math.min(least, overload[problem.row[i]]);
            }
            double before = maxt[s];
            maxt[s] = before + least > Tolerances.ROUNDING * before ? before + least : 0;
            take(overload, s, maxt[s] - before);
        }
        double sum = 0;
        for (int s = from; s < to; s++) {
            sum += maxt[s];
        }
        for (int s = from; s < to && sum > problem.cap[c]; s++) {
            maxt[s] *= problem.cap[c] / sum;
        }
        return Math.min(sum, problem.cap[c]);
    }

    /** Returns the subflow with a rate above 0 and the lowest bo, or −1 if none is on an overloaded row. */
    private int mostOverloaded(int from, int to) {
        double lowest = 0;
        int found = -1;
        for (int s = from; s < to; s++) {
            double bo = 0;
            for (int i = problem.rowStart[s]; i < problem.rowStart[s + 1]; i++) {
                int r = problem.row[i];
                bo += overload[r] < -Tolerances.ROUNDING * problem.limit[r] ? overload[r] / subflowsOn[r] : 0;
            }
            if (maxt[s] > 0 && bo < lowest) {
                lowest = bo;
                found = s;
            }
        }
        return found;
    }

    private void take(double[] from, int subflow, double amount) {
        for (int i = problem.rowStart[subflow]; i < problem.rowStart[subflow + 1]; i++) {
            from[problem.row[i]] -= amount;
        }
    }

    /** Returns the newcomer and all connections joint with it, directly or not, nearest first, then by number. */
    private int[] breadthFirst(int newcomer) {
        int[] order = new int[problem.connections()];
        boolean[] seen = new boolean[problem.connections()];
        boolean[] seenRow = new boolean[problem.rows()];
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
        for (int i = problem.rowStart[problem.first[c]]; i < problem.rowStart[problem.first[c + 1]]; i++) {
            int r = problem.row[i];
            for (int k = problem.onStart[r]; !seenRow[r] && k < problem.onStart[r + 1]; k++) {
                int joint = problem.connectionOf[problem.on[k]];
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
