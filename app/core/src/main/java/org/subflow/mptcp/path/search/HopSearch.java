// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;

/**
 * Search for a path with the fewest hops, breadth-first from both ends. Each step extends the side with fewer nodes to scan.
 *
 * <p>Ties are broken as in Dijkstra's algorithm with nodes of equal distance settled in the order of their ids. Seen from the
 * target, the predecessor of every node is the neighbour with the smallest id. O(n + links). On a fat tree it is far less,
 * because neither side goes more than one hop beyond its pod. Belongs to one {@link Workspace}.
 */
final class HopSearch {
    /** The arcs of the path found, first to last. */
    int[] arcs = {};
    /** Their number. */
    int length;

    private final Side forward = new Side();
    private final Side backward = new Side();
    private int[] onPath = {};
    private int[] marked = {};
    private int epoch;

    /** One end's labels: how many hops away a node is. */
    private static final class Side {
        private int[] queue = {};
        private int[] level = {};
        private int[] seen = {};
        private int layerStart;
        private int end;
        private int depth;

        private void begin(int nodes) {
            if (seen.length < nodes) {
                queue = new int[nodes];
                level = new int[nodes];
                seen = new int[nodes];
            }
            layerStart = 0;
            end = 0;
            depth = 0;
        }

        private void label(int node, int distance, int epoch) {
            seen[node] = epoch;
            level[node] = distance;
            queue[end++] = node;
        }

        private int layerSize() {
            return end - layerStart;
        }
    }

    /**
     * Searches.
     *
     * @param view      where
     * @param bandwidth residual bandwidth that each arc must have, in bit/s, above 0
     * @return whether there is a path
     */
    boolean find(PrunedGraph view, double bandwidth) {
        begin(view.graph.nodeCount());
        for (int i = 0; i < view.startCount; i++) {
            forward.label(view.starts[i], 0, epoch);
        }
        for (int i = 0; i < view.endCount; i++) {
            backward.label(view.ends[i], 0, epoch);
        }
        boolean met = false;
        while (!met) {
            if (forward.layerSize() == 0 || backward.layerSize() == 0) {
                return false;
            }
            met = forward.layerSize() <= backward.layerSize()
                    ? growForward(view, bandwidth)
                    : growBackward(view, bandwidth);
        }
        trace(view, bandwidth);
        return true;
    }

    private void begin(int nodes) {
        if (onPath.length < nodes) {
            onPath = new int[nodes];
            marked = new int[nodes];
            arcs = new int[nodes];
        }
        forward.begin(nodes);
        backward.begin(nodes);
        if (++epoch == 0) {
            Arrays.fill(onPath, 0);
            Arrays.fill(forward.seen, 0);
            Arrays.fill(backward.seen, 0);
            epoch = 1;
        }
    }

    /** Labels one more layer from the sources; says whether it meets a node labelled from the targets. */
    private boolean growForward(PrunedGraph view, double bandwidth) {
        int layerEnd = forward.end;
        forward.depth++;
        boolean met = false;
        for (int next = forward.layerStart; next < layerEnd; next++) {
            int node = forward.queue[next];
            for (int i = view.graph.offset(node); i < view.graph.offset(node + 1); i++) {
                int head = view.graph.neighbour(i);
                if (forward.seen[head] != epoch && view.admits(view.graph.out(i), bandwidth)) {
                    forward.label(head, forward.depth, epoch);
                    met |= backward.seen[head] == epoch;
                }
            }
        }
        forward.layerStart = layerEnd;
        return met;
    }

    /** Labels one more layer from the targets; says whether it meets a node labelled from the sources. */
    private boolean growBackward(PrunedGraph view, double bandwidth) {
        int layerEnd = backward.end;
        backward.depth++;
        boolean met = false;
        for (int next = backward.layerStart; next < layerEnd; next++) {
            int node = backward.queue[next];
            for (int i = view.graph.offset(node); i < view.graph.offset(node + 1); i++) {
                int tail = view.graph.neighbour(i);
                // A closed node may be labelled; no open arc enters it, so the search ends there.
                if (backward.seen[tail] != epoch && view.admits(view.graph.out(i) ^ 1, bandwidth)) {
                    backward.label(tail, backward.depth, epoch);
                    met |= forward.seen[tail] == epoch;
                }
            }
        }
        backward.layerStart = layerEnd;
        return met;
    }

    /**
     * Marks the nodes between the meeting layer and the targets that lie on a shortest path, then walks back from the
     * smallest target. Before the meeting layer, the sources' labels are enough.
     */
    private void trace(PrunedGraph view, double bandwidth) {
        length = forward.depth + backward.depth;
        int end = markMeetings();
        for (int next = 0; next < end; next++) {
            int node = marked[next];
            for (int i = view.graph.offset(node); i < view.graph.offset(node + 1); i++) {
                int head = view.graph.neighbour(i);
                if (backward.seen[head] == epoch && backward.level[head] == backward.level[node] - 1
                        && onPath[head] != epoch && view.admits(view.graph.out(i), bandwidth)) {
                    onPath[head] = epoch;
                    marked[end++] = head;
                }
            }
        }
        int node = smallestTarget(view);
        for (int distance = length - 1; distance >= 0; distance--) {
            int i = view.graph.offset(node);
            while (!isBefore(view, view.graph.out(i) ^ 1, distance, bandwidth)) {
                i++;
            }
            arcs[distance] = view.graph.out(i) ^ 1;
            node = view.graph.neighbour(i);
        }
    }

    private int markMeetings() {
        int end = 0;
        for (int i = forward.layerStart; i < forward.end; i++) {
            int node = forward.queue[i];
            if (backward.seen[node] == epoch && backward.level[node] == backward.depth) {
                onPath[node] = epoch;
                marked[end++] = node;
            }
        }
        return end;
    }

    private int smallestTarget(PrunedGraph view) {
        int smallest = Integer.MAX_VALUE;
        for (int i = 0; i < view.endCount; i++) {
            if (onPath[view.ends[i]] == epoch) {
                smallest = Math.min(smallest, view.ends[i]);
            }
        }
        return smallest;
    }

    /** Says whether the tail of an arc lies on a shortest path, at a given distance from the sources. */
    private boolean isBefore(PrunedGraph view, int arc, int distance, double bandwidth) {
        int tail = view.graph.head(arc ^ 1);
        boolean fits = distance < forward.depth
                ? forward.seen[tail] == epoch && forward.level[tail] == distance
                : onPath[tail] == epoch && backward.level[tail] == length - distance;
        return fits && view.admits(arc, bandwidth);
    }
}
