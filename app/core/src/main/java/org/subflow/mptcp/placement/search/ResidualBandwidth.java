// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.ArcLoads;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;

/**
 * The residual bandwidth that a new subflow finds on each link.
 *
 * <p>It is the larger of two rates. One is the capacity less the expected throughputs of others and other traffic. The other
 * is an equal part of the capacity for each connection there, other traffic and the newcomer. So a full link stays usable.
 * A connection without an expected throughput there has begun just now: it and the newcomer have equal parts of what others leave.
 * Values are rounded to steps of a twentieth of the capacity. So rounding errors do not favour a path with more hops.
 *
 * <p>Both directions of a subflow follow the same links. The direction in which the connection sends counts, and of two such
 * directions the narrower one: what carries acknowledgements only makes no link narrower. Stateless.
 */
final class ResidualBandwidth {
    private static final int STEPS = 20;

    private ResidualBandwidth() {
    }

    /**
     * Computes the residual bandwidth.
     *
     * @param network    the network
     * @param newcomer   the connection that asks; its own expected throughput counts as free
     * @param fromClient whether paths lead from the connection's client to its server, or back
     * @return bit/s by arc of such a path; 0 if the link cannot be used ({@link NetworkState#isUsable})
     */
    static double[] of(NetworkState network, PlacedConnection newcomer, boolean fromClient) {
        Graph graph = network.graph();
        ArcLoads others = network.loadsWithout(newcomer.id());
        double[] residual = new double[graph.arcCount()];
        for (int arc = 0; arc < residual.length; arc++) {
            double capacity = graph.capacity(arc);
            double other = network.otherTraffic(arc);
            double unused = capacity - other - others.expected(arc);
            int users = others.users(arc) + (other > 0 ? 1 : 0);
            residual[arc] = inSteps(Math.max(unused / (others.begun(arc) + 1), capacity / (users + 1)), capacity / STEPS);
        }
        boolean along = newcomer.demand().sends(fromClient);
        boolean back = newcomer.demand().sends(!fromClient);
        // Of a connection without any demand nothing is known.
        return along == back ? ofDirections(network, residual, true, true) : ofDirections(network, residual, along, back);
    }

    /** Returns of each arc the smaller residual of those of its directions in which the connection sends. */
    private static double[] ofDirections(NetworkState network, double[] residual, boolean along, boolean back) {
        double[] width = new double[residual.length];
        for (int arc = 0; arc < width.length; arc++) {
            if (network.isUsable(arc)) {
                boolean isOneWay = network.graph().capacity(Graph.reverse(arc)) == 0;
                double there = along || isOneWay ? residual[arc] : Double.POSITIVE_INFINITY;
                double reverse = back && !isOneWay ? residual[Graph.reverse(arc)] : Double.POSITIVE_INFINITY;
                width[arc] = Math.min(there, reverse);
            }
        }
        return width;
    }

    /** Returns the nearest step. A rate below the first step stays as it is, because no link may become unusable. */
    private static double inSteps(double rate, double step) {
        return rate <= step ? rate : Math.rint(rate / step) * step;
    }
}
