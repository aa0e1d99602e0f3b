// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * Max-min fair totals under cuts and a bound for each connection, by water filling: all levels (total ÷ weight) rise
 * together until a cut is full or a connection reaches its bound. The connections concerned stop, the others continue.
 *
 * <p>O(entries of the cuts + stops × number of cuts).
 */
final class WaterFilling {
    /** In {@link #stoppedBy}: stopped by the bound of the connection itself. */
    static final int OWN_BOUND = -1;
    private static final int RISING = -2;

    /** Total of each connection, in scaled units. */
    final double[] total;
    /** The cut that stopped each connection, or {@link #OWN_BOUND}. */
    final int[] stoppedBy;
    /** Level at which each cut stopped a connection, in scaled units per weight; 0 if it stopped none. */
    final double[] level;

    private final ScaledProblem problem;
    private final List<Cut> cuts;
    /** Cuts of connection c and c's factor in them, from {@code start[c]} to {@code start[c + 1]}. */
    private final int[] start;
    private final int[] cutOf;
    private final double[] factorOf;
    /** For each cut: the bound less the stopped connections; Σ q·w and number of the connections still rising. */
    private final double[] residual;
    private final double[] slope;
    private final int[] risers;

    /**
     * Computes the totals.
     *
     * @param own  bound of each connection, in scaled units
     * @param cuts the cuts
     */
    WaterFilling(ScaledProblem problem, double[] own, List<Cut> cuts) {
        this.problem = problem;
        this.cuts = cuts;
        int connections = problem.connections();
        total = new double[connections];
        stoppedBy = new int[connections];
        Arrays.fill(stoppedBy, RISING);
        level = new double[cuts.size()];
        start = new int[connections + 1];
        for (Cut cut : cuts) {
            for (int c : cut.connection) {
                start[c + 1]++;
            }
        }
        for (int c = 0; c < connections; c++) {
            start[c + 1] += start[c];
        }
        cutOf = new int[start[connections]];
        factorOf = new double[start[connections]];
        residual = new double[cuts.size()];
        slope = new double[cuts.size()];
        risers = new int[cuts.size()];
        index();
        fill(own);
    }

    private void index() {
        int[] next = Arrays.copyOf(start, start.length);
        for (int k = 0; k < cuts.size(); k++) {
            Cut cut = cuts.get(k);
            residual[k] = cut.bound;
            risers[k] = cut.connection.length;
            for (int i = 0; i < cut.connection.length; i++) {
                int c = cut.connection[i];
                slope[k] += cut.factor[i] * problem.weight[c];
                cutOf[next[c]] = k;
                factorOf[next[c]++] = cut.factor[i];
            }
        }
    }

    private void fill(double[] own) {
        int[] byOwn = IntStream.range(0, own.length).boxed()
                .sorted((x, y) -> Double.compare(own[x] / problem.weight[x], own[y] / problem.weight[y]))
                .mapToInt(Integer::intValue).toArray();
        int next = 0;
        while (next < byOwn.length) {
            int c = byOwn[next];
            if (stoppedBy[c] != RISING) {
                next++;
                continue;
            }
            double ownLevel = own[c] / problem.weight[c];
            int full = firstFull(ownLevel);
            if (full == OWN_BOUND) {
                stop(c, OWN_BOUND, ownLevel);
            } else {
                level[full] = Math.max(0, residual[full] / slope[full]);
                for (int member : cuts.get(full).connection) {
                    if (stoppedBy[member] == RISING) {
                        stop(member, full, level[full]);
                    }
                }
            }
        }
    }

    /** Returns the cut that is full first if that happens below the given level, else {@link #OWN_BOUND}. */
    private int firstFull(double below) {
        double least = below;
        int first = OWN_BOUND;
        for (int k = 0; k < residual.length; k++) {
            if (risers[k] > 0 && residual[k] < least * slope[k]) {
                least = residual[k] / slope[k];
                first = k;
            }
        }
        return first;
    }

    private void stop(int c, int by, double at) {
        stoppedBy[c] = by;
        total[c] = at * problem.weight[c];
        for (int j = start[c]; j < start[c + 1]; j++) {
            int k = cutOf[j];
            residual[k] -= factorOf[j] * total[c];
            slope[k] -= factorOf[j] * problem.weight[c];
            risers[k]--;
        }
    }
}
