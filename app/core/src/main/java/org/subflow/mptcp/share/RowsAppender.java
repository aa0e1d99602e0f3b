// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Appends one connection to prepared {@link Rows}: connections, subflows and rows that were there keep their numbers.
 *
 * <p>A row that could be left out, as another one had the same subflows, comes back where the newcomer crosses it.
 */
final class RowsAppender {
    private static final int NOBODY = -1;
    private static final int[] NO_ROWS = {};

    private final Rows all;
    private final Rows some;
    private final double nothing;
    /** The row that an arc is in each of the two, or −1. */
    private final int[] rowOfAll;
    private final int[] rowOf;

    /**
     * Prepares.
     *
     * @param all     the rows of a problem
     * @param nothing an arc with no more than this is as good as absent, bit/s
     */
    RowsAppender(Rows all, double nothing) {
        this.all = all;
        this.nothing = nothing;
        some = all.withoutDominated();
        rowOfAll = rowOf(all);
        rowOf = rowOf(some);
    }

    private static int[] rowOf(Rows rows) {
        int[] rowOf = new int[rows.problem.arcCount()];
        Arrays.fill(rowOf, -1);
        for (int r = 0; r < rows.rows(); r++) {
            rowOf[rows.arc[r]] = r;
        }
        return rowOf;
    }

    /** Returns the rows that others are appended to: those of the problem without dominated ones. */
    Rows rows() {
        return some;
    }

    /**
     * Returns the rows with a connection more.
     *
     * @param weight its weight
     * @param cap    its cap in bit/s
     * @param routes the arcs of its subflows
     * @return null if none of them can send anything
     */
    Rows with(double weight, double cap, List<int[]> routes) {
        int[][] usable = routes.stream()
                .filter(route -> Arrays.stream(route).allMatch(a -> all.problem.capacity(a) > nothing))
                .toArray(int[][]::new);
        if (usable.length == 0 || cap <= nothing) {
            return null;
        }
        int[] arcs = Arrays.stream(usable).flatMapToInt(Arrays::stream).filter(a -> rowOf[a] < 0).distinct().toArray();
        double[] limit = Arrays.copyOf(some.limit, some.rows() + arcs.length);
        int[] arc = Arrays.copyOf(some.arc, limit.length);
        for (int i = 0; i < arcs.length; i++) {
            arc[some.rows() + i] = arcs[i];
            limit[some.rows() + i] = some.problem.capacity(arcs[i]) / some.scale;
        }
        int[] first = append(some.first, some.subflows() + usable.length);
        int[][] more = crossed(usable, arcs);
        int[] start = new int[more.length + 1];
        int[] row = new int[some.row.length + Arrays.stream(more).mapToInt(rows -> rows.length).sum()];
        for (int s = 0; s < more.length; s++) {
            int from = some.rowStart[Math.min(s, some.subflows())];
            int count = some.rowStart[Math.min(s + 1, some.subflows())] - from;
            System.arraycopy(some.row, from, row, start[s], count);
            System.arraycopy(more[s], 0, row, start[s] + count, more[s].length);
            start[s + 1] = start[s] + count + more[s].length;
        }
        return new Rows(some.problem, some.scale, arc, limit, append(some.weight, weight), append(some.cap, cap / some.scale),
                first, start, row, append(some.connectionInProblem, NOBODY),
                IntStream.concat(Arrays.stream(some.subflowInProblem), Arrays.stream(usable).mapToInt(route -> NOBODY)).toArray());
    }

    /** Returns the rows that each subflow has beside those it had. */
    private int[][] crossed(int[][] usable, int[] arcs) {
        int[][] more = new int[some.subflows() + usable.length][];
        Arrays.fill(more, NO_ROWS);
        int[] numberOf = rowOf.clone();
        for (int i = 0; i < arcs.length; i++) {
            int number = some.rows() + i;
            numberOf[arcs[i]] = number;
            int dropped = rowOfAll[arcs[i]];
            for (int k = dropped < 0 ? 0 : all.onStart[dropped]; k < (dropped < 0 ? 0 : all.onStart[dropped + 1]); k++) {
                more[all.on[k]] = append(more[all.on[k]], number);
            }
        }
        for (int i = 0; i < usable.length; i++) {
            more[some.subflows() + i] = Arrays.stream(usable[i]).map(a -> numberOf[a]).toArray();
        }
        return more;
    }

    private static int[] append(int[] values, int last) {
        int[] longer = Arrays.copyOf(values, values.length + 1);
        longer[values.length] = last;
        return longer;
    }

    private static double[] append(double[] values, double last) {
        double[] longer = Arrays.copyOf(values, values.length + 1);
        longer[values.length] = last;
        return longer;
    }
}
