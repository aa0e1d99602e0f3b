// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.PathPlacement;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * ONOS's network and our connections as the placement core sees them, and the core's answers as paths of links.
 *
 * <p>Paths found once are remembered as long as the network stays the same. For one thread at a time.
 */
public final class NetworkModel {
    private final NetworkView network;
    private final Function<ConnectionId, Demand> demands;
    private final ToDoubleFunction<Link> others;
    private Translation translation;

    /**
     * Makes a model.
     *
     * @param network the network; not null
     * @param demands what connections would send; not null
     * @param others  what a directed link carries beside connections' subflows, bit/s, at least 0; not null
     */
    public NetworkModel(NetworkView network, Function<ConnectionId, Demand> demands, ToDoubleFunction<Link> others) {
        this.network = checkNotNull(network, "network");
        this.demands = checkNotNull(demands, "demands");
        this.others = checkNotNull(others, "others");
    }

    /** Returns the network as it is now, to be used for everything that belongs to one decision. */
    public Translation now() {
        NetworkSnapshot snapshot = network.snapshot();
        if (translation == null || translation.network() != snapshot) {
            translation = new Translation(snapshot, demands, others);
        }
        return translation;
    }

    /**
     * Chooses the path of a subflow that begins.
     *
     * @param connection its connection, with it or without; not null
     * @param subflow    the subflow; not null
     * @param live       all connections on the network; not null
     * @return the subflow on its path, or blocked by the JOIN policy, or down if nothing joins its hosts
     */
    public Subflow place(Connection connection, Subflow subflow, List<Connection> live) {
        Connection with = connection.subflow(subflow.tuple()).isPresent() ? connection : connection.withSubflow(subflow);
        int index = 0;
        while (!with.subflows().get(index).tuple().equals(subflow.tuple())) {
            index++;
        }
        Translation now = now();
        return now.subflow(subflow, PathPlacement.place(now.state(live), now.placed(with), index));
    }
}
