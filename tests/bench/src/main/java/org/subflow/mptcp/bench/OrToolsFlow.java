// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.google.ortools.Loader;
import com.google.ortools.graph.MaxFlow;
import org.subflow.mptcp.path.Graph;

/**
 * Maximum flow with OR-tools' {@code MaxFlow} (push-relabel). It wants whole numbers, so a unit is a thousandth of a bit/s. One
 * object serves all pairs of nodes, as its interface provides.
 */
final class OrToolsFlow implements MaxFlowFatTree.Peer {
    private static final double UNITS_PER_BIT = 1000;

    private final MaxFlow flow;

    /** Copies a network, with one arc for each direction of a link. */
    OrToolsFlow(Graph graph) {
        Loader.loadNativeLibraries();
        flow = new MaxFlow();
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            flow.addArcWithCapacity(graph.tail(arc), graph.head(arc), Math.round(graph.capacity(arc) * UNITS_PER_BIT));
        }
    }

    @Override
    public double value(int source, int target) {
        MaxFlow.Status status = flow.solve(source, target);
        if (status != MaxFlow.Status.OPTIMAL) {
            throw new IllegalStateException("MaxFlow says " + status);
        }
        return flow.getOptimalFlow() / UNITS_PER_BIT;
    }
}
