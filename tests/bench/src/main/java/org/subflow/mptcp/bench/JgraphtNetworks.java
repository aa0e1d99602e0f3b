// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.subflow.mptcp.path.Graph;

/** Converts our graphs into JGraphT's. Weights are capacities in bit/s. */
final class JgraphtNetworks {
    private JgraphtNetworks() {
    }

    /**
     * Copies a network, with one directed edge for each direction of a link.
     *
     * @param graph without parallel links
     * @return the same network with our node ids as vertices
     */
    static SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> of(Graph graph) {
        SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> copy =
                new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
        for (int node = 0; node < graph.nodeCount(); node++) {
            copy.addVertex(node);
        }
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            copy.setEdgeWeight(copy.addEdge(graph.tail(arc), graph.head(arc)), graph.capacity(arc));
        }
        return copy;
    }
}
