// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import org.subflow.mptcp.path.Graph;

/**
 * Maximum flow by Dinic's algorithm (Soviet Math. Doklady 11, 1970) on arrays: O(n² · links).
 *
 * <p>Each phase labels nodes with their distance, breadth-first from both ends. It always extends the side with fewer nodes
 * to scan, so on a fat tree it never visits most of the tree. Then it saturates the shortest paths, depth-first. The residual
 * capacity of an arc is stored from its first use on, with an epoch number. The graph's own arrays are neither copied nor
 * changed. A number less itself is exactly 0, so the algorithm ends with doubles as it does with integers. Belongs to one
 * {@link Workspace}.
 */
final class Dinic {
    private Graph graph;
    private double[] bandwidth;

    /** The residual capacity of an arc in bit/s, if its link carries flow already. */
    private double[] residualCapacity = {};
    private int[] linkSeen = {};
    private int[] touched = new int[64];
    private int touchedCount;
    private int[] isTarget = {};
    private int flowEpoch;

    private final Side sources = new Side();
    private final Side targets = new Side();
    private int[] level = {};
    private int[] nodeSeen = {};
    private int[] nextArc = {};
    private int[] stack = {};
    private int mark;

    /** One end's breadth-first search. */
    private final class Side {
        /** 0 to follow residual arcs, 1 to follow them backwards. */
        private int turn;
        private int[] queue = {};
        private int layerStart;
        private int end;
        private int depth;
        private int mark;

        private void begin(int direction, int newMark, int[] nodes, int count) {
            turn = direction;
            mark = newMark;
            layerStart = 0;
            end = 0;
            depth = 0;
            for (int i = 0; i < count; i++) {
                if (nodeSeen[nodes[i]] != mark) {
                    label(nodes[i]);
                }
            }
        }

        private void label(int node) {
            nodeSeen[node] = mark;
            level[node] = depth;
            nextArc[node] = graph.offset(node);
            queue[end++] = node;
        }

        /** Labels one more layer; says whether it meets a node that the other end has labelled. */
        private boolean grow(Side other) {
            boolean met = false;
            int layerEnd = end;
            depth++;
            for (int next = layerStart; next < layerEnd; next++) {
                int node = queue[next];
                for (int i = graph.offset(node); i < graph.offset(node + 1); i++) {
                    int arc = graph.out(i);
                    int beyond = graph.head(arc);
                    if (nodeSeen[beyond] == mark || residualCapacity(arc ^ turn) <= 0) {
                        continue;
                    }
                    if (nodeSeen[beyond] == other.mark) {
                        met = true;
                    } else {
                        label(beyond);
                    }
                }
            }
            layerStart = layerEnd;
            return met;
        }

        private int layerSize() {
            return end - layerStart;
        }
    }

    /**
     * Finds the maximum flow.
     *
     * @param on        the graph
     * @param residual  bandwidth of each arc in bit/s; not changed
     * @param from      nodes where flow starts, the first {@code fromCount} of these
     * @param fromCount how many
     * @param to        nodes where flow ends, the first {@code toCount} of these, none of them where it starts
     * @param toCount   how many
     * @return its value in bit/s
     */
    double flow(Graph on, double[] residual, int[] from, int fromCount, int[] to, int toCount) {
        begin(on, residual);
        for (int i = 0; i < toCount; i++) {
            isTarget[to[i]] = flowEpoch;
        }
        double value = 0;
        while (label(from, fromCount, to, toCount)) {
            for (int i = 0; i < fromCount; i++) {
                value += fill(from[i]);
            }
        }
        return value;
    }

    /** Writes the flow last found into an array indexed by arc, in bit/s; arcs without flow become 0. */
    void amounts(double[] into) {
        Arrays.fill(into, 0, graph.arcCount(), 0);
        for (int i = 0; i < touchedCount; i++) {
            int arc = 2 * touched[i];
            into[arc] = Math.max(0, bandwidth[arc] - residualCapacity[arc]);
            into[arc + 1] = Math.max(0, bandwidth[arc + 1] - residualCapacity[arc + 1]);
        }
    }

    /** Drops the reference to the graph, so that it can be collected. */
    void forget() {
        graph = null;
        bandwidth = null;
    }

    private void begin(Graph on, double[] residual) {
        graph = on;
        bandwidth = residual;
        touchedCount = 0;
        int nodes = on.nodeCount();
        if (linkSeen.length < on.linkCount()) {
            residualCapacity = new double[on.arcCount()];
            linkSeen = new int[on.linkCount()];
        }
        if (level.length < nodes) {
            level = new int[nodes];
            nodeSeen = new int[nodes];
            nextArc = new int[nodes];
            stack = new int[nodes];
            isTarget = new int[nodes];
            sources.queue = new int[nodes];
            targets.queue = new int[nodes];
        }
        if (++flowEpoch == 0) {
            Arrays.fill(linkSeen, 0);
            Arrays.fill(isTarget, 0);
            flowEpoch = 1;
        }
    }

    private double residualCapacity(int arc) {
        return linkSeen[arc >> 1] == flowEpoch ? residualCapacity[arc] : bandwidth[arc];
    }

    private void push(int arc, double amount) {
        int link = arc >> 1;
        if (linkSeen[link] != flowEpoch) {
            linkSeen[link] = flowEpoch;
            residualCapacity[arc] = bandwidth[arc];
            residualCapacity[arc ^ 1] = bandwidth[arc ^ 1];
            if (touchedCount == touched.length) {
                touched = Arrays.copyOf(touched, 2 * touchedCount);
            }
            touched[touchedCount++] = link;
        }
        residualCapacity[arc] -= amount;
        residualCapacity[arc ^ 1] += amount;
    }

    /** Labels nodes with their distance from the sources, as far as a shortest path may need it; says if there is one. */
    private boolean label(int[] from, int fromCount, int[] to, int toCount) {
        if (mark > Integer.MAX_VALUE - 2) {
            Arrays.fill(nodeSeen, 0);
            mark = 0;
        }
        sources.begin(0, ++mark, from, fromCount);
        targets.begin(1, ++mark, to, toCount);
        boolean met = false;
        while (!met) {
            if (sources.layerSize() == 0 || targets.layerSize() == 0) {
                return false;
            }
            met = sources.layerSize() <= targets.layerSize() ? sources.grow(targets) : targets.grow(sources);
        }
        // Now that the length is known, the targets' labels can be counted from the sources, too.
        int length = sources.depth + targets.depth;
        for (int i = 0; i < targets.end; i++) {
            level[targets.queue[i]] = length - level[targets.queue[i]];
            nodeSeen[targets.queue[i]] = sources.mark;
        }
        return true;
    }

    /** Saturates the shortest paths from a source; returns the flow that it added, in bit/s. */
    private double fill(int source) {
        double value = 0;
        int depth = 0;
        int node = source;
        while (true) {
            if (isTarget[node] == flowEpoch) {
                double amount = narrowest(depth);
                value += amount;
                depth = pushAlong(depth, amount);
                node = graph.head(stack[depth] ^ 1);
            } else if (advance(node)) {
                stack[depth] = graph.out(nextArc[node]);
                node = graph.head(stack[depth++]);
            } else if (depth > 0) {
                node = graph.head(stack[--depth] ^ 1);
                nextArc[node]++;
            } else {
                return value;
            }
        }
    }

    /** Advances a node to its next residual arc that leads one hop further; says whether there is one. */
    private boolean advance(int node) {
        int end = graph.offset(node + 1);
        for (int i = nextArc[node]; i < end; i++) {
            int arc = graph.out(i);
            int head = graph.head(arc);
            if (nodeSeen[head] == sources.mark && level[head] == level[node] + 1 && residualCapacity(arc) > 0) {
                nextArc[node] = i;
                return true;
            }
        }
        nextArc[node] = end;
        return false;
    }

    private double narrowest(int depth) {
        double amount = Double.POSITIVE_INFINITY;
        for (int i = 0; i < depth; i++) {
            amount = Math.min(amount, residualCapacity(stack[i]));
        }
        return amount;
    }

    /** Pushes flow along the stack; returns the place of the first saturated arc. */
    private int pushAlong(int depth, double amount) {
        int first = depth;
        for (int i = depth - 1; i >= 0; i--) {
            push(stack[i], amount);
            if (residualCapacity(stack[i]) <= 0) {
                first = i;
            }
        }
        return first;
    }
}
