// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jgrapht.Graph;
import org.jgrapht.alg.flow.BoykovKolmogorovMFImpl;
import org.jgrapht.alg.flow.DinicMFImpl;
import org.jgrapht.alg.interfaces.MaximumFlowAlgorithm;
import org.jgrapht.graph.AsWeightedGraph;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;

/**
 * The problem of {@code widest-disjoint} solved with JGraphT, by binary search over the capacities. The result is the largest
 * threshold at which a maximum flow of one unit per edge still has the largest number of paths.
 *
 * <p>Ours does more: the peer finds neither the paths nor a good choice among them. Candidates for the peer were JGraphT's
 * four maximum flows and its Suurballe. Each ran on edges with weights 0 and 1, on a masked view, and on a copy of the wide
 * edges. Each size of network has the fastest of these. (On the Waxman graphs, in µs on one day: Boykov and Kolmogorov 441,
 * push-relabel 452, Dinic 465, Edmonds and Karp 683, Suurballe 2,043.)
 */
final class JgraphtWidestDisjoint {
    private final Graph<Integer, DefaultWeightedEdge> graph;
    private final double[] thresholds;
    private final BiFunction<Graph<Integer, DefaultWeightedEdge>, Double, Graph<Integer, DefaultWeightedEdge>> restriction;
    private final Function<Graph<Integer, DefaultWeightedEdge>, MaximumFlowAlgorithm<Integer, DefaultWeightedEdge>> flow;

    /**
     * The largest smallest bottleneck.
     *
     * @param paths     number of disjoint paths, 0 if there is none
     * @param narrowest the smallest bottleneck in bit/s; 0 if there is no path
     */
    record Answer(int paths, double narrowest) {
    }

    private JgraphtWidestDisjoint(
            org.subflow.mptcp.path.Graph network,
            Graph<Integer, DefaultWeightedEdge> copy,
            BiFunction<Graph<Integer, DefaultWeightedEdge>, Double, Graph<Integer, DefaultWeightedEdge>> restriction,
            Function<Graph<Integer, DefaultWeightedEdge>, MaximumFlowAlgorithm<Integer, DefaultWeightedEdge>> flow) {
        this.graph = copy;
        this.thresholds = Arrays.stream(network.capacities()).filter(capacity -> capacity > 0).sorted().distinct().toArray();
        this.restriction = restriction;
        this.flow = flow;
    }

    /** For networks of some dozen nodes: weights 0 and 1 on the graph itself, Boykov and Kolmogorov's algorithm. */
    static JgraphtWidestDisjoint onSmall(org.subflow.mptcp.path.Graph network) {
        return onSmall(network, JgraphtNetworks.of(network));
    }

    /** The same where links have one capacity for both ways: an undirected graph, with half the edges. */
    static JgraphtWidestDisjoint onSmallSymmetric(org.subflow.mptcp.path.Graph network) {
        return onSmall(network, JgraphtNetworks.undirected(network));
    }

    private static JgraphtWidestDisjoint onSmall(org.subflow.mptcp.path.Graph network,
                                                 Graph<Integer, DefaultWeightedEdge> copy) {
        return new JgraphtWidestDisjoint(network, copy, (graph, threshold) -> new AsWeightedGraph<>(graph,
                edge -> graph.getEdgeWeight(edge) >= threshold ? 1.0 : 0.0, false, false), BoykovKolmogorovMFImpl::new);
    }

    /** For networks of thousands of links: a copy of the edges that are wide enough, Dinic's algorithm. */
    static JgraphtWidestDisjoint onLarge(org.subflow.mptcp.path.Graph network) {
        return new JgraphtWidestDisjoint(network, JgraphtNetworks.of(network),
                JgraphtWidestDisjoint::copyOfWide, DinicMFImpl::new);
    }

    private static Graph<Integer, DefaultWeightedEdge> copyOfWide(Graph<Integer, DefaultWeightedEdge> graph,
                                                                  double threshold) {
        Graph<Integer, DefaultWeightedEdge> copy = new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
        for (int node : graph.vertexSet()) {
            copy.addVertex(node);
        }
        for (DefaultWeightedEdge edge : graph.edgeSet()) {
            if (graph.getEdgeWeight(edge) >= threshold) {
                copy.addEdge(graph.getEdgeSource(edge), graph.getEdgeTarget(edge));
            }
        }
        return copy;
    }

    /** Finds the largest smallest bottleneck of as many link-disjoint paths as exist, at most {@code k}. */
    Answer find(int source, int target, int k) {
        int low = 0;
        int high = thresholds.length - 1;
        int paths = paths(thresholds[low], source, target, k);
        if (paths == 0) {
            return new Answer(0, 0);
        }
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (paths(thresholds[middle], source, target, k) == paths) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return new Answer(paths, thresholds[low]);
    }

    private int paths(double threshold, int source, int target, int k) {
        double value = flow.apply(restriction.apply(graph, threshold)).getMaximumFlowValue(source, target);
        return (int) Math.min(k, Math.round(value));
    }
}
