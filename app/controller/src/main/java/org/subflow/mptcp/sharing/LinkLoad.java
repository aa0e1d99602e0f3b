// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.NetworkSnapshot;

/** The expected load of subflows on links, from their paths and expected throughputs. Stateless. */
public final class LinkLoad {
    private LinkLoad() {
    }

    /**
     * Visits every directed link of a routed subflow, with the expected throughput there.
     *
     * @param subflow the subflow
     * @param visitor gets the link and the rate in bit/s
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

    /** Returns the bandwidth that a connection has to reserve: bit/s by egress port, summed over its subflows. */
    public static Map<ConnectPoint, Double> reservations(Connection connection) {
        Map<ConnectPoint, Double> ports = new HashMap<>();
        connection.subflows().forEach(subflow -> forEachLink(
                subflow, (link, rate) -> ports.merge(NetworkSnapshot.egressPort(link), rate, Double::sum)));
        return ImmutableMap.copyOf(ports);
    }
}
