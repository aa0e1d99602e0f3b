// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.path.topology.FatTree;
import org.subflow.mptcp.path.topology.Gabriel;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.Waxman;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.rate.PlacementQuality;
import org.subflow.mptcp.placement.rate.SplittableFlow;
import org.subflow.mptcp.placement.search.Placement;
import org.subflow.mptcp.share.Allocators;

/**
 * Connections between uniformly drawn pairs of nodes of a topology, which send one way without limit. They are placed as
 * {@code ./lab plan} places them with the controller's defaults.
 */
public final class ConnectionSet {
    /** Name of the 8-ary fat tree, 10 Mbit/s a link; connections run between its edge switches. */
    public static final String FAT_TREE = "fattree8";

    /**
     * Names of the topologies that {@code ./lab bench network-wide} has; all but the first have capacities drawn from 5 to 50 Mbit/s. {@code waxman40} has the mean
     * degree of Sheu et al., 5, and {@code waxman40-3} that of maps and Gabriel graphs, 3.
     */
    static final List<String> TOPOLOGIES = List.of("os3e-10", "os3e", "cernet", "gabriel45", "waxman40", "waxman40-3");
    /** Subflows of a connection. */
    static final int SUBFLOWS = 3;

    /** The strategy that is compared with the default. */
    static final String BY_PRICES = "network-wide";

    private static final double MEGABIT = 1e6;
    private static final double LINK = 10 * MEGABIT;
    private static final int WAXMAN_NODES = 40;
    /** Give a mean degree of 3. */
    private static final double SPARSE_ALPHA = 0.15;
    private static final double SPARSE_BETA = 0.4;
    private static final int GABRIEL_NODES = 45;
    private static final int FAT_TREE_PORTS = 8;
    /** Sets of one seed and different sizes are different draws. */
    private static final long STRIDE = 1000;

    private final Topology topology;
    /** Nodes at which connections begin and end. */
    private final List<Integer> ends;
    private final int size;
    private final long seed;

    /**
     * Draws a set.
     *
     * @param name of {@link #TOPOLOGIES}, or {@link #FAT_TREE}; not null
     * @param size number of connections
     * @param seed of graph, capacities and pairs
     */
    public ConnectionSet(String name, int size, long seed) {
        this.topology = topology(name, seed);
        this.ends = IntStream.range(0, topology.graph().nodeCount())
                .filter(node -> !FAT_TREE.equals(name) || topology.name(node).startsWith("e")).boxed()
                .collect(Collectors.toList());
        this.size = size;
        this.seed = STRIDE * seed + size;
    }

    static Topology topology(String name, long seed) {
        Topology plain = switch (name) {
            case "os3e-10", "os3e" -> Topologies.os3e(LINK);
            case "cernet" -> Topologies.cernet(LINK);
            case FAT_TREE -> FatTree.of(FAT_TREE_PORTS, LINK);
            case "waxman40" -> Waxman.sheu(WAXMAN_NODES, LINK, seed);
            case "waxman40-3" -> Waxman.draw(WAXMAN_NODES, SPARSE_ALPHA, SPARSE_BETA, LINK, seed);
            default -> Gabriel.draw(GABRIEL_NODES, LINK, seed);
        };
        return hasDrawnCapacities(name) ? plain.withUniformCapacities(5 * MEGABIT, 50 * MEGABIT, seed) : plain;
    }

    static boolean hasDrawnCapacities(String name) {
        return !TOPOLOGIES.get(0).equals(name) && !FAT_TREE.equals(name);
    }

    /** Places the connections in the order drawn, moves them to better paths and compares with the bound. */
    NetworkWide.Result place() {
        Placement placement = arrivals(PathStrategies.names().get(0));
        SplittableFlow bound = SplittableFlow.of(placement.network());
        Disagreement.unless(bound.error() < 1e-6, "the bound has an error of " + bound.error());
        PlacementQuality first = PlacementQuality.of(placement.network(), bound);
        PlacementQuality byPrices = PlacementQuality.of(arrivals(BY_PRICES).network(), bound);
        long begun = System.nanoTime();
        int moves = placement.settle();
        double millis = (System.nanoTime() - begun) / 1e6;
        PlacementQuality settled = PlacementQuality.of(placement.network(), bound);
        return new NetworkWide.Result(first.sumFraction(), first.smallestFraction(), byPrices.sumFraction(),
                byPrices.smallestFraction(), settled.sumFraction(), settled.smallestFraction(), moves, millis);
    }

    /**
     * Places the connections in the order drawn; then their demands and shares are known.
     *
     * @param strategy name of the strategy of all of them; not null
     * @return the placement, before any move
     */
    public Placement arrivals(String strategy) {
        SplittableRandom random = new SplittableRandom(seed);
        Placement placement = new Placement(NetworkState.empty(topology.graph()).allowingOneWayLinks(),
                Allocators.standard().name(), Placement.LEAST_GAIN_PERCENT);
        PlacementTerms terms = PlacementTerms.of(strategy, SUBFLOWS, JoinPolicy.SHARE);
        int nodes = ends.size();
        for (int c = 0; c < size; c++) {
            int from = random.nextInt(nodes);
            int to = (from + 1 + random.nextInt(nodes - 1)) % nodes;
            open(placement, "c" + c, ends.get(from), ends.get(to), terms);
        }
        for (int c = 0; c < size; c++) {
            placement.setDemand("c" + c, Demand.of(Double.POSITIVE_INFINITY, 0));
        }
        placement.share();
        return placement;
    }

    /** The demand of a connection that begins is not known in either direction. */
    private static void open(Placement placement, String id, int from, int to, PlacementTerms terms) {
        placement.begin(id, terms, Demand.UNLIMITED);
        for (int i = 0; i < SUBFLOWS; i++) {
            placement.place(id, PlacedSubflow.unplaced(from, to, true, i > 0, id.hashCode() + (long) i));
            placement.share();
        }
    }
}
