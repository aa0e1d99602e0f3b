// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;

/** The fewest hops from each node to a target of a view: breadth-first from the targets. O(n + links). */
public final class HopDistances {
    /** That of a node from which no open path leads to a target. */
    public static final int NONE = Integer.MAX_VALUE;

    private int[] hops = {};
    private int[] queue = {};

    /** Measures a view; what was measured before is overwritten. */
    public void measure(PrunedGraph view) {
        int nodes = view.graph.nodeCount();
        if (hops.length < nodes) {
            hops = new int[nodes];
            queue = new int[nodes];
        }
        Arrays.fill(hops, 0, nodes, NONE);
        int end = 0;
        for (int i = 0; i < view.endCount; i++) {
            hops[view.ends[i]] = 0;
            queue[end++] = view.ends[i];
        }
        for (int next = 0; next < end; next++) {
            int node = queue[next];
            for (int i = view.graph.offset(node); i < view.graph.offset(node + 1); i++) {
                int before = view.graph.neighbour(i);
                if (hops[before] == NONE && view.admits(view.graph.out(i) ^ 1, Workspace.ANY)) {
                    hops[before] = hops[node] + 1;
                    queue[end++] = before;
                }
            }
        }
    }

    /** Returns the fewest hops from a node to a target, or {@link #NONE}. */
    public int from(int node) {
        return hops[node];
    }
}
