// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A {@link SharingProblem} made ready for a solver: what can send nothing is left out, capacities are scaled so that the
 * largest is 1, and every arc that somebody crosses is a row.
 *
 * <p>Package-private working data; fields are read directly on hot paths and never written after construction.
 */
final class Rows {
    final SharingProblem problem;
    /** Bit/s that one unit stands for. */
    final double scale;
    /** The arc that each row stands for. */
    final int[] arc;
    /** Limit of each row, above 0. */
    final double[] limit;
    final double[] weight;
    /** Cap of each connection, or positive infinity. */
    final double[] cap;
    /** Subflows of connection c: from {@code first[c]} to {@code first[c + 1]}. */
    final int[] first;
    final int[] connectionOf;
    /** Rows of subflow s: {@code row[rowStart[s]]} to {@code row[rowStart[s + 1] - 1]}. */
    final int[] rowStart;
    final int[] row;
    /** Subflows on row r: {@code on[onStart[r]]} to {@code on[onStart[r + 1] - 1]}. */
    final int[] onStart;
    final int[] on;
    /** Number of each connection and subflow in the problem. */
    final int[] connectionInProblem;
    final int[] subflowInProblem;

    Rows(SharingProblem problem, double scale, int[] arc, double[] limit, double[] weight, double[] cap, int[] first,
                 int[] rowStart, int[] row, int[] connectionInProblem, int[] subflowInProblem) {
        this.problem = problem;
        this.scale = scale;
        this.arc = arc;
        this.limit = limit;
        this.weight = weight;
        this.cap = cap;
        this.first = first;
        this.rowStart = rowStart;
        this.row = row;
        this.connectionInProblem = connectionInProblem;
        this.subflowInProblem = subflowInProblem;
        connectionOf = new int[subflowInProblem.length];
        for (int c = 0; c < weight.length; c++) {
            Arrays.fill(connectionOf, first[c], first[c + 1], c);
        }
        onStart = new int[limit.length + 1];
        on = transpose(rowStart, row, onStart);
    }

    /** Prepares a problem. */
    static Rows of(SharingProblem problem) {
        return new RowsCompiler(problem).all();
    }

    /**
     * Returns the same without rows that can never be the first to be full: those with exactly the subflows of another
     * row that has no higher limit. On a long way of links that nobody else takes that leaves one. O(entries).
     */
    Rows withoutDominated() {
        Map<IntBuffer, Integer> narrowest = new HashMap<>();
        for (int r = 0; r < limit.length; r++) {
            IntBuffer subflows = IntBuffer.wrap(on, onStart[r], onStart[r + 1] - onStart[r]);
            narrowest.merge(subflows, r, (one, other) -> limit[other] < limit[one] ? other : one);
        }
        if (narrowest.size() == limit.length) {
            return this;
        }
        int[] kept = narrowest.values().stream().mapToInt(Integer::intValue).sorted().toArray();
        int[] number = new int[limit.length];
        Arrays.fill(number, -1);
        for (int r = 0; r < kept.length; r++) {
            number[kept[r]] = r;
        }
        int[] start = new int[rowStart.length];
        int[] left = new int[row.length];
        int count = 0;
        for (int s = 0; s + 1 < rowStart.length; s++) {
            for (int i = rowStart[s]; i < rowStart[s + 1]; i++) {
                if (number[row[i]] >= 0) {
                    left[count++] = number[row[i]];
                }
            }
            start[s + 1] = count;
        }
        return new Rows(problem, scale, Arrays.stream(kept).map(r -> arc[r]).toArray(),
                Arrays.stream(kept).mapToDouble(r -> limit[r]).toArray(), weight, cap, first, start,
                Arrays.copyOf(left, count), connectionInProblem, subflowInProblem);
    }

    /** Tells whether the other poses the same task: equal but for what connections, subflows and the problem are called. */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Rows)) {
            return false;
        }
        Rows that = (Rows) other;
        return scale == that.scale && Arrays.equals(limit, that.limit) && Arrays.equals(arc, that.arc)
                && Arrays.equals(row, that.row) && Arrays.equals(rowStart, that.rowStart)
                && Arrays.equals(first, that.first) && Arrays.equals(weight, that.weight) && Arrays.equals(cap, that.cap);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(arc) + Arrays.hashCode(row);
    }

    /** Tells whether an arc is a row of both. */
    boolean sharesArc(Rows other) {
        BitSet mine = new BitSet();
        for (int a : arc) {
            mine.set(a);
        }
        return Arrays.stream(other.arc).anyMatch(mine::get);
    }

    int connections() {
        return weight.length;
    }

    int subflows() {
        return connectionOf.length;
    }

    int rows() {
        return limit.length;
    }

    /** Returns the row with the smallest limit on the way of a subflow, or −1 if it has no row. */
    int narrowest(int subflow) {
        int narrowest = -1;
        for (int i = rowStart[subflow]; i < rowStart[subflow + 1]; i++) {
            narrowest = narrowest < 0 || limit[row[i]] < limit[narrowest] ? row[i] : narrowest;
        }
        return narrowest;
    }

    /** Takes the rounding out of rates in scaled units: none below 0, no row above its limit, nobody above its cap. */
    void fit(double[] rates) {
        double[] load = new double[limit.length];
        for (int c = 0; c < weight.length; c++) {
            double sum = 0;
            for (int s = first[c]; s < first[c + 1]; s++) {
                rates[s] = Math.max(0, rates[s]);
                sum += rates[s];
            }
            for (int s = first[c]; s < first[c + 1]; s++) {
                rates[s] *= sum > cap[c] ? cap[c] / sum : 1;
                for (int i = rowStart[s]; i < rowStart[s + 1]; i++) {
                    load[row[i]] += rates[s];
                }
            }
        }
        for (int s = 0; s < rates.length; s++) {
            double part = 1;
            for (int i = rowStart[s]; i < rowStart[s + 1]; i++) {
                int r = row[i];
                part = load[r] > limit[r] ? Math.min(part, limit[r] / load[r]) : part;
            }
            rates[s] *= part;
        }
    }

    /** Returns rates of all subflows of the problem in bit/s, given those of the prepared ones in scaled units. */
    double[] toBitsPerSecond(double[] scaled) {
        double[] rates = new double[problem.subflowCount()];
        for (int s = 0; s < subflows(); s++) {
            rates[subflowInProblem[s]] = Math.max(0, scaled[s]) * scale;
        }
        return rates;
    }

    private static int[] transpose(int[] start, int[] index, int[] outStart) {
        for (int r : index) {
            outStart[r + 1]++;
        }
        for (int r = 1; r < outStart.length; r++) {
            outStart[r] += outStart[r - 1];
        }
        int[] next = Arrays.copyOf(outStart, outStart.length);
        int[] out = new int[index.length];
        for (int s = 0; s + 1 < start.length; s++) {
            for (int i = start[s]; i < start[s + 1]; i++) {
                out[next[index[i]]++] = s;
            }
        }
        return out;
    }
}
