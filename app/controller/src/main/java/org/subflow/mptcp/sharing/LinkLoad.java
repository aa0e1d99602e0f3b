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

/** What subflows are expected to put on links, from their paths and expected throughputs. Stateless. */
public final class LinkLoad {
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
}
