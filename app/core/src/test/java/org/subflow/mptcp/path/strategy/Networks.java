// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;

/**
 * Random requests for the property tests. The graphs have few nodes, so that paths conflict, and few different capacities, so
 * that ties are common. They have parallel links, links with no capacity in one direction, and unconnected parts.
 */
final class Networks {
    private Networks() {
    }

    /** Three paths from 0 to 4: over 1, 2 and 3, as wide as 10, 8 and 6. */
    static Graph threeWays() {
        return Graph.builder(5).link(0, 1, 10).link(1, 4, 10).link(0, 2, 8).link(2, 4, 8).link(0, 3, 6).link(3, 4, 6).build();
    }

    /** Graphs of 2 to {@code maxNodes} nodes and up to three links per node, capacities 0 to 9 bit/s. */
    static Arbitrary<Graph> graphs(int maxNodes) {
        return Arbitraries.integers().between(2, maxNodes).flatMap(nodes -> {
            Arbitrary<Integer> node = Arbitraries.integers().between(0, nodes - 1);
            Arbitrary<Integer> shift = Arbitraries.integers().between(1, nodes - 1);
            Arbitrary<Integer> capacity = Arbitraries.integers().between(0, 9);
            Arbitrary<int[]> link = Combinators.combine(node, shift, capacity, capacity, Arbitraries.integers().between(0, 3))
                    .as((a, d, c, other, kind) -> new int[] {a, (a + d) % nodes, c, kind == 0 ? other : c});
            return link.list().ofMaxSize(3 * nodes).map(links -> {
                Graph.Builder builder = Graph.builder(nodes);
                links.forEach(l -> builder.link(l[0], l[1], l[2], l[3]));
                return builder.build();
            });
        });
    }

    /** Requests on such graphs: mostly one source and target, {@code k} from 1 to 5, some with less residual, no siblings. */
    static Arbitrary<PathRequest.Builder> requests(int maxNodes) {
        return graphs(maxNodes).flatMap(graph -> Combinators.combine(
                        Arbitraries.randomValue(random -> terminals(graph, random)),
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.randomValue(random -> random.nextInt(3) == 0 ? residual(graph, random) : null).injectNull(0),
                        Arbitraries.longs())
                .as((ends, k, residual, flowKey) -> PathRequest.on(graph).from(ends.get1()).to(ends.get2()).k(k)
                        .residual(residual).flowKey(flowKey)));
    }

    private static Tuple.Tuple2<int[], int[]> terminals(Graph graph, Random random) {
        List<Integer> nodes = new ArrayList<>();
        for (int v = 0; v < graph.nodeCount(); v++) {
            nodes.add(v);
        }
        Collections.shuffle(nodes, random);
        boolean several = graph.nodeCount() > 4 && random.nextInt(4) == 0;
        int sources = several ? 2 : 1;
        int targets = several && random.nextBoolean() ? 2 : 1;
        return Tuple.of(first(nodes, 0, sources), first(nodes, sources, targets));
    }

    private static int[] first(List<Integer> nodes, int from, int count) {
        return nodes.subList(from, from + count).stream().mapToInt(Integer::intValue).toArray();
    }

    private static double[] residual(Graph graph, Random random) {
        double[] residual = graph.capacities();
        for (int arc = 0; arc < residual.length; arc++) {
            residual[arc] = Math.max(0, residual[arc] - random.nextInt(4));
        }
        return residual;
    }

    /** A random simple path between two random nodes, over links of any capacity; {@code null} if the walk is stuck. */
    static Path walk(Graph graph, Random random) {
        int node = random.nextInt(graph.nodeCount());
        Set<Integer> seen = new HashSet<>(Set.of(node));
        List<Integer> arcs = new ArrayList<>();
        for (int hop = random.nextInt(4); hop >= 0 && graph.degree(node) > 0; hop--) {
            int arc = graph.arcFrom(node, random.nextInt(graph.degree(node)));
            node = graph.head(arc);
            if (!seen.add(node)) {
                break;
            }
            arcs.add(arc);
        }
        return arcs.isEmpty() ? null : Path.of(graph, arcs.stream().mapToInt(Integer::intValue).toArray());
    }
}
