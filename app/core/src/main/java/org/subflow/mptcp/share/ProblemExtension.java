// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.List;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * Appends one connection to a {@link ScaledProblem}: connections, subflows and rows that were there keep their numbers.
 *
 * <p>The newcomer may cross an arc that was left out because it could not be full, or because another row stood for it. That
 * arc then becomes a row again.
 */
final class ProblemExtension {
    private static final int NOBODY = -1;
    private static final int[] NO_ROWS = {};

    private final SharingProblem original;
    private final ScaledProblem all;
    private final ScaledProblem reduced;
    private final double negligible;
    /** For each arc the row that it is in each of the two, or −1. */
    private final int[] rowInAll;
    private final int[] rowOf;

    /**
     * Prepares to extend the scaled form of a problem.
     *
     * @param reduced of {@link ScaledProblemBuilder#reduced}; connections are appended to it
     */
    ProblemExtension(SharingProblem original, ScaledProblem reduced) {
        this.original = original;
        this.reduced = reduced;
        ScaledProblemBuilder builder = new ScaledProblemBuilder(original, new boolean[original.arcCount()]);
        all = builder.all();
        negligible = builder.negligible();
        rowInAll = all.rowOfArc(original.arcCount());
        rowOf = reduced.rowOfArc(original.arcCount());
    }

    /**
     * Returns the problem with one more connection, which is the last.
     *
     * @param weight its weight
     * @param cap    its cap in bit/s
     * @param routes the arcs of its subflows
     * @return null if none of its subflows can send anything
     */
    ScaledProblem with(double weight, double cap, List<int[]> routes) {
        int[][] usable = routes.stream()
                .filter(route -> Arrays.stream(route).allMatch(a -> original.capacity(a) > negligible))
                .toArray(int[][]::new);
        if (usable.length == 0 || cap <= negligible) {
            return null;
        }
        int[] arcs = Arrays.stream(usable).flatMapToInt(Arrays::stream).filter(a -> rowOf[a] < 0).distinct().toArray();
        double[] limit = Arrays.copyOf(reduced.limit, reduced.rows() + arcs.length);
        int[] arc = Arrays.copyOf(reduced.arc, limit.length);
        for (int i = 0; i < arcs.length; i++) {
            arc[reduced.rows() + i] = arcs[i];
            limit[reduced.rows() + i] = original.capacity(arcs[i]) / reduced.scale;
        }
        int[] first = append(reduced.first, reduced.subflows() + usable.length);
        int[][] more = crossed(usable, arcs);
        int[] start = new int[more.length + 1];
        int[] row = new int[reduced.row.length + Arrays.stream(more).mapToInt(rows -> rows.length).sum()];
        for (int s = 0; s < more.length; s++) {
            int from = reduced.rowStart[Math.min(s, reduced.subflows())];
            int count = reduced.rowStart[Math.min(s + 1, reduced.subflows())] - from;
            System.arraycopy(reduced.row, from, row, start[s], count);
            System.arraycopy(more[s], 0, row, start[s] + count, more[s].length);
            start[s + 1] = start[s] + count + more[s].length;
        }
        int[] subflowInProblem = Arrays.copyOf(reduced.subflowInProblem, more.length);
        Arrays.fill(subflowInProblem, reduced.subflows(), more.length, NOBODY);
        return new ScaledProblem(original.subflowCount(), reduced.scale, new ScaledProblem.Rows(arc, limit),
                new ScaledProblem.Connections(append(reduced.weight, weight), append(reduced.cap, cap / reduced.scale), first,
                        append(reduced.connectionInProblem, NOBODY)),
                new ScaledProblem.Subflows(start, row, subflowInProblem));
    }

    /** Returns the rows that each subflow crosses in addition to those before. */
    private int[][] crossed(int[][] usable, int[] arcs) {
        int[][] more = new int[reduced.subflows() + usable.length][];
        Arrays.fill(more, NO_ROWS);
        int[] numberOf = rowOf.clone();
        for (int i = 0; i < arcs.length; i++) {
            int number = reduced.rows() + i;
            numberOf[arcs[i]] = number;
            int dropped = rowInAll[arcs[i]];
            for (int k = dropped < 0 ? 0 : all.onStart[dropped]; k < (dropped < 0 ? 0 : all.onStart[dropped + 1]); k++) {
                more[all.on[k]] = append(more[all.on[k]], number);
            }
        }
        for (int i = 0; i < usable.length; i++) {
            more[reduced.subflows() + i] = Arrays.stream(usable[i]).map(a -> numberOf[a]).toArray();
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
