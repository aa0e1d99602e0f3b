// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.rate.FairShares;

/** Arrivals with the strategy {@code network-wide}, on random networks with other connections. */
class ArrivalPathsTest {
    private static final int SUBFLOWS = 3;
    private static final int OTHERS = 6;
    private static final int NETWORKS = 60;
    private static final double ROUNDING = 1.1e-4;
    private static final PathStrategy NETWORK_WIDE = PathStrategies.named("network-wide");

    @Property(tries = 200)
    void theSmallestShareIsNeverBelowThatOnTheDefaultsPaths(@ForAll Random random) {
        NetworkState network = network(random, "widest-disjoint", OTHERS);
        PlacedConnection newcomer = newcomer(network.graph(), random);
        for (Disjointness kind : NETWORK_WIDE.disjointness()) {
            List<Path> widest = widest(network, newcomer, kind);
            List<Path> chosen = ArrivalPaths.best(network, asking(kind, newcomer), 0, widest);

            double least = smallest(network, newcomer, chosen);
            double leastOfDefault = smallest(network, newcomer, widest);
            assertTrue(least >= leastOfDefault * (1 - ROUNDING), () -> least + " bit/s, the default's " + leastOfDefault);
        }
    }

    @Property(tries = 200)
    void noDisjointPathIsGivenUpAndTheWidestComesFirst(@ForAll Random random) {
        NetworkState network = network(random, "widest-disjoint", OTHERS);
        PlacedConnection newcomer = newcomer(network.graph(), random);
        for (Disjointness kind : NETWORK_WIDE.disjointness()) {
            List<Path> widest = widest(network, newcomer, kind);
            List<Path> chosen = ArrivalPaths.best(network, asking(kind, newcomer), 0, widest);

            assertEquals(widest.size(), chosen.size(), "as many paths as exist");
            assertTrue(chosen.size() < 2 || Disjointness.heldBy(network.graph(), chosen)
                    .contains(kind == Disjointness.NODE ? kind : Disjointness.LINK), () -> kind + ": " + chosen);
            for (int i = 1; i < chosen.size(); i++) {
                assertTrue(chosen.get(i - 1).residual() >= chosen.get(i).residual(), chosen::toString);
            }
        }
    }

    /** Its widest path is the other's only one, and there is another way. */
    @Example
    void aNewcomerLeavesAnotherItsPath() {
        Graph graph = Graph.builder(5).link(0, 1, 10e6).link(1, 4, 10e6).link(0, 2, 6e6).link(2, 4, 6e6).link(1, 3, 10e6).build();
        PlacedConnection other = new PlacedConnection("other", Networks.terms(1, JoinPolicy.SHARE), Networks.UP, List.of(
                PlacedSubflow.unplaced(0, 3, true, false, 1).on(PlacedSubflow.Role.OWN, Path.along(graph, 0, 1, 3))));
        NetworkState network = shared(NetworkState.empty(graph).withConnections(List.of(other)));
        PlacedConnection newcomer = new PlacedConnection("newcomer", PlacementTerms.of("network-wide", 1, JoinPolicy.SHARE),
                Networks.UP, List.of(PlacedSubflow.unplaced(0, 4, true, false, 0)));

        PlacedSubflow placed = PathPlacement.place(network, newcomer, 0);

        assertEquals(Path.along(graph, 0, 2, 4), placed.path().orElseThrow());
    }

    @Property(tries = 100)
    void theSameArrivalsGetTheSameDisjointPaths(@ForAll Random random) {
        long seed = random.nextLong();
        NetworkState once = network(new Random(seed), "network-wide", OTHERS);

        assertEquals(once.connections(), network(new Random(seed), "network-wide", OTHERS).connections());
        for (PlacedConnection connection : once.connections()) {
            Set<Integer> links = new HashSet<>();
            for (PlacedSubflow subflow : connection.subflows()) {
                assertTrue(subflow.isActive(), connection::toString);
                for (int arc : subflow.role() == PlacedSubflow.Role.OWN ? subflow.arcs(true) : new int[0]) {
                    assertTrue(links.add(Graph.linkOf(arc)), () -> "disjoint: " + connection);
                }
            }
        }
    }

    @Example
    void arrivalsLeaveMoreForAllThanTheDefaults() {
        double product = 0;
        double smallest = 0;
        for (int seed = 0; seed < NETWORKS; seed++) {
            NetworkState byPrices = network(new Random(seed), "network-wide", OTHERS);
            NetworkState byWidth = network(new Random(seed), "widest-disjoint", OTHERS);
            product += Networks.logarithms(byPrices) - Networks.logarithms(byWidth);
            smallest += Math.log(Networks.smallest(byPrices) / Networks.smallest(byWidth));
        }
        assertTrue(product > 0, "growth of the product of all shares, as a logarithm: " + product);
        assertTrue(smallest > 0, "growth of the smallest shares, as a logarithm: " + smallest);
    }

    @Example
    void withTooManyConnectionsTheDefaultsPathsAreTaken() {
        NetworkState some = crowd(100);
        NetworkState many = crowd(1000);
        PlacedConnection newcomer = newcomer(some.graph(), new Random(1));
        List<Path> own = own(some, newcomer);
        assertNotSame(own, ArrivalPaths.best(some, newcomer, 0, own), "compared");
        own = own(many, newcomer);
        assertSame(own, ArrivalPaths.best(many, newcomer, 0, own));
        assertEquals(PathPlacement.move(many, newcomer, 0).path(), PathPlacement.place(many, newcomer, 0).path());
    }

    private static List<Path> own(NetworkState network, PlacedConnection newcomer) {
        return PathPlacement.paths(network, newcomer, NETWORK_WIDE, 0);
    }

    private static List<Path> widest(NetworkState network, PlacedConnection newcomer, Disjointness kind) {
        return PathPlacement.paths(network, asking(kind, newcomer), PathStrategies.named("widest-disjoint"), 0);
    }

    private static PlacedConnection asking(Disjointness kind, PlacedConnection connection) {
        return new PlacedConnection(connection.id(), connection.terms().withOptions(request -> request.disjointness(kind)),
                connection.demand(), connection.subflows());
    }

    private static NetworkState shared(NetworkState network) {
        return network.withConnections(new FairShares().of(network, "max-min"));
    }

    /** Connections of one subflow each, in turn over the three ways of a diamond. */
    private static NetworkState crowd(int count) {
        Graph graph = Networks.diamond();
        List<PlacedConnection> connections = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            PlacedSubflow subflow = PlacedSubflow.unplaced(0, 4, true, false, n)
                    .on(PlacedSubflow.Role.OWN, Path.along(graph, 0, 1 + n % 3, 4));
            connections.add(new PlacedConnection("c" + n, Networks.terms(1, JoinPolicy.SHARE), Networks.UP, List.of(subflow)));
        }
        return NetworkState.empty(graph).withConnections(connections);
    }

    private static PlacedConnection newcomer(Graph graph, Random random) {
        int from = random.nextInt(graph.nodeCount());
        int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
        PlacementTerms terms = PlacementTerms.of("network-wide", SUBFLOWS, JoinPolicy.SHARE);
        return new PlacedConnection("newcomer", terms, Demand.UNLIMITED,
                List.of(PlacedSubflow.unplaced(from, to, true, false, 0)));
    }

    /** Returns the smallest rate of a direction in which a connection sends, bit/s, with the newcomer on these paths. */
    private static double smallest(NetworkState network, PlacedConnection newcomer, List<Path> paths) {
        PlacedConnection placed = newcomer.withSubflows(List.of());
        for (Path path : paths) {
            placed = placed.plus(newcomer.subflows().get(0).on(PlacedSubflow.Role.OWN, path));
        }
        double smallest = Double.POSITIVE_INFINITY;
        for (PlacedConnection connection : new FairShares().of(network.with(placed), "max-min")) {
            smallest = Math.min(smallest, connection.expected().up());
            smallest = connection.demand().down() > 0 ? Math.min(smallest, connection.expected().down()) : smallest;
        }
        return smallest;
    }

    private static NetworkState network(Random random, String strategy, int count) {
        Placement placement = Networks.on(Networks.random(random));
        Graph graph = placement.network().graph();
        PlacementTerms terms = PlacementTerms.of(strategy, SUBFLOWS, JoinPolicy.SHARE);
        for (int n = 0; n < count; n++) {
            int from = random.nextInt(graph.nodeCount());
            int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
            placement.open("c" + n, from, to, terms, Networks.UP);
        }
        return placement.network();
    }
}
