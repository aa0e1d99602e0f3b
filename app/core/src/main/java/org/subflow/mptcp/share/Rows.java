// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A {@link SharingProblem} made ready for a solver: what can send nothing is left out, capacities are scaled so that the
 * largest is 1, and every limit that can matter, other than a connection's cap, is a row: the arcs that somebody crosses
 * and the caps of subflows.
 *
 * <p>Package-private working data; fields are read directly on hot paths and never written after construction.
 */
final class Rows {
    /** What has less than this part of the largest capacity counts as having none. */
    private static final double NOTHING = 1e-12;
    /** In {@link #arc}, of a row that is the cap of the only subflow on it. */
    static final int SUBFLOW_CAP = -1;

    final SharingProblem problem;
    /** Bit/s that one unit stands for. */
    final double scale;
    /** The arc that each row stands for, or {@link #SUBFLOW_CAP}. */
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

    private Rows(SharingProblem problem, double scale, int[] arc, double[] limit, double[] weight, double[] cap, int[] first,
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
        return new Compiler(problem).compile();
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

    /** Leaves out what can send nothing and numbers the rest. */
    private static final class Compiler {
        private final SharingProblem problem;
        private final double scale;
        private final double[] weight;
        private final double[] cap;
        private final int[] first;
        private final int[] connectionInProblem;
        private final int[] subflowInProblem;
        private final int[] rowStart;
        private final int[] row;
        private final int[] rowOf;
        private int[] arc = new int[64];
        private double[] limit = new double[64];
        private int connections;
        private int subflows;
        private int rows;

        Compiler(SharingProblem problem) {
            this.problem = problem;
            int conns = problem.connectionCount();
            int subs = problem.subflowCount();
            weight = new double[conns];
            cap = new double[conns];
            first = new int[conns + 1];
            connectionInProblem = new int[conns];
            subflowInProblem = new int[subs];
            rowStart = new int[subs + 1];
            int entries = subs;
            for (int s = 0; s < subs; s++) {
                entries += problem.hops(s);
            }
            row = new int[entries];
            rowOf = new int[problem.arcCount()];
            Arrays.fill(rowOf, -1);
            scale = scale();
        }

        Rows compile() {
            for (int c = 0; c < problem.connectionCount(); c++) {
                if (problem.cap(c) > NOTHING * scale) {
                    addConnection(c);
                }
            }
            return new Rows(problem, scale, Arrays.copyOf(arc, rows), Arrays.copyOf(limit, rows), Arrays.copyOf(weight, connections),
                    Arrays.copyOf(cap, connections), Arrays.copyOf(first, connections + 1),
                    Arrays.copyOf(rowStart, subflows + 1), Arrays.copyOf(row, rowStart[subflows]),
                    Arrays.copyOf(connectionInProblem, connections), Arrays.copyOf(subflowInProblem, subflows));
        }

        private void addConnection(int c) {
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                if (canSend(s)) {
                    addSubflow(s);
                }
            }
            if (subflows > first[connections]) {
                connectionInProblem[connections] = c;
                weight[connections] = problem.weight(c);
                cap[connections] = problem.cap(c) / scale;
                connections++;
                first[connections] = subflows;
            }
        }

        private void addSubflow(int s) {
            int at = rowStart[subflows];
            for (int h = 0; h < problem.hops(s); h++) {
                int crossed = problem.arc(s, h);
                if (rowOf[crossed] < 0) {
                    rowOf[crossed] = addRow(crossed, problem.capacity(crossed));
                }
                row[at++] = rowOf[crossed];
            }
            if (problem.subflowCap(s) < Double.POSITIVE_INFINITY) {
                row[at++] = addRow(SUBFLOW_CAP, problem.subflowCap(s));
            }
            subflowInProblem[subflows++] = s;
            rowStart[subflows] = at;
        }

        private int addRow(int arcOrCap, double bitsPerSecond) {
            if (rows == limit.length) {
                arc = Arrays.copyOf(arc, 2 * rows);
                limit = Arrays.copyOf(limit, 2 * rows);
            }
            arc[rows] = arcOrCap;
            limit[rows] = bitsPerSecond / scale;
            return rows++;
        }

        private boolean canSend(int s) {
            for (int h = 0; h < problem.hops(s); h++) {
                if (problem.capacity(problem.arc(s, h)) <= NOTHING * scale) {
                    return false;
                }
            }
            return problem.subflowCap(s) > NOTHING * scale;
        }

        private double scale() {
            double largest = 0;
            for (int a = 0; a < problem.arcCount(); a++) {
                largest = Math.max(largest, problem.capacity(a));
            }
            for (int s = 0; s < problem.subflowCount() && largest == 0; s++) {
                double mine = Math.min(problem.subflowCap(s), 1e18);
                largest = Math.max(largest, problem.hops(s) == 0 ? mine : 0);
            }
            return largest > 0 ? largest : 1;
        }
    }
}
