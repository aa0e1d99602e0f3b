// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import org.subflow.mptcp.path.Path;

/**
 * Sets of disjoint paths that cost the other connections little, for {@link BetterPaths} to compare: the cheapest ones under
 * blends of {@link LinkPrices}, load, residual bandwidth and hops.
 *
 * <p>No blend is the best on all networks. Prices know links that are full now, and not those that would be next; the load
 * knows these. Only connections whose strategy has an alternative are asked about: other strategies promise which paths they
 * take. For one thread at a time.
 */
final class PricedPaths {
    /** What a hop costs beside prices, whose mean is 1. */
    private static final double[] HOP_BESIDE_PRICES = {0.01, 0.1, 0.5};
    /** What a hop costs beside the cube of the load, which is at most 1. */
    private static final double[] HOP_BESIDE_LOAD = {0.05, 0.3};

    private static final double LOAD_STEPS = 64;
    /** With more connections than this, prices and so many allocations would hold up a controller for too long. */
    private static final int MOST_CONNECTIONS = 256;

    private final LinkPrices prices = new LinkPrices();

    /**
     * Returns a connection on other paths.
     *
     * @param network    the network with all its connections, this one included
     * @param connection the connection
     * @return the connection with all its active subflows on each set of paths, without repetition; backups stay. None if
     *         there are more than 256 connections
     */
    List<PlacedConnection> of(NetworkState network, PlacedConnection connection) {
        boolean tooMany = network.connections().size() > MOST_CONNECTIONS;
        DisjointMoves moves = tooMany ? null : DisjointMoves.of(network, connection).orElse(null);
        if (moves == null) {
            return List.of();
        }
        double[] residual = ResidualBandwidth.of(network, connection.id());
        Map<Set<Path>, PlacedConnection> found = new LinkedHashMap<>();
        found.put(DisjointMoves.paths(connection), connection);
        for (double[] costs : costs(network, connection, residual)) {
            for (int count = moves.most(); count > 0 && count >= moves.most() - 1; count--) {
                moves.cheapest(count, residual, costs)
                        .ifPresent(moved -> found.putIfAbsent(DisjointMoves.paths(moved), moved));
            }
        }
        return new ArrayList<>(found.values()).subList(1, found.size());
    }

    /** Returns the blends: the cost of each arc in the direction of the connection's first active subflow. */
    private List<double[]> costs(NetworkState network, PlacedConnection connection, double[] residual) {
        double[] price = DisjointMoves.inUse(connection, prices.of(network));
        double[] load = DisjointMoves.inUse(connection, load(network, connection.id()));
        List<double[]> costs = new ArrayList<>();
        for (double hop : HOP_BESIDE_PRICES) {
            costs.add(each(price.length, arc -> price[arc] + hop));
        }
        for (double hop : HOP_BESIDE_LOAD) {
            costs.add(each(load.length, arc -> load[arc] * load[arc] * load[arc] + hop));
        }
        // An arc without residual bandwidth is not used, whatever it costs.
        costs.add(each(residual.length, arc -> residual[arc] > 0 ? 1 / residual[arc] : 0));
        return costs;
    }

    /** Returns what the other connections and other traffic send over each arc, as a part of its capacity. */
    private static double[] load(NetworkState network, String id) {
        double[] load = each(network.graph().arcCount(), network::otherTraffic);
        for (PlacedConnection other : network.connections()) {
            if (!other.id().equals(id)) {
                for (PlacedSubflow subflow : other.subflows()) {
                    add(load, subflow.arcs(true), subflow.expected().up());
                    add(load, subflow.arcs(false), subflow.expected().down());
                }
            }
        }
        return each(load.length, arc -> load[arc] == 0 ? 0
                : Math.min(1, Math.rint(LOAD_STEPS * load[arc] / network.graph().capacity(arc)) / LOAD_STEPS));
    }

    private static void add(double[] load, int[] arcs, double rate) {
        for (int arc : arcs) {
            load[arc] += rate;
        }
    }

    private static double[] each(int arcs, IntToDoubleFunction cost) {
        double[] costs = new double[arcs];
        Arrays.setAll(costs, cost);
        return costs;
    }
}
