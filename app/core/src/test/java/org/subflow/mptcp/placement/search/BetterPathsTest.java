// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.rate.FairShares;

/** What a move to better paths is for: all connections together. */
class BetterPathsTest {
    private static final double ROUNDING = 1e3;

    private final FairShares shares = new FairShares();
    private final BetterPaths better = new BetterPaths();

    /** From 0 to 3 over 1, or the long way over 2 and 4. */
    private final Graph graph = Graph.builder(5)
            .link(0, 1, 10e6).link(1, 3, 10e6).link(0, 2, 10e6).link(2, 4, 10e6).link(4, 3, 10e6).build();

    @Test
    void aConnectionMovesToMakeRoomForAnother() {
        NetworkState network = shared(List.of(on("guest", 0, 1, 3), on("resident", 0, 1)));
        assertEquals(5e6, up(network, "resident"), ROUNDING);
        Optional<PlacedConnection> moved = better.of(network, "guest", "max-min", 10);
        assertEquals("0-2-4-3", moved.get().subflows().get(0).path().get().toString());
        NetworkState after = shared(List.of(moved.get(), network.connections().get(1)));
        assertEquals(10e6, up(after, "guest"), ROUNDING);
        assertEquals(10e6, up(after, "resident"), ROUNDING);
    }

    @Test
    void aGainForAllTogetherIsMeasuredAgainstTheThreshold() {
        NetworkState network = shared(List.of(on("guest", 0, 1, 3), on("resident", 0, 1)));
        assertTrue(better.of(network, "guest", "max-min", 99).isPresent(), "the smallest share doubles");
        assertFalse(better.of(network, "guest", "max-min", 400).isPresent(), "the product of all shares has 300 % more");
    }

    @Test
    void nobodyMovesAtTheCostOfTheSmallestShare() {
        // Each has a way of its own; on the other's, both would have half of it.
        NetworkState network = shared(List.of(on("guest", 0, 1, 3), on("resident", 0, 2, 4, 3)));
        assertFalse(better.of(network, "guest", "max-min", 10).isPresent());
        assertFalse(better.of(network, "resident", "max-min", 10).isPresent());
    }

    @Test
    void aStrategyThatPromisesItsPathsIsNotMovedByPrices() {
        NetworkState network = shared(List.of(with("shortest", "guest", 0, 1, 3), on("resident", 0, 1)));
        assertFalse(better.of(network, "guest", "max-min", 10).isPresent());
    }

    @Test
    void aBackupByItsHostsWishIsNotMovedToCarryMore() {
        PlacedConnection one = on("c", 0, 1, 3);
        PlacedSubflow backup = PlacedSubflow.unplaced(0, 3, true, true, 1).standingBy()
                .on(Role.OWN, Path.along(graph, 0, 2, 4, 3));
        assertEquals(Role.BACKUP, backup.role());
        NetworkState network = shared(List.of(one.plus(backup)));
        assertEquals(10e6, up(network, "c"), ROUNDING);
        assertFalse(better.of(network, "c", "max-min", 10).isPresent());
        PlacedSubflow byPolicy = PlacedSubflow.unplaced(0, 3, true, true, 1).on(Role.BACKUP, Path.along(graph, 0, 2, 4, 3));
        assertTrue(better.of(shared(List.of(one.plus(byPolicy))), "c", "max-min", 10).isPresent(), "a path is free for it");
    }

    private PlacedConnection on(String id, int... nodes) {
        return with("widest-disjoint", id, nodes);
    }

    private PlacedConnection with(String strategy, String id, int... nodes) {
        PlacedSubflow subflow = PlacedSubflow.unplaced(nodes[0], nodes[nodes.length - 1], true, false, 0)
                .on(Role.OWN, Path.along(graph, nodes));
        return new PlacedConnection(id, PlacementTerms.of(strategy, 1, JoinPolicy.SHARE), Networks.UP, List.of(subflow));
    }

    private NetworkState shared(List<PlacedConnection> connections) {
        NetworkState network = NetworkState.empty(graph).withConnections(connections);
        return network.withConnections(shares.of(network, "max-min"));
    }

    private static double up(NetworkState network, String id) {
        return network.connection(id).get().expected().up();
    }
}
