// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;

/**
 * A set of link- or node-disjoint paths as a flow of one unit per path. It grows by augmenting paths: each adds a path and
 * may cancel arcs of earlier paths.
 *
 * <p>Link-disjoint paths are a flow on the graph itself, where a link carries one unit in one of its directions.
 * Node-disjoint paths are a flow on {@link Graph#split}. The arcs, nodes and widths below are those of that network. The
 * width of an arc is its residual bandwidth. To cancel a unit takes no bandwidth, so an arc that does so has infinite width.
 * Belongs to one {@link Workspace}.
 */
final class DisjointFlow {
    Graph network;
    PrunedGraph view;
    boolean split;

    /** The network's arcs that carry or have carried a unit, in no order. */
    int[] touched = new int[64];
    int touchedCount;
    /** The number of paths. */
    int size;
    /** The cost of each arc of the graph, 0 or more; null if each costs 1. */
    long[] costs;

    private int firstArc;
    /** Arc to the epoch if it carries a unit, to minus the epoch if its reverse does. */
    private int[] unit = {};
    private int epoch;
    private int[] saved = new int[64];
    private int savedCount;
    private int savedSize;

    /** Starts with no path. */
    void clear(PrunedGraph on, boolean nodeDisjoint) {
        view = on;
        split = nodeDisjoint;
        network = nodeDisjoint ? on.graph.split() : on.graph;
        firstArc = nodeDisjoint ? 2 * on.graph.nodeCount() : 0;
        costs = null;
        if (unit.length < network.arcCount()) {
            unit = new int[network.arcCount()];
        }
        empty();
    }

    private void empty() {
        touchedCount = 0;
        size = 0;
        if (++epoch < 0) {
            Arrays.fill(unit, 0);
            epoch = 1;
        }
    }

    /** Says whether a path of the flow uses an arc of the network. */
    boolean carries(int arc) {
        return unit[arc] == epoch;
    }

    /** Removes the unit from an arc; says whether there was one. */
    boolean take(int arc) {
        if (unit[arc] != epoch) {
            return false;
        }
        unit[arc] = 0;
        unit[arc ^ 1] = 0;
        return true;
    }

    /** Pushes one unit along an arc: adds it to the flow, or cancels the unit on its reverse. */
    void push(int arc) {
        if (take(arc ^ 1)) {
            return;
        }
        unit[arc] = epoch;
        unit[arc ^ 1] = -epoch;
        if (touchedCount == touched.length) {
            touched = Arrays.copyOf(touched, 2 * touchedCount);
        }
        touched[touchedCount++] = arc;
    }

    /** Returns how wide an arc is for one more unit, in bit/s; 0 if it cannot take one. */
    double width(int arc) {
        int mark = unit[arc];
        if (mark == epoch) {
            return 0;
        }
        if (mark == -epoch) {
            return Double.POSITIVE_INFINITY;
        }
        if (!split) {
            return view.width(arc);
        }
        if ((arc & 1) != 0) {
            return 0;
        }
        return arc >= firstArc ? view.width(original(arc)) : Double.POSITIVE_INFINITY;
    }

    /** Saves the flow for {@link #restore}. */
    void save() {
        savedCount = 0;
        savedSize = size;
        if (saved.length < touchedCount) {
            saved = new int[touched.length];
        }
        for (int i = 0; i < touchedCount; i++) {
            // An arc that was cancelled and used again is in the list twice, which does no harm.
            if (carries(touched[i])) {
                saved[savedCount++] = touched[i];
            }
        }
    }

    /** Restores the flow that was saved last. */
    void restore() {
        empty();
        for (int i = 0; i < savedCount; i++) {
            if (!carries(saved[i])) {
                push(saved[i]);
            }
        }
        size = savedSize;
    }

    /** Removes a path that is one of the flow's. */
    void remove(Path path) {
        for (int i = 0; i < path.hops(); i++) {
            take(split ? firstArc + 2 * path.arc(i) : path.arc(i));
            if (split && i > 0) {
                take(2 * path.node(i));
            }
        }
        size--;
    }

    /** Removes every path and cycle of the flow that is not disjoint from a path of the graph. */
    void removeCrossing(Path path) {
        if (!split) {
            for (int i = 0; i < path.hops(); i++) {
                removeThrough(path.arc(i));
                removeThrough(path.arc(i) ^ 1);
            }
        } else if (path.hops() == 1) {
            removeThrough(firstArc + 2 * path.arc(0));
        } else {
            for (int i = 1; i < path.hops(); i++) {
                removeThrough(2 * path.node(i));
            }
        }
    }

    /** Removes a path, or a cycle, that takes an arc of the network; does nothing if none does. */
    private void removeThrough(int arc) {
        if (!take(arc)) {
            return;
        }
        int tail = network.head(arc ^ 1);
        int node = network.head(arc);
        for (int next = carrying(node, 0); next >= 0; next = carrying(node, 0)) {
            take(next);
            node = network.head(next);
        }
        if (node == tail) {
            return;
        }
        size--;
        for (int last = carrying(tail, 1); last >= 0; last = carrying(tail, 1)) {
            take(last);
            tail = network.head(last ^ 1);
        }
    }

    /** Returns an arc with a unit that leaves a node (turn 0) or arrives there (turn 1); −1 if there is none. */
    private int carrying(int node, int turn) {
        for (int i = network.offset(node); i < network.offset(node + 1); i++) {
            if (carries(network.out(i) ^ turn)) {
                return network.out(i) ^ turn;
            }
        }
        return -1;
    }

    /** Says whether an arc of the network stands for an arc of the graph, and does not merely join a node's halves. */
    boolean isLink(int arc) {
        return arc >= firstArc;
    }

    /** Returns the cost of an arc of the network that stands for one of the graph. */
    long cost(int arc) {
        return costs == null ? 1 : costs[original(arc)];
    }

    /** Returns the arc of the graph that an even arc of the network stands for. */
    int original(int arc) {
        return split ? (arc - firstArc) >> 1 : arc;
    }

    /** Returns the node of the network where a path from a source starts. */
    int start(int source) {
        return split ? 2 * source + 1 : source;
    }

    /** Returns the node of the network where a path to a target ends. */
    int end(int target) {
        return split ? 2 * target : target;
    }
}
