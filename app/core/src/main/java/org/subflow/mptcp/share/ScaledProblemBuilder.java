// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * Builds the {@link ScaledProblem} of a {@link SharingProblem} or of some of its connections: leaves out connections and
 * subflows that can send nothing and arcs that do not count, numbers the other arcs in use as rows, and scales capacities.
 * O(size of the problem).
 */
final class ScaledProblemBuilder {
    private final SharingProblem problem;
    private final boolean[] redundant;
    /** An arc counts as absent up to this capacity in bit/s. */
    private final double negligible;
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

    /**
     * Begins.
     *
     * @param redundant the arcs that do not count
     */
    ScaledProblemBuilder(SharingProblem problem, boolean[] redundant) {
        this.problem = problem;
        this.redundant = redundant;
        rowOf = new int[problem.arcCount()];
        Arrays.fill(rowOf, -1);
        double largest = 0;
        for (int a = 0; a < rowOf.length; a++) {
            largest = Math.max(largest, problem.capacity(a));
        }
        negligible = Tolerances.ROUNDING * largest;
    }

    /** Returns the capacity in bit/s up to which an arc counts as absent. */
    double negligible() {
        return negligible;
    }

    /** Returns the scaled problem of all connections and arcs. */
    static ScaledProblem of(SharingProblem problem) {
        return new ScaledProblemBuilder(problem, new boolean[problem.arcCount()]).all();
    }

    /** Returns the scaled problem of all connections, without arcs that cannot be full or that another one stands for. */
    static ScaledProblem reduced(SharingProblem problem) {
        return new ScaledProblemBuilder(problem, RedundantArcs.of(problem)).all().withoutDominated();
    }

    /** Returns the scaled problem of all connections; the builder must not be used again. */
    ScaledProblem all() {
        return part(IntStream.range(0, problem.connectionCount()).toArray());
    }

    /**
     * Returns the scaled problem of some connections.
     *
     * @param members the connections; none may share an arc with a connection of an earlier call
     */
    ScaledProblem part(int[] members) {
        start(members);
        for (int c : members) {
            if (problem.cap(c) > negligible) {
                addConnection(c);
            }
        }
        return new ScaledProblem(problem.subflowCount(), scale,
                new ScaledProblem.Rows(Arrays.copyOf(arc, rows), Arrays.copyOf(limit, rows)),
                new ScaledProblem.Connections(Arrays.copyOf(weight, connections), Arrays.copyOf(cap, connections),
                        Arrays.copyOf(first, connections + 1), Arrays.copyOf(connectionInProblem, connections)),
                new ScaledProblem.Subflows(Arrays.copyOf(rowStart, subflows + 1), Arrays.copyOf(row, rowStart[subflows]),
                        Arrays.copyOf(subflowInProblem, subflows)));
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
            if (redundant[crossed]) {
                continue;
            }
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
            if (problem.capacity(problem.arc(s, h)) <= negligible) {
                return false;
            }
        }
        return true;
    }
}
