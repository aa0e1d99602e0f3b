// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Arrays;

/**
 * Breadth-first search for a path with the fewest hops. Of several it takes the one that Dijkstra's algorithm finds if
 * it settles nodes at the same distance in the order of their ids. O(n + links). Belongs to one {@link Workspace}.
 */
final class HopSearch {
    /** The arcs of the path found, first to last. */
    int[] arcs = {};
    /** Their number. */
    int length;

    private int[] queue = {};
    private int[] level = {};
    private int[] seen = {};
    private int epoch;

    /**
     * Searches.
     *
     * @param view      where
     * @param bandwidth residual bandwidth that each arc must have, in bit/s, above 0
     * @return whether there is a path
     */
    boolean find(PrunedGraph view, double bandwidth) {
        begin(view.graph.nodeCount());
        int end = 0;
        for (int i = 0; i < view.startCount; i++) {
            end = label(view.starts[i], 0, end);
        }
        int[] offsets = view.graph.offsets;
        int[] out = view.graph.out;
        int[] heads = view.graph.heads;
        int found = -1;
        for (int next = 0; next < end; next++) {
            int node = queue[next];
            // The whole level is looked at, because the target with the smallest id is wanted.
            if (found >= 0 && level[node] >= level[found]) {
                break;
            }
            for (int i = offsets[node]; i < offsets[node + 1]; i++) {
                int head = heads[out[i]];
                if (seen[head] == epoch || !view.admits(out[i], bandwidth)) {
                    continue;
                }
                end = label(head, level[node] + 1, end);
                if (view.isTarget(head) && (found < 0 || head < found)) {
                    found = head;
                }
            }
        }
        if (found < 0) {
            return false;
        }
        trace(view, bandwidth, found);
        return true;
    }

    private void begin(int nodes) {
        if (seen.length < nodes) {
            queue = new int[nodes];
            level = new int[nodes];
            arcs = new int[nodes];
            seen = new int[nodes];
            epoch = 0;
        }
        if (++epoch == 0) {
            Arrays.fill(seen, 0);
            epoch = 1;
        }
    }

    private int label(int node, int distance, int end) {
        seen[node] = epoch;
        level[node] = distance;
        queue[end] = node;
        return end + 1;
    }

    /** Walks back from the target, each time to the neighbour with the smallest id that is one hop nearer. */
    private void trace(PrunedGraph view, double bandwidth, int target) {
        Graph graph = view.graph;
        length = level[target];
        int node = target;
        for (int distance = length - 1; distance >= 0; distance--) {
            int i = graph.offsets[node];
            while (!leadsTo(view, graph.out[i] ^ 1, distance, bandwidth)) {
                i++;
            }
            arcs[distance] = graph.out[i] ^ 1;
            node = graph.heads[graph.out[i]];
        }
    }

    private boolean leadsTo(PrunedGraph view, int arc, int distance, double bandwidth) {
        int tail = view.graph.heads[arc ^ 1];
        return seen[tail] == epoch && level[tail] == distance && view.admits(arc, bandwidth);
    }
}
