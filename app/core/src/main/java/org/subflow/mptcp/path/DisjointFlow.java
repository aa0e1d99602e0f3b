// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Arrays;

/**
 * A set of link- or node-disjoint paths as a flow of one unit per path, which grows by augmenting paths: each adds a path
 * and may take arcs of earlier ones back.
 *
 * <p>Link-disjoint paths are a flow on the graph itself, where a link carries one unit in one of its directions;
 * node-disjoint ones a flow on its {@link SplitGraph}. The arcs, nodes and widths below are those of that network. An arc
 * is as wide as its residual bandwidth; taking a unit back costs no bandwidth, so that is infinitely wide. Belongs to one
 * {@link Workspace}.
 */
final class DisjointFlow {
    Graph network;
    PrunedGraph view;
    boolean split;

    /** The network's arcs with a unit on them, in no order, and those that had one once. */
    int[] touched = new int[64];
    int touchedCount;

    private int firstArc;
    private int[] unit = {};
    private int epoch;

    /** Starts with no path. */
    void clear(PrunedGraph on, boolean nodeDisjoint) {
        view = on;
        split = nodeDisjoint;
        network = nodeDisjoint ? on.graph.split() : on.graph;
        firstArc = nodeDisjoint ? 2 * on.graph.nodeCount() : 0;
        if (unit.length < network.arcCount()) {
            unit = new int[network.arcCount()];
        }
        touchedCount = 0;
        if (++epoch == 0) {
            Arrays.fill(unit, 0);
            epoch = 1;
        }
    }

    /** Says whether a path of the flow takes an arc of the network. */
    boolean carries(int arc) {
        return unit[arc] == epoch;
    }

    /** Removes the unit from an arc; says whether there was one. */
    boolean take(int arc) {
        boolean carried = carries(arc);
        unit[arc] = 0;
        return carried;
    }

    /** Moves one unit along an arc: a path takes it, or the one that took its reverse gives that up. */
    void push(int arc) {
        if (carries(arc ^ 1)) {
            unit[arc ^ 1] = 0;
            return;
        }
        unit[arc] = epoch;
        if (touchedCount == touched.length) {
            touched = Arrays.copyOf(touched, 2 * touchedCount);
        }
        touched[touchedCount++] = arc;
    }

    /** Returns how wide an arc is for one more unit, in bit/s; 0 if it cannot take one. */
    double width(int arc) {
        if (carries(arc ^ 1)) {
            return Double.POSITIVE_INFINITY;
        }
        if (carries(arc)) {
            return 0;
        }
        if (!split) {
            return view.width(arc);
        }
        if ((arc & 1) != 0) {
            return 0;
        }
        return arc >= firstArc ? view.width(original(arc)) : Double.POSITIVE_INFINITY;
    }

    /** Says whether an arc of the network stands for an arc of the graph, and does not merely join a node's halves. */
    boolean isLink(int arc) {
        return arc >= firstArc;
    }

    /** Returns the arc of the graph that an even arc of the network stands for. */
    int original(int arc) {
        return split ? (arc - firstArc) >> 1 : arc;
    }

    /** Returns the node of the network where a path from a source starts. */
    int start(int source) {
        return split ? SplitGraph.out(source) : source;
    }

    /** Returns the node of the network where a path to a target ends. */
    int end(int target) {
        return split ? SplitGraph.in(target) : target;
    }
}
