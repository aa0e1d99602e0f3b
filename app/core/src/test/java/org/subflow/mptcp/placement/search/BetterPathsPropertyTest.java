// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.rate.FairShares;

/**
 * Connections on random networks, placed independently of each other, move to better paths. No move lowers the smallest
 * share, every move raises that or the product of all shares, and the moves end.
 */
class BetterPathsPropertyTest {
    private static final int MOST_ROUNDS = 20;
    private static final double ROUNDING = 1.1e-4;
    private static final int LEAST_PERCENT = 10;
    private static final double LEAST_RATIO = 1.1 * (1 - ROUNDING);

    private final FairShares shares = new FairShares();
    private final BetterPaths better = new BetterPaths();

    @Property(tries = 200)
    void everyMoveGainsAndTheMovesEnd(@ForAll Random random) {
        Graph graph = Networks.random(random);
        NetworkState network = shared(NetworkState.empty(graph).withConnections(strangers(graph, random)));
        boolean moved = true;
        int rounds = 0;
        while (moved) {
            moved = false;
            for (PlacedConnection connection : network.connections()) {
                Optional<PlacedConnection> target = better.of(network, connection.id(), "max-min", LEAST_PERCENT);
                if (target.isPresent()) {
                    NetworkState before = network;
                    network = shared(network.with(target.get()));
                    moved = true;
                    assertDisjoint(target.get());
                    double growth = Networks.smallest(network) / Networks.smallest(before);
                    double product = Math.exp(Networks.logarithms(network) - Networks.logarithms(before));
                    assertTrue(growth >= 1 - ROUNDING, () -> "the smallest share falls to " + growth + " of it");
                    assertTrue(growth >= LEAST_RATIO || product >= LEAST_RATIO, () -> "smallest " + growth + ", product "
                            + product + ": " + target.get());
                }
            }
            assertTrue(++rounds <= MOST_ROUNDS, "there is an end to it");
        }
    }

    @Property(tries = 100)
    void theSameArrivalsSettleInTheSameWay(@ForAll Random random) {
        Graph graph = Networks.random(random);
        long seed = random.nextLong();
        NetworkState once = settled(graph, new Random(seed));
        assertEquals(once.connections(), settled(graph, new Random(seed)).connections());
        double[] loads = new double[graph.arcCount()];
        for (PlacedConnection connection : once.connections()) {
            for (PlacedSubflow subflow : connection.subflows()) {
                for (int arc : subflow.arcs(true)) {
                    loads[arc] += subflow.expected().up();
                }
            }
        }
        for (int arc = 0; arc < loads.length; arc++) {
            assertTrue(loads[arc] <= graph.capacity(arc) * (1 + 1e-9), "no link is expected to carry more than it can");
        }
    }

    /** Where others want little and one wants all, the shortcut never hides a move that the search would make. */
    @Property(tries = 100)
    void whoIsAtItsBestHasNoMove(@ForAll Random random) {
        Graph graph = Networks.random(random);
        List<PlacedConnection> connections = strangers(graph, random);
        connections.replaceAll(one -> one.withDemand(random.nextInt(8) == 0 ? Networks.UP : Demand.of(random.nextInt(20) * 1e5, 0)));
        NetworkState network = shared(NetworkState.empty(graph).withConnections(connections));
        for (PlacedConnection connection : network.connections()) {
            boolean isAtItsBest = BetterPaths.isAtItsBest(network, connection, 1.1);
            Statistics.collect(isAtItsBest);
            if (isAtItsBest) {
                assertEquals(Optional.empty(), better.search(network, connection, "max-min", 1.1));
            }
        }
    }

    private static NetworkState settled(Graph graph, Random random) {
        Placement placement = Networks.on(graph);
        for (int n = 0; n < 5; n++) {
            int from = random.nextInt(graph.nodeCount());
            int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
            placement.open("c" + n, from, to, Networks.terms(3, JoinPolicy.SHARE), Networks.UP);
        }
        placement.settle();
        return placement.network();
    }

    private NetworkState shared(NetworkState network) {
        return network.withConnections(shares.of(network, "max-min"));
    }

    private static void assertDisjoint(PlacedConnection connection) {
        Set<Integer> links = new HashSet<>();
        for (PlacedSubflow subflow : connection.subflows()) {
            assertTrue(subflow.isPlaced());
            assertEquals(subflow.source(), subflow.path().get().source());
            assertEquals(subflow.target(), subflow.path().get().target());
            for (int arc : subflow.arcs(true)) {
                assertTrue(links.add(Graph.linkOf(arc)), () -> "disjoint: " + connection);
            }
        }
    }

    /** Places three to eight connections with two subflows, each as if it were alone. */
    private static List<PlacedConnection> strangers(Graph graph, Random random) {
        List<PlacedConnection> connections = new ArrayList<>();
        int count = 3 + random.nextInt(6);
        for (int n = 0; n < count; n++) {
            int from = random.nextInt(graph.nodeCount());
            int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
            Placement alone = Networks.on(graph);
            alone.open("c" + n, from, to, Networks.terms(2, JoinPolicy.SHARE), Networks.UP);
            connections.add(alone.network().connections().get(0));
        }
        return connections;
    }
}
