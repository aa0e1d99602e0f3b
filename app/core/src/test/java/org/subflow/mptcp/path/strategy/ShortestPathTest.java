// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;

class ShortestPathTest {
    private final PathStrategy shortest = PathStrategies.named("shortest");

    @Provide
    Arbitrary<PathRequest.Builder> requests() {
        return Networks.requests(12);
    }

    @Example
    void allSubflowsShareTheOnePath() {
        Graph graph = Graph.builder(3).link(0, 1, 5).link(1, 2, 5).link(0, 2, 1).build();

        PathSet answer = shortest.findPaths(PathRequest.on(graph).from(0).to(2).k(3).build());

        assertEquals(Collections.nCopies(3, Path.along(graph, 0, 2)), answer.paths());
        assertEquals(Disjointness.NONE, answer.disjointness());
    }

    /** The search from both ends must break ties like the textbook algorithm from one. */
    @Property(tries = 3000)
    void tiesAreBrokenAsByDijkstraWithNodesInTheOrderOfTheirIds(@ForAll("requests") PathRequest.Builder builder) {
        PathRequest request = builder.k(1).build();

        assertEquals(dijkstra(request), shortest.findPaths(request).paths());
    }

    /** Settles nodes by hops, then id; the first to reach a node is its parent. */
    private static List<Path> dijkstra(PathRequest request) {
        Graph graph = request.graph();
        int n = graph.nodeCount();
        int[] hops = new int[n];
        int[] via = new int[n];
        boolean[] settled = new boolean[n];
        Arrays.fill(hops, Integer.MAX_VALUE);
        for (int source : request.sources()) {
            hops[source] = 0;
            via[source] = -1;
        }
        for (int round = 0; round < n; round++) {
            int next = -1;
            for (int v = 0; v < n; v++) {
                if (!settled[v] && hops[v] < Integer.MAX_VALUE && (next < 0 || hops[v] < hops[next])) {
                    next = v;
                }
            }
            if (next < 0) {
                return List.of();
            }
            if (BruteForce.contains(request.targets(), next)) {
                return List.of(trace(graph, via, next, hops[next]));
            }
            settled[next] = true;
            for (int i = 0; i < graph.degree(next); i++) {
                int arc = graph.arcFrom(next, i);
                if (request.residual(arc) > 0 && hops[next] + 1 < hops[graph.head(arc)]) {
                    hops[graph.head(arc)] = hops[next] + 1;
                    via[graph.head(arc)] = arc;
                }
            }
        }
        return List.of();
    }

    private static Path trace(Graph graph, int[] via, int target, int length) {
        int[] arcs = new int[length];
        int node = target;
        for (int i = length - 1; i >= 0; i--) {
            arcs[i] = via[node];
            node = graph.tail(via[node]);
        }
        return Path.of(graph, arcs);
    }
}
