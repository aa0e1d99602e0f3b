// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.linear;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A sharing problem as solvers take it: each arc in use is a row, the largest capacity is 1, and subflows that can send
 * nothing are left out.
 *
 * <p>Solvers read the fields directly, as they are on hot paths. They are never written after construction.
 */
public final class ScaledProblem {
    private static final int NONE = -1;

    /** Bit/s that one unit stands for. */
    public final double scale;
    /** The arc that each row stands for. */
    public final int[] arc;
    /** Limit of each row, above 0. */
    public final double[] limit;
    /** Weight of each connection. */
    public final double[] weight;
    /** Cap of each connection, or positive infinity. */
    public final double[] cap;
    /** Subflows of connection c: from {@code first[c]} to {@code first[c + 1]}. */
    public final int[] first;
    /** Connection of each subflow. */
    public final int[] connectionOf;
    /** Rows of subflow s: {@code row[rowStart[s]]} to {@code row[rowStart[s + 1] - 1]}. */
    public final int[] rowStart;
    /** See {@link #rowStart}. */
    public final int[] row;
    /** Subflows on row r: {@code on[onStart[r]]} to {@code on[onStart[r + 1] - 1]}. */
    public final int[] onStart;
    /** See {@link #onStart}. */
    public final int[] on;
    /** Number of each connection and subflow in the original problem. */
    public final int[] connectionInProblem;
    /** See {@link #connectionInProblem}. */
    public final int[] subflowInProblem;

    /** Number of subflows in the original problem. */
    private final int originalSubflows;
    /** All arcs of each subflow in order, with those that {@link #withoutDominated} leaves out. */
    private final int[] routeStart;
    private final int[] route;

    /** The rows of a problem: arrays as the fields of the problem describe them. */
    public static final class Rows {
        private final int[] arc;
        private final double[] limit;

        /** Takes the arrays, which are not copied. */
        public Rows(int[] arc, double[] limit) {
            this.arc = arc;
            this.limit = limit;
        }
    }

    /** The connections of a problem: arrays as its fields describe them. */
    public static final class Connections {
        private final double[] weight;
        private final double[] cap;
        private final int[] first;
        private final int[] inProblem;

        /** Takes the arrays, which are not copied. */
        public Connections(double[] weight, double[] cap, int[] first, int[] inProblem) {
            this.weight = weight;
            this.cap = cap;
            this.first = first;
            this.inProblem = inProblem;
        }
    }

    /** The rows that each subflow of a problem takes: arrays as its fields describe them. */
    public static final class Subflows {
        private final int[] rowStart;
        private final int[] row;
        private final int[] inProblem;

        /** Takes the arrays, which are not copied. */
        public Subflows(int[] rowStart, int[] row, int[] inProblem) {
            this.rowStart = rowStart;
            this.row = row;
            this.inProblem = inProblem;
        }
    }

    /**
     * Makes a problem.
     *
     * @param originalSubflows number of subflows in the original problem
     * @param scale            bit/s that one unit stands for
     */
    public ScaledProblem(int originalSubflows, double scale, Rows rows, Connections connections, Subflows subflows) {
        this(originalSubflows, scale, rows, connections, subflows, subflows.rowStart,
                Arrays.stream(subflows.row).map(r -> rows.arc[r]).toArray());
    }

    private ScaledProblem(int originalSubflows, double scale, Rows rows, Connections connections, Subflows subflows,
                          int[] routeStart, int[] route) {
        this.originalSubflows = originalSubflows;
        this.routeStart = routeStart;
        this.route = route;
        this.scale = scale;
        this.arc = rows.arc;
        this.limit = rows.limit;
        this.weight = connections.weight;
        this.cap = connections.cap;
        this.first = connections.first;
        this.rowStart = subflows.rowStart;
        this.row = subflows.row;
        this.connectionInProblem = connections.inProblem;
        this.subflowInProblem = subflows.inProblem;
        connectionOf = new int[subflowInProblem.length];
        for (int c = 0; c < weight.length; c++) {
            Arrays.fill(connectionOf, first[c], first[c + 1], c);
        }
        onStart = new int[limit.length + 1];
        on = transpose(rowStart, row, onStart);
    }

    /**
     * Returns the same problem without dominated rows: rows with exactly the subflows of another row that has no higher
     * limit. Of a chain of links that the same subflows cross, one row remains. O(entries).
     */
    public ScaledProblem withoutDominated() {
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
        int[] remaining = new int[row.length];
        int count = 0;
        for (int s = 0; s + 1 < rowStart.length; s++) {
            for (int i = rowStart[s]; i < rowStart[s + 1]; i++) {
                if (number[row[i]] >= 0) {
                    remaining[count++] = number[row[i]];
                }
            }
            start[s + 1] = count;
        }
        return new ScaledProblem(originalSubflows, scale,
                new Rows(Arrays.stream(kept).map(r -> arc[r]).toArray(), Arrays.stream(kept).mapToDouble(r -> limit[r]).toArray()),
                new Connections(weight, cap, first, connectionInProblem),
                new Subflows(start, Arrays.copyOf(remaining, count), subflowInProblem), routeStart, route);
    }

    /** Tells whether the numbers are the same; connections and subflows may have other numbers in the original problem. */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ScaledProblem)) {
            return false;
        }
        ScaledProblem that = (ScaledProblem) other;
        return scale == that.scale && Arrays.equals(limit, that.limit) && Arrays.equals(arc, that.arc)
                && Arrays.equals(row, that.row) && Arrays.equals(rowStart, that.rowStart)
                && Arrays.equals(first, that.first) && Arrays.equals(weight, that.weight) && Arrays.equals(cap, that.cap);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(arc) + Arrays.hashCode(row);
    }

    /** Tells whether a subflow follows the same arcs as a subflow of another problem. */
    public boolean sameRoute(int subflow, ScaledProblem that, int other) {
        return Arrays.equals(route, routeStart[subflow], routeStart[subflow + 1],
                that.route, that.routeStart[other], that.routeStart[other + 1]);
    }

    /** Returns the row that stands for each arc below a number of arcs, or −1 for an arc that is no row. */
    public int[] rowOfArc(int arcs) {
        int[] rowOf = new int[arcs];
        Arrays.fill(rowOf, NONE);
        for (int r = 0; r < arc.length; r++) {
            rowOf[arc[r]] = r;
        }
        return rowOf;
    }

    /** Tells whether an arc is a row of both. */
    public boolean sharesArc(ScaledProblem other) {
        BitSet mine = new BitSet();
        for (int a : arc) {
            mine.set(a);
        }
        return Arrays.stream(other.arc).anyMatch(mine::get);
    }

    /** Returns the number of connections. */
    public int connections() {
        return weight.length;
    }

    /** Returns the number of subflows. */
    public int subflows() {
        return connectionOf.length;
    }

    /** Returns the number of rows. */
    public int rows() {
        return limit.length;
    }

    /** Returns the row with the smallest limit that a subflow crosses, or −1 if it crosses none. */
    public int narrowest(int subflow) {
        int narrowest = -1;
        for (int i = rowStart[subflow]; i < rowStart[subflow + 1]; i++) {
            narrowest = narrowest < 0 || limit[row[i]] < limit[narrowest] ? row[i] : narrowest;
        }
        return narrowest;
    }

    /** Returns the total of each connection. */
    public double[] totals(double[] rates) {
        double[] totals = new double[weight.length];
        for (int s = 0; s < rates.length; s++) {
            totals[connectionOf[s]] += rates[s];
        }
        return totals;
    }

    /** Makes rates feasible that are nearly so, by lowering some: no rate below 0, no row or cap exceeded. */
    public void fit(double[] rates) {
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

    /** Returns the rate of each subflow of the original problem in bit/s, given the rates here in scaled units. */
    public double[] toBitsPerSecond(double[] scaled) {
        double[] rates = new double[originalSubflows];
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
