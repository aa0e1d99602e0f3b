// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jgrapht.alg.flow.EdmondsKarpMFImpl;
import org.jgrapht.alg.flow.PushRelabelMFImpl;
import org.jgrapht.alg.flow.mincost.CapacityScalingMinimumCostFlow;
import org.jgrapht.alg.flow.mincost.MinimumCostFlowProblem;
import org.jgrapht.alg.shortestpath.BFSShortestPath;
import org.jgrapht.graph.AsWeightedGraph;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.search.MaximumFlow;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.Waxman;

/** Compares the searches with JGraphT, on graphs too large for exhaustive search. */
class JGraphTOracleTest {
    @Provide
    Arbitrary<PathRequest.Builder> requests() {
        return Networks.requests(20);
    }

    @Property
    void maximumFlow(@ForAll("requests") PathRequest.Builder builder) {
        PathRequest request = builder.build();
        double[] residual = IntStream.range(0, request.graph().arcCount()).mapToDouble(request::residual).toArray();

        double value = MaximumFlow.value(request.graph(), residual, request.sources(), request.targets());
        assertEquals(superSourceFlow(request, residual), value, 1e-9);
    }

    @Property(tries = 200)
    void maximumFlowOfFractions(@ForAll long seed) {
        Graph graph = waxman(seed);

        double value = MaximumFlow.value(graph, 0, 1);
        assertEquals(pushRelabel(graph, 0, 1), value, 1e-6 * value);
    }

    /** On one-way links the flow must cancel the middle of the short path 0-1-2-3, so that two long paths fit. */
    @Example
    void maximumFlowCancelsFlowOfEarlierPaths() {
        Graph graph = Graph.builder(8).link(0, 1, 1, 0).link(1, 2, 1, 0).link(2, 3, 1, 0).link(0, 4, 1, 0).link(4, 5, 1, 0)
                .link(5, 2, 1, 0).link(1, 6, 1, 0).link(6, 7, 1, 0).link(7, 3, 1, 0).build();

        assertEquals(2, MaximumFlow.value(graph, 0, 3));
    }

    @Property
    void fewestHops(@ForAll("requests") PathRequest.Builder builder) {
        PathRequest request = builder.build();
        PathSet answer = PathStrategies.named("shortest").findPaths(request);
        SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> mirror = mirror(request.graph(), request::residual);
        int hops = Integer.MAX_VALUE;
        for (int source : request.sources()) {
            for (int target : request.targets()) {
                var path = new BFSShortestPath<>(mirror).getPath(source, target);
                hops = path == null ? hops : Math.min(hops, path.getLength());
            }
        }

        assertEquals(hops, answer.isEmpty() ? Integer.MAX_VALUE : answer.get(0).hops());
    }

    /** So many paths of a width exist if and only if a flow of so many units fits on links of at least that width. */
    @Property(tries = 300)
    void widestDisjointByThresholds(@ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int k) {
        Graph graph = waxman(seed);
        double[] thresholds = Arrays.stream(graph.capacities()).distinct().sorted().toArray();
        for (Disjointness kind : List.of(Disjointness.LINK, Disjointness.NODE)) {
            PathSet answer = PathStrategies.named("widest-disjoint").findPaths(
                    PathRequest.on(graph).from(0).to(1).k(k).disjointness(kind).build());

            int count = Math.min(k, disjointPaths(graph, kind, 0));
            assertEquals(count, answer.size());
            int low = 0;
            int high = thresholds.length;
            while (high - low > 1) {
                int middle = (low + high) >>> 1;
                if (disjointPaths(graph, kind, thresholds[middle]) >= count) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            assertEquals(thresholds[low], answer.minResidual());
        }
    }

    /** The fewest hops of so many disjoint paths equal the cost of a flow of so many units at cost 1 per link. */
    @Property(tries = 300)
    void fewestHopsInTotalByMinimumCostFlow(@ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int k) {
        Graph graph = waxman(seed);
        for (String name : List.of("link-disjoint", "node-disjoint")) {
            PathStrategy strategy = PathStrategies.named(name);
            PathSet answer = strategy.findPaths(PathRequest.on(graph).from(0).to(1).k(k).exact(true).build());

            assertEquals(Math.min(k, disjointPaths(graph, strategy.disjointness().get(0), 0)), answer.size());
            assertEquals(cheapestFlow(graph, strategy.disjointness().get(0), answer.size()), answer.hops());
        }
    }

    private static Graph waxman(long seed) {
        Topology topology = Waxman.sheu(30, 1, seed);
        return topology.withUniformCapacities(1e6, 100e6, seed).graph();
    }

    private interface Width {
        double of(int arc);
    }

    /** Parallel links become one edge with the sum of their capacities: flows and hops stay the same. */
    private static SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> mirror(Graph graph, Width width) {
        var mirror = new SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge>(DefaultWeightedEdge.class);
        IntStream.range(0, graph.nodeCount()).forEach(mirror::addVertex);
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            if (width.of(arc) > 0) {
                add(mirror, graph.tail(arc), graph.head(arc), width.of(arc));
            }
        }
        return mirror;
    }

    private static void add(SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> mirror, int tail, int head,
                            double width) {
        DefaultWeightedEdge edge = mirror.getEdge(tail, head);
        if (edge == null) {
            mirror.setEdgeWeight(mirror.addEdge(tail, head), width);
        } else {
            mirror.setEdgeWeight(edge, mirror.getEdgeWeight(edge) + width);
        }
    }

    private static double superSourceFlow(PathRequest request, double[] residual) {
        var mirror = mirror(request.graph(), arc -> residual[arc]);
        mirror.addVertex(-1);
        mirror.addVertex(-2);
        Arrays.stream(request.sources()).forEach(source -> add(mirror, -1, source, 1e6));
        Arrays.stream(request.targets()).forEach(target -> add(mirror, target, -2, 1e6));
        return new EdmondsKarpMFImpl<>(mirror).getMaximumFlowValue(-1, -2);
    }

    private static double pushRelabel(Graph graph, int source, int target) {
        return new PushRelabelMFImpl<>(mirror(graph, graph::capacity)).getMaximumFlowValue(source, target);
    }

    /** Counts disjoint paths from node 0 to node 1. */
    private static int disjointPaths(Graph graph, Disjointness kind, double threshold) {
        var mirror = splitMirror(graph, kind, threshold);
        return (int) Math.round(new EdmondsKarpMFImpl<>(mirror).getMaximumFlowValue(0, graph.nodeCount() + 1));
    }

    private static int cheapestFlow(Graph graph, Disjointness kind, int units) {
        var capacities = splitMirror(graph, kind, 0);
        int n = graph.nodeCount();
        var costs = new AsWeightedGraph<>(capacities, edge -> capacities.getEdgeSource(edge) >= n ? 1.0 : 0.0, false, false);
        var problem = new MinimumCostFlowProblem.MinimumCostFlowProblemImpl<>(costs,
                v -> v == 0 ? units : v == n + 1 ? -units : 0, edge -> (int) capacities.getEdgeWeight(edge));
        return (int) Math.round(new CapacityScalingMinimumCostFlow<Integer, DefaultWeightedEdge>()
                .getMinimumCostFlow(problem).getCost());
    }

    /** Splits node v into v, where arcs arrive, and n + v; the weight of an edge is its capacity in units. */
    private static SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> splitMirror(Graph graph, Disjointness kind,
                                                                                         double threshold) {
        int n = graph.nodeCount();
        var mirror = new SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge>(DefaultWeightedEdge.class);
        IntStream.range(0, 2 * n).forEach(mirror::addVertex);
        for (int v = 0; v < n; v++) {
            add(mirror, v, n + v, kind == Disjointness.NODE && v > 1 ? 1 : n);
        }
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            if (graph.capacity(arc) >= threshold) {
                add(mirror, n + graph.tail(arc), graph.head(arc), 1);
            }
        }
        return mirror;
    }
}
