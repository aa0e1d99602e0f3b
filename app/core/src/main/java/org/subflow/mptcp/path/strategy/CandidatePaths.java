// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.Arrays;
import org.subflow.mptcp.path.search.NodeHeap;
import org.subflow.mptcp.path.search.PrunedGraph;

/**
 * Phase one of {@link KMaxMin}: candidate paths from the sources to the targets, by a Dijkstra-like search that keeps
 * several paths per node. Belongs to one {@code Workspace}.
 *
 * <p>A path to a node is a record: the path it extends, the arc it extends it by, and its bottleneck. The records of a node
 * form a list, the widest first. Of equally wide records, the older comes first.
 */
final class CandidatePaths {
    private static final int NONE = -1;

    private final NodeHeap discovered = new NodeHeap();
    private PrunedGraph view;
    private int m;
    private boolean dropping;

    /** Node to its maximum bottleneck bandwidth (MBB) in bit/s and its minimum hop count (MHC). */
    private double[] mbb = {};
    private int[] mhc = {};
    private boolean[] visited = {};
    private int[] firstRecord = {};
    private int[] neighbours = new int[16];

    private int[] before = new int[256];
    private int[] via = new int[256];
    private double[] width = new double[256];
    private int[] nextRecord = new int[256];
    private int records;

    /**
     * Searches. Afterwards {@link #first} and {@link #next} list a target's records.
     *
     * @param in   where
     * @param keep paths that a node takes from one parent at most, at least 1
     */
    void search(PrunedGraph in, int keep) {
        search(in, keep, true);
    }

    /**
     * As {@link #search(PrunedGraph, int)}.
     *
     * @param drops whether a node that an edge is relaxed from in both ways drops the paths that it did not hand on
     */
    void search(PrunedGraph in, int keep, boolean drops) {
        view = in;
        m = keep;
        dropping = drops;
        begin(view.graph().nodeCount());
        for (int i = 0; i < view.startCount(); i++) {
            int start = view.start(i);
            add(start, NONE, NONE, Double.POSITIVE_INFINITY);
            discover(start, Double.POSITIVE_INFINITY, 0);
        }
        while (!discovered.isEmpty()) {
            visit(discovered.poll());
        }
    }

    private void begin(int nodes) {
        if (visited.length < nodes) {
            mbb = new double[nodes];
            mhc = new int[nodes];
            visited = new boolean[nodes];
            firstRecord = new int[nodes];
        }
        Arrays.fill(mbb, 0, nodes, 0);
        Arrays.fill(mhc, 0, nodes, Integer.MAX_VALUE);
        Arrays.fill(visited, 0, nodes, false);
        Arrays.fill(firstRecord, 0, nodes, NONE);
        discovered.clear(nodes);
        records = 0;
    }

    /** Returns the widest record of a node, or −1. */
    int first(int node) {
        return firstRecord[node];
    }

    /** Returns the record after one in the list of the same node, or −1. */
    int next(int path) {
        return nextRecord[path];
    }

    /** Returns the bottleneck of a record in bit/s. */
    double width(int path) {
        return width[path];
    }

    /** Returns the last arc of a record, or −1 for the one of a source. */
    int lastArc(int path) {
        return via[path];
    }

    /** Returns the record without its last arc. */
    int withoutLast(int path) {
        return before[path];
    }

    private void visit(int u) {
        visited[u] = true;
        int count = unvisitedByHops(u);
        for (int i = 0; i < count; i++) {
            int arc = neighbours[i];
            int v = view.graph().head(arc);
            boolean twoWay = mhc[u] > mhc[v] && !view.isEnd(v);
            relax(u, arc, twoWay && dropping);
            if (twoWay) {
                relax(v, arc ^ 1, false);
            }
        }
    }

    /** Lists the arcs to unvisited neighbours in the order of their MHC, then id. */
    private int unvisitedByHops(int u) {
        int count = 0;
        if (neighbours.length < view.graph().degree(u)) {
            neighbours = new int[view.graph().degree(u)];
        }
        for (int i = view.graph().offset(u); i < view.graph().offset(u + 1); i++) {
            int arc = view.graph().out(i);
            int v = view.graph().head(arc);
            if (visited[v] || view.isClosedNode(v)) {
                continue;
            }
            int place = count++;
            while (place > 0 && mhc[view.graph().head(neighbours[place - 1])] > mhc[v]) {
                neighbours[place] = neighbours[place - 1];
                place--;
            }
            neighbours[place] = arc;
        }
        return count;
    }

    /** Extends the best paths of a node by an arc; then drops the node's other records if asked. */
    private void relax(int u, int arc, boolean forgetOthers) {
        double bandwidth = view.width(arc);
        if (bandwidth <= 0) {
            return;
        }
        int v = view.graph().head(arc);
        int gone = 0;
        for (int path = firstRecord[u]; path != NONE && gone < m; path = nextRecord[path]) {
            if (visits(path, v)) {
                continue;
            }
            add(v, path, arc, Math.min(width[path], bandwidth));
            if (++gone == m && forgetOthers) {
                nextRecord[path] = NONE;
            }
        }
        if (gone > 0) {
            discover(v, Math.max(mbb[v], Math.min(mbb[u], bandwidth)), Math.min(mhc[v], mhc[u] + 1));
        }
    }

    private void discover(int node, double newMbb, int newMhc) {
        mbb[node] = newMbb;
        mhc[node] = newMhc;
        // Targets are visited last and relax no neighbour.
        if (!visited[node] && !view.isEnd(node)) {
            discovered.improve(node, newMbb, newMhc);
        }
    }

    private boolean visits(int path, int node) {
        for (int p = path; via[p] != NONE; p = before[p]) {
            if (view.graph().head(via[p]) == node) {
                return true;
            }
        }
        return false;
    }

    private void add(int node, int path, int arc, double bottleneck) {
        if (records == before.length) {
            before = Arrays.copyOf(before, 2 * records);
            via = Arrays.copyOf(via, 2 * records);
            width = Arrays.copyOf(width, 2 * records);
            nextRecord = Arrays.copyOf(nextRecord, 2 * records);
        }
        int record = records++;
        before[record] = path;
        via[record] = arc;
        width[record] = bottleneck;
        int previous = NONE;
        int following = firstRecord[node];
        while (following != NONE && width[following] >= bottleneck) {
            previous = following;
            following = nextRecord[following];
        }
        nextRecord[record] = following;
        if (previous == NONE) {
            firstRecord[node] = record;
        } else {
            nextRecord[previous] = record;
        }
    }
}
