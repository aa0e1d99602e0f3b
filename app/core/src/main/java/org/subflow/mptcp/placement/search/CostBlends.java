// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;

/**
 * Costs of arcs for one connection: blends of {@code LinkPrices}, load, residual bandwidth and hops.
 *
 * <p>No blend is the best on all networks. Prices know links that are full now, and not those that would be next; the load
 * knows these. Immutable.
 */
final class CostBlends {
    /** A blend, with what a hop costs. */
    enum Blend {
        /** Prices, whose mean is 1; hops decide between equally dear paths. */
        PRICES(0.01),
        /** Prices, and few hops. */
        PRICES_WITH_HOPS(0.1),
        /** Prices, and fewer hops. */
        PRICES_WITH_MORE_HOPS(0.5),
        /** The cube of the load, which is at most 1. */
        LOAD(0.05),
        /** The cube of the load, and few hops. */
        LOAD_WITH_HOPS(0.3),
        /** The reciprocal of the residual bandwidth. */
        RESIDUAL(0);

        private final double hop;

        Blend(double hop) {
            this.hop = hop;
        }

        private boolean needsPrices() {
            return this == PRICES || this == PRICES_WITH_HOPS || this == PRICES_WITH_MORE_HOPS;
        }
    }

    private static final double LOAD_STEPS = 64;

    private final NetworkState network;
    private final PlacedConnection connection;
    private final double[] residual;
    private final boolean fromClient;

    /**
     * Looks at a connection.
     *
     * @param network    the network
     * @param connection the connection; its own expected throughput there is no load
     * @param residual   bit/s by arc
     * @param fromClient whether the costs are for paths from the client, or from the server
     */
    CostBlends(NetworkState network, PlacedConnection connection, double[] residual, boolean fromClient) {
        this.network = network;
        this.connection = connection;
        this.residual = residual;
        this.fromClient = fromClient;
    }

    /**
     * Computes a blend.
     *
     * @param blend  the blend
     * @param prices asked only if the blend needs them: by arc, 0 or more
     * @return cost by arc, 0 or more
     */
    double[] of(Blend blend, Supplier<double[]> prices) {
        if (blend == Blend.RESIDUAL) {
            // An arc without residual bandwidth is not used, whatever it costs.
            return each(residual.length, arc -> residual[arc] > 0 ? 1 / residual[arc] : 0);
        }
        double hop = blend.hop;
        if (blend.needsPrices()) {
            double[] price = inUse(connection, prices.get(), fromClient);
            return each(price.length, arc -> price[arc] + hop);
        }
        double[] load = inUse(connection, load(network, connection.id()), fromClient);
        return each(load.length, arc -> load[arc] * load[arc] * load[arc] + hop);
    }

    /** Returns the sum of an arc's value and that of its reverse, of those directions in which the connection sends. */
    static double[] inUse(PlacedConnection connection, double[] ofArc, boolean fromClient) {
        boolean there = connection.demand().sends(fromClient);
        boolean back = connection.demand().sends(!fromClient);
        return each(ofArc.length, arc -> (there ? ofArc[arc] : 0) + (back ? ofArc[Graph.reverse(arc)] : 0));
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
