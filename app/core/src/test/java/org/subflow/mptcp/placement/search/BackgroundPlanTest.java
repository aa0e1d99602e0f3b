// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.rate.FairShares;

/** What a plan for all connections finds beside moves of single ones. */
class BackgroundPlanTest {
    private static final double ROUNDING = 1e3;

    /**
     * "first" goes from 0 to 3 over 1 and 2, or over 4. "second" goes from 5 to 6 over 1 and 2, or over 7 with 6 Mbit/s. Back,
     * from 1 to 0 and from 3 to 2, the links are narrow: otherwise "second" would take them, where "first" sends nothing.
     */
    private final Graph graph = Graph.builder(8)
            .link(0, 1, 10e6, 1e6).link(1, 2, 10e6).link(2, 3, 10e6, 1e6).link(0, 4, 10e6).link(4, 3, 10e6)
            .link(5, 1, 10e6).link(2, 6, 10e6).link(5, 7, 6e6).link(7, 6, 6e6).build();

    @Test
    void twoConnectionsMoveWhereOnlyThatGains() {
        NetworkState network = shared(Networks.UP, Networks.UP);
        BetterPaths alone = new BetterPaths();
        assertTrue(alone.of(network, "first", "max-min", 10).isEmpty());
        assertTrue(alone.of(network, "second", "max-min", 10).isEmpty());

        BackgroundPlan plan = BackgroundPlan.of(network, "max-min", 10);

        assertEquals(List.of("first 0-4-3", "second 5-1-2-6"), moves(plan));
        assertEquals(10e6, plan.network().connection("second").orElseThrow().expected().up(), ROUNDING);
    }

    @Test
    void aGainOfAllTogetherIsMeasuredAgainstTheThreshold() {
        NetworkState network = shared(Networks.UP, Networks.UP);
        assertEquals(2, BackgroundPlan.of(network, "max-min", 66).moves().size(), "6 Mbit/s become 10");
        BackgroundPlan none = BackgroundPlan.of(network, "max-min", 67);
        assertEquals(List.of(), none.moves());
        assertEquals(network, none.network());
    }

    /** Each has 7 Mbit/s where it is, and 10 where the other is. But whoever moves first halves the other's link. */
    @Test
    void twoThatWouldHaveToMoveAtTheSameTimeStay() {
        Graph crossed = Graph.builder(8)
                .link(1, 2, 10e6).link(3, 4, 10e6).link(2, 5, 10e6).link(4, 5, 10e6).link(2, 7, 10e6).link(4, 7, 10e6)
                .link(0, 1, 7e6).link(0, 3, 10e6).link(6, 3, 7e6).link(6, 1, 10e6).build();
        NetworkState network = shared(crossed, List.of(on(crossed, "first", Networks.UP, 0, 1, 2, 5),
                                                       on(crossed, "second", Networks.UP, 6, 3, 4, 7)));
        NetworkState swapped = shared(crossed, List.of(on(crossed, "first", Networks.UP, 0, 3, 4, 5),
                                                       on(crossed, "second", Networks.UP, 6, 1, 2, 7)));
        assertEquals(7e6, network.connections().get(0).expected().up(), ROUNDING);
        assertEquals(10e6, swapped.connections().get(0).expected().up(), ROUNDING);
        assertEquals(List.of(), moves(BackgroundPlan.of(network, "max-min", 10)));
    }

    @Test
    void aSilentConnectionNeitherMovesNorIsMovedFor() {
        Demand silent = Demand.of(Demand.FLOOR, 0);
        assertEquals(List.of(), moves(BackgroundPlan.of(shared(silent, Networks.UP), "max-min", 10)).stream()
                .filter(move -> move.startsWith("first")).collect(Collectors.toList()));
        assertEquals(List.of(), moves(BackgroundPlan.of(shared(Networks.UP, silent), "max-min", 10)));
    }

    @Test
    void largeNetworksHaveNoPlan() {
        List<PlacedConnection> many = new ArrayList<>(shared(Networks.UP, Networks.UP).connections());
        for (int i = 0; i < 127; i++) {
            many.add(on("more" + i, Networks.UP, 0, 1));
        }
        assertEquals(List.of(), moves(BackgroundPlan.of(shared(many), "max-min", 10)));
    }

    @Test
    void settlingMakesTheMoves() {
        Placement placement = new Placement(shared(Networks.UP, Networks.UP), "max-min", Placement.LEAST_GAIN_PERCENT);
        assertEquals(0, placement.settleOneByOne());
        assertEquals(2, placement.settle());
        placement.network().connections().forEach(
                connection -> assertEquals(10e6, connection.expected().up(), ROUNDING, connection.id()));
    }

    private static List<String> moves(BackgroundPlan plan) {
        return plan.moves().stream().map(move -> move.id() + " " + move.subflows().get(0).path().orElseThrow())
                .collect(Collectors.toList());
    }

    private NetworkState shared(Demand first, Demand second) {
        return shared(List.of(on("first", first, 0, 1, 2, 3), on("second", second, 5, 7, 6)));
    }

    private NetworkState shared(List<PlacedConnection> connections) {
        return shared(graph, connections);
    }

    private static NetworkState shared(Graph graph, List<PlacedConnection> connections) {
        NetworkState network = NetworkState.empty(graph).withConnections(connections);
        return network.withConnections(new FairShares().of(network, "max-min"));
    }

    private PlacedConnection on(String id, Demand demand, int... nodes) {
        return on(graph, id, demand, nodes);
    }

    private static PlacedConnection on(Graph graph, String id, Demand demand, int... nodes) {
        PlacedSubflow subflow = PlacedSubflow.unplaced(nodes[0], nodes[nodes.length - 1], true, false, 0)
                .on(Role.OWN, Path.along(graph, nodes));
        return new PlacedConnection(id, Networks.terms(1, JoinPolicy.SHARE), demand, List.of(subflow));
    }
}
