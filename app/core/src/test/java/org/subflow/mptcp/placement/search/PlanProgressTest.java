// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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

/** The moves of a plan for two connections: "first" makes room on 1-2, then "second" takes it. */
class PlanProgressTest {
    private final Graph graph = graph(10e6);
    private final NetworkState begin = shared(NetworkState.empty(graph)
            .withConnections(List.of(on("first", graph, 0, 1, 2, 3), on("second", graph, 5, 7, 6))));
    private final PlanProgress progress = new PlanProgress(begin, BackgroundPlan.of(begin, "max-min", 10));

    @Test
    void theMovesComeInTheirOrder() {
        NetworkState now = begin;
        for (String expected : List.of("0-4-3", "5-1-2-6")) {
            assertTrue(progress.isUnderWay());
            PlacedConnection move = progress.next(now, "max-min").orElseThrow();
            assertEquals(expected, move.subflows().get(0).path().orElseThrow().toString());
            now = shared(now.with(move));
        }
        assertFalse(progress.isUnderWay());
        assertTrue(progress.next(now, "max-min").isEmpty());
    }

    @Test
    void otherSharesAndDemandsDoNotEndIt() {
        NetworkState later = NetworkState.of(graph(10e6), new double[graph.arcCount()], begin.connections());
        later = shared(later.with(later.connections().get(1).withDemand(Demand.of(7e6, 0))));
        assertTrue(progress.next(later, "max-min").isPresent());
    }

    @Test
    void anotherCapacityEndsIt() {
        NetworkState other = NetworkState.of(graph(9e6), new double[graph.arcCount()], begin.connections());
        assertTrue(progress.next(other, "max-min").isEmpty());
        assertTrue(progress.next(begin, "max-min").isEmpty(), "for good");
        assertFalse(progress.isUnderWay());
    }

    @Test
    void anotherConnectionEndsIt() {
        assertTrue(progress.next(shared(begin.with(on("third", graph, 0, 4))), "max-min").isEmpty());
    }

    @Test
    void anotherPathEndsIt() {
        assertTrue(progress.next(shared(begin.with(on("second", graph, 5, 1, 2, 6))), "max-min").isEmpty());
    }

    @Test
    void aMoveThatWouldLowerTheSmallestShareByNowEndsIt() {
        double[] traffic = new double[graph.arcCount()];
        traffic[graph.arcBetween(4, 3)] = 10e6;
        NetworkState busy = shared(NetworkState.of(graph, traffic, begin.connections()));
        assertTrue(progress.next(busy, "max-min").isEmpty());
    }

    private static Graph graph(double capacity) {
        return Graph.builder(8)
                .link(0, 1, capacity).link(1, 2, capacity).link(2, 3, capacity).link(0, 4, capacity).link(4, 3, capacity)
                .link(5, 1, capacity).link(2, 6, capacity).link(5, 7, 6e6).link(7, 6, 6e6).build();
    }

    private static NetworkState shared(NetworkState network) {
        return network.withConnections(new FairShares().of(network, "max-min"));
    }

    private static PlacedConnection on(String id, Graph graph, int... nodes) {
        PlacedSubflow subflow = PlacedSubflow.unplaced(nodes[0], nodes[nodes.length - 1], true, false, 0)
                .on(Role.OWN, Path.along(graph, nodes));
        return new PlacedConnection(id, Networks.terms(1, JoinPolicy.SHARE), Networks.UP, List.of(subflow));
    }
}
