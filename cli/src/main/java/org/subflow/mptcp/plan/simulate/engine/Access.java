// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;

/**
 * Hosts that are nodes of the graph, each with one link to its switch. The controller chooses paths between switches. So all paths of
 * a connection share its hosts' links, and are none the less disjoint. Immutable.
 */
final class Access {
    private final boolean[] isHost;

    /**
     * Makes one.
     *
     * @param isHost whether each node is a host; one with several links counts as a switch all the same
     */
    Access(boolean[] isHost) {
        this.isHost = isHost.clone();
    }

    boolean isHost(Graph graph, int node) {
        return isHost[node] && graph.degree(node) == 1;
    }

    /** Returns the node at which the controller sees an end: itself, or the switch of a host. */
    int node(Graph graph, int end) {
        return isHost(graph, end) ? graph.head(graph.arcFrom(end, 0)) : end;
    }

    /**
     * Returns the path from end to end.
     *
     * @param path between the ends' switches; null if both have the same one
     * @return null if the link of a host is down, or nothing is between the ends
     */
    Path path(Graph graph, Arrival arrival, Path path) {
        int[] middle = path == null ? new int[0] : path.arcs();
        int before = isHost(graph, arrival.source) ? 1 : 0;
        int after = isHost(graph, arrival.target) ? 1 : 0;
        int[] arcs = new int[before + middle.length + after];
        System.arraycopy(middle, 0, arcs, before, middle.length);
        if (before > 0) {
            arcs[0] = graph.arcFrom(arrival.source, 0);
        }
        if (after > 0) {
            arcs[arcs.length - 1] = Graph.reverse(graph.arcFrom(arrival.target, 0));
        }
        for (int arc : arcs) {
            if (graph.capacity(arc) == 0) {
                return null;
            }
        }
        return arcs.length == 0 ? null : Path.of(graph, arcs);
    }
}
