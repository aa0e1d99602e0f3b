// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.search.MaximumFlow;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.search.Placement;

class LimitationTest {
    @Test
    void linksThatAreFullWithWhoIsOnThemAndWhatMoreWouldBring() {
        // 0 — 1 — 3 has 10 and 4, 0 — 2 — 3 has 6 and 6. The second connection goes around, where more is to be had.
        Graph graph = Graph.builder(4).link(0, 1, 10e6).link(1, 3, 4e6).link(0, 2, 6e6).link(2, 3, 6e6).build();
        NetworkState network = placed(graph, "c1 0 3 2", "c2 1 3 1");

        Limitation first = Limitation.of(network, "c1", true, "max-min");
        assertFalse(first.isByDemand());
        assertEquals(Set.of("2: [c1] 1", "4: [c1, c2] 0", "6: [c1, c2] 0"), Set.copyOf(texts(first)),
                     "of two full links in a row, one alone brings nothing");
        Limitation second = Limitation.of(network, "c2", true, "max-min");
        assertEquals(List.of("4: [c1, c2] 0", "6: [c1, c2] 0"), texts(second));
        assertEquals(2, first.cut().length);
        assertEquals(2, second.cut().length, "1 — 3, and around");
    }

    @Test
    void whoGetsAllThatItDemandsIsLimitedByNoLink() {
        Graph graph = Graph.builder(2).link(0, 1, 10e6).build();
        Placement placement = new Placement(NetworkState.empty(graph), "max-min", Placement.LEAST_GAIN_PERCENT);
        placement.open("c1", 0, 1, PlacementTerms.of("widest-disjoint", 1, JoinPolicy.SHARE), Demand.of(3e6, 0));
        placement.settle();

        Limitation limit = Limitation.of(placement.network(), "c1", true, "max-min");
        assertTrue(limit.isByDemand());
        assertEquals(List.of(), limit.links());
        assertEquals(1, limit.cut().length);
    }

    /** On random networks: whoever wants more has a full link on each path; the cut is as large as the most disjoint paths. */
    @Test
    void whoWantsMoreHasAFullLinkOnEachPath() {
        SplittableRandom random = new SplittableRandom(38);
        for (int round = 0; round < 40; round++) {
            Graph graph = random(random);
            NetworkState network = placed(graph, "c1 0 7 3", "c2 1 6 2", "c3 2 7 3", "c4 0 5 1");
            for (PlacedConnection connection : network.connections()) {
                Limitation limit = Limitation.of(network, connection.id(), true, "max-min");
                connection.subflows().stream().filter(subflow -> subflow.isActive() && subflow.path().isPresent())
                        .forEach(subflow -> assertTrue(limit.links().stream()
                                .anyMatch(link -> contains(subflow.arcs(true), link.arc())), network.connections().toString()));
                limit.links().forEach(link -> assertTrue(link.connections().contains(connection.id())));
                assertEquals(unitFlow(graph, connection), limit.cut().length, network.connections().toString());
            }
        }
    }

    private static double unitFlow(Graph graph, PlacedConnection connection) {
        double[] units = new double[graph.arcCount()];
        Arrays.fill(units, 1);
        return MaximumFlow.value(graph, units, new int[] {connection.subflows().get(0).source()},
                                 new int[] {connection.subflows().get(0).target()});
    }

    private static boolean contains(int[] arcs, int arc) {
        return Arrays.stream(arcs).anyMatch(other -> other == arc);
    }

    private static Graph random(SplittableRandom random) {
        Graph.Builder builder = Graph.builder(8);
        for (int node = 0; node < 8; node++) {
            builder.link(node, (node + 1) % 8, (1 + random.nextInt(9)) * 1e6);
        }
        for (int extra = 0; extra < 8; extra++) {
            int from = random.nextInt(8);
            builder.link(from, (from + 2 + random.nextInt(4)) % 8, (1 + random.nextInt(9)) * 1e6);
        }
        return builder.build();
    }

    /** Places connections, each as "name source target subflows". */
    private static NetworkState placed(Graph graph, String... connections) {
        Placement placement = new Placement(NetworkState.empty(graph), "max-min", Placement.LEAST_GAIN_PERCENT);
        for (String text : connections) {
            String[] words = text.split(" ");
            placement.open(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2]),
                           PlacementTerms.of("widest-disjoint", Integer.parseInt(words[3]), JoinPolicy.BLOCK),
                           Demand.of(Double.POSITIVE_INFINITY, 0));
        }
        placement.share();
        return placement.network();
    }

    private static List<String> texts(Limitation limit) {
        return limit.links().stream().map(link -> link.arc() + ": " + link.connections() + " "
                + Math.round(link.gain() / 1e6)).collect(Collectors.toList());
    }
}
