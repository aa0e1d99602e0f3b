// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import com.google.common.collect.ImmutableMap;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.NetworkSnapshot;

/** What subflows hold of links, worked out from their paths and expected throughputs. Stateless. */
public final class LinkLoad {
    private static final int STEPS = 20;

    private LinkLoad() {
    }

    /**
     * Calls back for every directed link that a routed subflow uses, with what it is expected to send there.
     *
     * @param subflow the subflow
     * @param visitor gets the link and a rate in bit/s
     */
    public static void forEachLink(Subflow subflow, BiConsumer<Link, Double> visitor) {
        if (!subflow.isRouted()) {
            return;
        }
        double forward = subflow.fromClient() ? subflow.expected().up() : subflow.expected().down();
        double backward = subflow.fromClient() ? subflow.expected().down() : subflow.expected().up();
        subflow.path().forEach(link -> visitor.accept(link, forward));
        subflow.reversePath().forEach(link -> visitor.accept(link, backward));
    }

    /** Returns what a connection is to reserve: bit/s by egress port, summed over its subflows. */
    public static Map<ConnectPoint, Double> reservations(Connection connection) {
        Map<ConnectPoint, Double> ports = new HashMap<>();
        connection.subflows().forEach(subflow -> forEachLink(
                subflow, (link, rate) -> ports.merge(NetworkSnapshot.egressPort(link), rate, Double::sum)));
        return ImmutableMap.copyOf(ports);
    }

    /**
     * Returns what a newcomer finds on each arc: the larger of what is left of the capacity and what an equal part for
     * every connection there, other traffic and the newcomer would be, so that no link becomes unusable.
     *
     * <p>In steps of a twentieth of the capacity, as other traffic is told: what differs by less is the same, so that nobody
     * goes a long way round for rounding or for a link that is free of one silent connection more.
     *
     * @param network     the network
     * @param connections those that are on it
     * @param newcomer    the connection that asks; what it holds itself counts as free
     * @param others      what a directed link carries beside the connections' subflows, bit/s, at least 0
     * @return bit/s by arc; for each link the smaller of its two directions, as a subflow needs both
     */
    public static double[] residual(NetworkSnapshot network, Collection<Connection> connections,
                                    ConnectionId newcomer, ToDoubleFunction<Link> others) {
        int arcs = network.graph().arcCount();
        double[] left = network.graph().capacities();
        int[] users = new int[arcs];
        for (int arc = 0; arc < arcs; arc++) {
            double other = others.applyAsDouble(network.link(arc));
            left[arc] -= other;
            users[arc] += other > 0 ? 1 : 0;
        }
        for (Connection connection : connections) {
            if (connection.id().equals(newcomer)) {
                continue;
            }
            Set<Integer> used = new HashSet<>();
            connection.subflows().forEach(subflow -> forEachLink(subflow, (link, rate) -> {
                int arc = network.arc(link);
                if (arc >= 0) {
                    left[arc] -= rate;
                    used.add(arc);
                }
            }));
            used.forEach(arc -> users[arc]++);
        }
        double[] residual = new double[arcs];
        for (int arc = 0; arc < arcs; arc++) {
            double capacity = network.graph().capacity(arc);
            residual[arc] = inSteps(Math.max(left[arc], capacity / (users[arc] + 1)), capacity / STEPS);
        }
        for (int arc = 0; arc < arcs; arc += 2) {
            double both = Math.min(residual[arc], residual[arc + 1]);
            residual[arc] = both;
            residual[arc + 1] = both;
        }
        return residual;
    }

    /** The nearest step; a part of the first one stays, as no link becomes unusable. */
    private static double inSteps(double rate, double step) {
        return rate <= step ? rate : Math.rint(rate / step) * step;
    }
}
