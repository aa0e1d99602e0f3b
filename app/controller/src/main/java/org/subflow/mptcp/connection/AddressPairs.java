// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.connection.AddressPair.Home;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Finds the addresses between which a connection may have further subflows: those of its first subflow, and further ones of
 * hosts with agents that are attached to other switches. Used by the control loop only.
 */
final class AddressPairs {
    /** Most switches to which the addresses of one host are attached; further ones are left out. */
    private static final int MOST_HOMES = 4;

    private final HostAgents agents;
    private final Attachments attachments;
    private final NetworkView network;

    AddressPairs(HostAgents agents, Attachments attachments, NetworkView network) {
        this.agents = checkNotNull(agents, "agents");
        this.attachments = checkNotNull(attachments, "attachments");
        this.network = checkNotNull(network, "network");
    }

    /**
     * Returns pairs of addresses whose ports are up, no two between the same switches. They come in the order in which they
     * should be tried: the first subflow's, then further addresses of the client, then those of the server. The server must
     * listen at these, which nobody knows before.
     */
    List<AddressPair> of(Connection connection) {
        Subflow first = connection.first();
        List<Home> clients = homes(first.tuple().source(), first.ingress());
        List<Home> servers = homes(first.tuple().destination(), first.egress());
        List<AddressPair> pairs = new ArrayList<>();
        for (Home server : servers) {
            for (Home client : clients) {
                pairs.add(new AddressPair(client, server));
            }
        }
        return pairs;
    }

    private List<Home> homes(IpAddress address, ConnectPoint port) {
        List<Home> homes = new ArrayList<>();
        Set<DeviceId> seen = new HashSet<>();
        if (network.isUp(port)) {
            seen.add(port.deviceId());
            homes.add(new Home(address, port));
        }
        for (IpAddress further : agents.addresses(address)) {
            if (further.version() == address.version() && !further.equals(address) && homes.size() < MOST_HOMES) {
                attachments.port(further)
                        .filter(at -> network.isUp(at) && !network.snapshot().isBetweenSwitches(at))
                        .filter(at -> seen.add(at.deviceId()))
                        .ifPresent(at -> homes.add(new Home(further, at)));
            }
        }
        return homes;
    }
}
