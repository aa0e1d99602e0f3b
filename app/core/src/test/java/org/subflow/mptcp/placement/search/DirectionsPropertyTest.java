// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jgrapht.alg.flow.PushRelabelMFImpl;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.strategy.BruteForce;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.rate.AttainableRates;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.placement.rate.PlacementQuality;
import org.subflow.mptcp.placement.rate.SplittableFlow;

/**
 * Links whose directions have capacities of their own. What counts is the direction in which a connection sends; both count as
 * long as that is unknown. Exhaustive search says which paths are the widest, a library's maximum flow what is attainable.
 */
class DirectionsPropertyTest {
    private static final double ROUNDING = 1e3;
    private static final Demand DOWN = Demand.of(0, Double.POSITIVE_INFINITY);
    private static final List<Demand> DEMANDS = List.of(Networks.UP, DOWN, Demand.UNLIMITED,
            Demand.of(Double.POSITIVE_INFINITY, 375e3).acknowledging(false),
            Demand.of(375e3, Double.POSITIVE_INFINITY).acknowledging(true));

    private final FairShares shares = new FairShares();

    @Property(tries = 300)
    void aNewConnectionHasAsManyPathsAsExistAndTheWidestOfThem(@ForAll Random random) {
        Graph graph = Networks.unequal(random, 7);
        int[] ends = ends(graph, random);
        int subflows = 1 + random.nextInt(3);
        for (Demand demand : DEMANDS) {
            Placement placement = Networks.on(graph);
            placement.open("c", ends[0], ends[1], Networks.terms(subflows, JoinPolicy.BLOCK), demand);
            assertWidest(graph, ends, subflows, placement.network().connections().get(0));
        }
    }

    @Property(tries = 300)
    void aSubflowThatTheServerOpensHasTheWidestPathToo(@ForAll Random random) {
        Graph graph = Networks.unequal(random, 7);
        int[] ends = ends(graph, random);
        for (Demand demand : DEMANDS) {
            PlacedConnection connection = new PlacedConnection("c", Networks.terms(1, JoinPolicy.BLOCK), demand,
                    List.of(PlacedSubflow.unplaced(ends[1], ends[0], false, false, 0)));
            PlacedSubflow placed = PathPlacement.place(NetworkState.empty(graph), connection, 0);
            assertWidest(graph, ends, 1, connection.with(0, placed));
        }
    }

    @Property(tries = 300)
    void aLostPathIsReplacedByTheWidest(@ForAll Random random) {
        Graph graph = Networks.unequal(random, 7);
        int[] ends = ends(graph, random);
        for (Demand demand : DEMANDS) {
            PlacedConnection lost = new PlacedConnection("c", Networks.terms(1, JoinPolicy.BLOCK), demand,
                    List.of(PlacedSubflow.unplaced(ends[0], ends[1], true, false, 0)));
            assertWidest(graph, ends, 1, Repair.repair(NetworkState.empty(graph).with(lost), lost, i -> true));
        }
    }

    @Property(tries = 300)
    void whateverPathAConnectionBeganOnItMovesToTheWidestAndNeverToANarrowerOne(@ForAll Random random) {
        Graph graph = Networks.unequal(random, 7);
        int[] ends = ends(graph, random);
        BetterPaths better = new BetterPaths();
        for (Demand demand : DEMANDS) {
            PlacedConnection begun = new PlacedConnection("c", Networks.terms(1, JoinPolicy.BLOCK), demand,
                    List.of(PlacedSubflow.unplaced(ends[0], ends[1], true, false, 0).on(Role.OWN, walk(graph, ends, random))));
            PlacedConnection now = shared(NetworkState.empty(graph).with(begun)).connections().get(0);
            PlacedConnection moved = better.of(NetworkState.empty(graph).with(now), "c", "max-min", Placement.LEAST_GAIN_PERCENT).orElse(now);
            if (demand.sends(true) && demand.sends(false)) {
                // Both shares count then: the smaller one first.
                assertTrue(width(graph, demand, moved) >= width(graph, demand, now));
            } else {
                assertWidest(graph, ends, 1, moved);
            }
        }
    }

    @Property(tries = 100)
    void planAndMovesOfSeveralNeverLowerTheSmallestShare(@ForAll Random random) {
        Graph graph = Networks.unequal(random, 8);
        Placement placement = Networks.on(graph);
        for (int c = 0; c < 5; c++) {
            int[] ends = ends(graph, random);
            placement.open("c" + c, ends[0], ends[1], Networks.terms(2, JoinPolicy.SHARE), DEMANDS.get(random.nextInt(5)));
        }
        double before = smallest(placement.network());
        placement.settle();
        assertTrue(smallest(placement.network()) >= before * (1 - 1e-3),
                () -> "from " + before + " to " + smallest(placement.network()));
        SplittableFlow best = SplittableFlow.of(placement.network());
        double fraction = PlacementQuality.of(placement.network(), best).smallestFraction();
        assertTrue(fraction <= 1 + 1e-6 && best.error() < 1e-6, () -> "smallest share " + fraction + ", error " + best.error());
    }

    @Property(tries = 200)
    void aloneAConnectionCouldAttainTheMaximumFlowOfItsDirection(@ForAll Random random) {
        Graph graph = Networks.unequal(random, 8);
        int[] ends = ends(graph, random);
        for (Demand demand : List.of(Networks.UP, DOWN)) {
            Placement placement = Networks.on(graph);
            placement.open("c", ends[0], ends[1], Networks.terms(2, JoinPolicy.SHARE), demand);
            AttainableRates attainable = new AttainableRates();
            attainable.now(placement.network());
            Rates best = SplittableFlow.of(placement.network()).rates(0);
            double up = demand.sends(true) ? maximumFlow(graph, ends[0], ends[1]) : 0;
            double down = demand.sends(false) ? maximumFlow(graph, ends[1], ends[0]) : 0;
            assertAlike(Rates.of(up, down), attainable.of(0).available());
            assertAlike(Rates.of(up, down), best);
            Rates expected = placement.network().connections().get(0).expected();
            Rates fair = attainable.of(0).fair();
            assertTrue(expected.larger() <= fair.larger() + ROUNDING && fair.larger() <= best.larger() + ROUNDING);
        }
    }

    private static void assertAlike(Rates expected, Rates actual) {
        assertEquals(expected.up(), actual.up(), ROUNDING);
        assertEquals(expected.down(), actual.down(), ROUNDING);
    }

    private NetworkState shared(NetworkState network) {
        return network.withConnections(shares.of(network, "max-min"));
    }

    private static int[] ends(Graph graph, Random random) {
        int from = random.nextInt(graph.nodeCount());
        return new int[] {from, (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount()};
    }

    /** Compares the disjoint paths of a connection from its client to its server with exhaustive search. */
    private static void assertWidest(Graph graph, int[] ends, int subflows, PlacedConnection connection) {
        PathRequest request = PathRequest.on(graph).from(ends[0]).to(ends[1]).k(subflows)
                .residual(widths(graph, connection.demand())).build();
        int most = BruteForce.mostPaths(request, Disjointness.LINK);
        assertEquals(most, connection.subflows().stream().filter(PlacedSubflow::isActive).count(), "paths");
        assertEquals(BruteForce.widestBottleneck(request, Disjointness.LINK, most),
                     width(graph, connection.demand(), connection), ROUNDING, () -> connection + ", " + connection.demand());
    }

    /** Returns the width of each arc for a connection from one end to the other, bit/s. */
    private static double[] widths(Graph graph, Demand demand) {
        double[] widths = new double[graph.arcCount()];
        for (int arc = 0; arc < widths.length; arc++) {
            widths[arc] = Math.min(demand.sends(true) ? graph.capacity(arc) : Double.POSITIVE_INFINITY,
                                   demand.sends(false) ? graph.capacity(Graph.reverse(arc)) : Double.POSITIVE_INFINITY);
        }
        return widths;
    }

    /** Returns the width of the narrowest path of a connection's active subflows, bit/s. */
    private static double width(Graph graph, Demand demand, PlacedConnection connection) {
        double[] widths = widths(graph, demand);
        return connection.subflows().stream().filter(PlacedSubflow::isActive)
                .flatMapToDouble(subflow -> Arrays.stream(subflow.arcs(true)).mapToDouble(arc -> widths[arc])).min().orElseThrow();
    }

    /** Returns a random path between two nodes. */
    private static Path walk(Graph graph, int[] ends, Random random) {
        while (true) {
            List<Integer> nodes = new ArrayList<>(List.of(ends[0]));
            int node = ends[0];
            while (node != ends[1]) {
                int next = graph.head(graph.arcFrom(node, random.nextInt(graph.degree(node))));
                if (nodes.contains(next)) {
                    break;
                }
                nodes.add(next);
                node = next;
            }
            if (node == ends[1]) {
                return Path.along(graph, nodes.stream().mapToInt(Integer::intValue).toArray());
            }
        }
    }

    /** Returns the smallest share of all directions that are below their demand. */
    private static double smallest(NetworkState network) {
        double smallest = Double.POSITIVE_INFINITY;
        for (PlacedConnection connection : network.connections()) {
            for (boolean upwards : new boolean[] {true, false}) {
                double rate = upwards ? connection.expected().up() : connection.expected().down();
                smallest = rate < connection.demand().of(upwards) * (1 - 1e-6) ? Math.min(smallest, rate) : smallest;
            }
        }
        return smallest;
    }

    private static double maximumFlow(Graph graph, int from, int to) {
        var mirror = new SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge>(DefaultWeightedEdge.class);
        for (int node = 0; node < graph.nodeCount(); node++) {
            mirror.addVertex(node);
        }
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            mirror.setEdgeWeight(mirror.addEdge(graph.tail(arc), graph.head(arc)), graph.capacity(arc));
        }
        return new PushRelabelMFImpl<>(mirror).calculateMaximumFlow(from, to);
    }
}
