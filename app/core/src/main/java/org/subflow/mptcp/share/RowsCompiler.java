// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Makes {@link Rows} of a problem or of independent parts of it: leaves out what can send nothing, scales the rest. */
final class RowsCompiler {

    private final SharingProblem problem;
    /** In bit/s. */
    private final double nothing;
    private final int[] rowOf;

    private double scale;
    private double[] weight;
    private double[] cap;
    private int[] first;
    private int[] connectionInProblem;
    private int[] subflowInProblem;
    private int[] rowStart;
    private int[] row;
    private int[] arc;
    private double[] limit;
    private int connections;
    private int subflows;
    private int rows;

    RowsCompiler(SharingProblem problem) {
        this.problem = problem;
        rowOf = new int[problem.arcCount()];
        Arrays.fill(rowOf, -1);
        double largest = 0;
        for (int a = 0; a < rowOf.length; a++) {
            largest = Math.max(largest, problem.capacity(a));
        }
        nothing = Tolerances.ROUNDING * largest;
    }

    /** Returns up to what capacity an arc counts as having none, bit/s. */
    double nothing() {
        return nothing;
    }

    /** Takes all connections; nothing can be compiled after that. */
    Rows all() {
        return part(IntStream.range(0, problem.connectionCount()).toArray());
    }

    /**
     * Takes some connections.
     *
     * @param members the connections, none of which shares an arc with one that was taken before
     */
    Rows part(int[] members) {
        start(members);
        for (int c : members) {
            if (problem.cap(c) > nothing) {
                addConnection(c);
            }
        }
        return new Rows(problem, scale, Arrays.copyOf(arc, rows), Arrays.copyOf(limit, rows),
                Arrays.copyOf(weight, connections), Arrays.copyOf(cap, connections), Arrays.copyOf(first, connections + 1),
                Arrays.copyOf(rowStart, subflows + 1), Arrays.copyOf(row, rowStart[subflows]),
                Arrays.copyOf(connectionInProblem, connections), Arrays.copyOf(subflowInProblem, subflows));
    }

    private void start(int[] members) {
        int mostSubflows = 0;
        int mostEntries = 0;
        double largest = 0;
        double largestCap = 0;
        for (int c : members) {
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                mostSubflows++;
                mostEntries += problem.hops(s);
                largestCap = Math.max(largestCap, problem.cap(c));
                for (int h = 0; h < problem.hops(s); h++) {
                    largest = Math.max(largest, problem.capacity(problem.arc(s, h)));
                }
            }
        }
        scale = largest > 0 ? largest : largestCap > 0 ? largestCap : 1;
        weight = new double[members.length];
        cap = new double[members.length];
        first = new int[members.length + 1];
        connectionInProblem = new int[members.length];
        subflowInProblem = new int[mostSubflows];
        rowStart = new int[mostSubflows + 1];
        row = new int[mostEntries];
        arc = new int[64];
        limit = new double[64];
        connections = 0;
        subflows = 0;
        rows = 0;
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
        subflowInProblem[subflows++] = s;
        rowStart[subflows] = at;
    }

    private int addRow(int arcOfRow, double bitsPerSecond) {
        if (rows == limit.length) {
            arc = Arrays.copyOf(arc, 2 * rows);
            limit = Arrays.copyOf(limit, 2 * rows);
        }
        arc[rows] = arcOfRow;
        limit[rows] = bitsPerSecond / scale;
        return rows++;
    }

    private boolean canSend(int s) {
        for (int h = 0; h < problem.hops(s); h++) {
            if (problem.capacity(problem.arc(s, h)) <= nothing) {
                return false;
            }
        }
        return true;
    }
}
