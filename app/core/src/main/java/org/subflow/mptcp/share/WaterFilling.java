// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Max-min fair totals under cuts and bounds of single connections: all levels (total ÷ weight) rise together until a cut
 * is full or a connection reaches its own bound, which stops those concerned for good; and so on until all are stopped.
 *
 * <p>O(entries of the cuts + stops × number of cuts).
 */
final class WaterFilling {
    /** Stopped by no cut but by the bound of its own. */
    static final int OWN_BOUND = -1;
    private static final int RISING = -2;

    /** Total of each connection, in scaled units. */
    final double[] total;
    /** The cut that stopped each connection, or {@link #OWN_BOUND}. */
    final int[] stoppedBy;
    /** Level at which each cut stopped somebody, in scaled units per weight. */
    final double[] level;

    private final Rows rows;
    private final List<Cut> cuts;
    /** Cuts of connection c and c's factor in them, from {@code start[c]} to {@code start[c + 1]}. */
    private final int[] start;
    private final int[] cutOf;
    private final double[] factorOf;
    /** For each cut: what its stopped connections leave of the bound; Σ q·w and number of those still rising. */
    private final double[] room;
    private final double[] slope;
    private final int[] risers;

    /**
     * Fills.
     *
     * @param own bound of each connection, in scaled units
     */
    WaterFilling(Rows rows, double[] own, List<Cut> cuts) {
        this.rows = rows;
        this.cuts = cuts;
        int connections = rows.connections();
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
        room = new double[cuts.size()];
        slope = new double[cuts.size()];
        risers = new int[cuts.size()];
        index();
        fill(own);
    }

    private void index() {
        int[] next = Arrays.copyOf(start, start.length);
        for (int k = 0; k < cuts.size(); k++) {
            Cut cut = cuts.get(k);
            room[k] = cut.bound;
            risers[k] = cut.connection.length;
            for (int i = 0; i < cut.connection.length; i++) {
                int c = cut.connection[i];
                slope[k] += cut.factor[i] * rows.weight[c];
                cutOf[next[c]] = k;
                factorOf[next[c]++] = cut.factor[i];
            }
        }
    }

    private void fill(double[] own) {
        int[] byOwn = IntStream.range(0, own.length).boxed()
                .sorted((x, y) -> Double.compare(own[x] / rows.weight[x], own[y] / rows.weight[y]))
                .mapToInt(Integer::intValue).toArray();
        int next = 0;
        while (next < byOwn.length) {
            int c = byOwn[next];
            if (stoppedBy[c] != RISING) {
                next++;
                continue;
            }
            double ownLevel = own[c] / rows.weight[c];
            int full = firstFull(ownLevel);
            if (full == OWN_BOUND) {
                stop(c, OWN_BOUND, ownLevel);
            } else {
                level[full] = Math.max(0, room[full] / slope[full]);
                for (int member : cuts.get(full).connection) {
                    if (stoppedBy[member] == RISING) {
                        stop(member, full, level[full]);
                    }
                }
            }
        }
    }

    /** Returns the cut that is full first, if that is below the given level. */
    private int firstFull(double below) {
        double least = below;
        int first = OWN_BOUND;
        for (int k = 0; k < room.length; k++) {
            if (risers[k] > 0 && room[k] < least * slope[k]) {
                least = room[k] / slope[k];
                first = k;
            }
        }
        return first;
    }

    private void stop(int c, int by, double at) {
        stoppedBy[c] = by;
        total[c] = at * rows.weight[c];
        for (int j = start[c]; j < start[c + 1]; j++) {
            int k = cutOf[j];
            room[k] -= factorOf[j] * total[c];
            slope[k] -= factorOf[j] * rows.weight[c];
            risers[k]--;
        }
    }
}
