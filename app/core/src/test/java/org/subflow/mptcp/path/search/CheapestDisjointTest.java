// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;

/** Disjoint paths with the smallest cost, beside all pairs of paths of small graphs. */
class CheapestDisjointTest {
    private static final int GRAPHS = 60;
    private static final int NODES = 6;
    private static final double ROUNDING = 1e-6;

    @Test
    void twoLinkDisjointPathsAreTheCheapestPair() {
        checkAll(Disjointness.LINK);
    }

    @Test
    void twoNodeDisjointPathsAreTheCheapestPair() {
        checkAll(Disjointness.NODE);
    }

    @Test
    void pricesChooseThePathAndHopsDecideTies() {
        Graph graph = Graph.builder(4).link(0, 1, 1).link(1, 3, 1).link(0, 3, 1).link(0, 2, 1).link(2, 3, 1).build();
        PathRequest request = PathRequest.on(graph).from(0).to(3).build();
        assertEquals("0-3", CheapestDisjoint.find(request, Disjointness.LINK, new double[graph.arcCount()]).get(0).toString());
        double[] prices = new double[graph.arcCount()];
        prices[graph.arcBetween(0, 3)] = 5;
        prices[graph.arcBetween(1, 3)] = 1;
        assertEquals("0-2-3", CheapestDisjoint.find(request, Disjointness.LINK, prices).get(0).toString());
    }

    @Test
    void hasNoPathWhereThereIsNone() {
        Graph graph = Graph.builder(3).link(0, 1, 1).link(1, 2, 0).build();
        PathRequest request = PathRequest.on(graph).from(0).to(2).k(2).build();
        assertTrue(CheapestDisjoint.find(request, Disjointness.NODE, new double[graph.arcCount()]).isEmpty());
    }

    private static void checkAll(Disjointness kind) {
        int pairs = 0;
        for (int seed = 0; seed < GRAPHS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Graph graph = draw(random);
            double[] prices = random.doubles(graph.arcCount()).toArray();
            PathRequest request = PathRequest.on(graph).from(0).to(NODES - 1).k(2).build();
            List<Path> found = CheapestDisjoint.find(request, kind, prices);
            double best = cheapestPair(graph, kind, prices);
            if (best < Double.POSITIVE_INFINITY) {
                pairs++;
                assertEquals(2, found.size(), "seed " + seed);
                assertTrue(areDisjoint(found.get(0), found.get(1), kind), "seed " + seed);
                assertEquals(best, cost(found.get(0), prices) + cost(found.get(1), prices), ROUNDING, "seed " + seed);
            } else {
                assertTrue(found.size() < 2, "seed " + seed);
            }
        }
        assertTrue(pairs > GRAPHS / 4, "only " + pairs + " graphs have two paths");
    }

    private static Graph draw(SplittableRandom random) {
        Graph.Builder graph = Graph.builder(NODES);
        for (int a = 0; a < NODES; a++) {
            for (int b = a + 1; b < NODES; b++) {
                if (random.nextInt(2) == 0) {
                    graph.link(a, b, 1);
                }
            }
        }
        return graph.build();
    }

    private static double cheapestPair(Graph graph, Disjointness kind, double[] prices) {
        List<Path> all = new ArrayList<>();
        extend(graph, new ArrayList<>(List.of(0)), all);
        double best = Double.POSITIVE_INFINITY;
        for (Path one : all) {
            for (Path other : all) {
                if (one != other && areDisjoint(one, other, kind)) {
                    best = Math.min(best, cost(one, prices) + cost(other, prices));
                }
            }
        }
        return best;
    }

    private static void extend(Graph graph, List<Integer> nodes, List<Path> paths) {
        int last = nodes.get(nodes.size() - 1);
        if (last == NODES - 1) {
            paths.add(Path.along(graph, nodes.stream().mapToInt(n -> n).toArray()));
            return;
        }
        for (int i = 0; i < graph.degree(last); i++) {
            int next = graph.head(graph.arcFrom(last, i));
            if (!nodes.contains(next)) {
                nodes.add(next);
                extend(graph, nodes, paths);
                nodes.remove(nodes.size() - 1);
            }
        }
    }

    private static boolean areDisjoint(Path one, Path other, Disjointness kind) {
        Set<Integer> used = new HashSet<>();
        for (Path path : List.of(one, other)) {
            for (int i = 0; i < path.hops(); i++) {
                if (!used.add(Graph.linkOf(path.arc(i)))) {
                    return false;
                }
            }
            for (int i = 1; i < path.hops() && kind == Disjointness.NODE; i++) {
                if (!used.add(-1 - path.node(i))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static double cost(Path path, double[] prices) {
        double sum = 0;
        for (int arc : path.arcs()) {
            sum += prices[arc];
        }
        return sum;
    }
}
