// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.subflows.AddressPair.Home;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Finds the addresses between which a connection may have further subflows: those of its first subflow, and further ones of
 * hosts with agents that are attached to other switches. Used by the control loop only.
 */
public final class AddressPairs {
    /** Most switches to which the addresses of one host are attached; further ones are left out. */
    private static final int MOST_HOMES = 4;

    private final HostAgents agents;
    private final Attachments attachments;
    private final NetworkView network;

    public AddressPairs(HostAgents agents, Attachments attachments, NetworkView network) {
        this.agents = checkNotNull(agents, "agents");
        this.attachments = checkNotNull(attachments, "attachments");
        this.network = checkNotNull(network, "network");
    }

    /**
     * Returns pairs of addresses whose ports are up, no two between the same switches. They come in the order in which they
     * should be tried: the first subflow's, then further addresses of the client, then those of the server. The server must
     * listen at these, which nobody knows before. The address of a server that denies joins there is left out.
     */
    List<AddressPair> of(Connection connection) {
        Subflow first = connection.first();
        FiveTuple tuple = first.tuple();
        // A router between two addresses may be another one between two others.
        boolean isDirect = attachments.isItself(tuple) && attachments.isItself(tuple.reversed());
        List<Home> clients = homes(tuple, first.ingress(), isDirect);
        List<Home> servers = homes(tuple.reversed(), first.egress(), isDirect);
        List<AddressPair> pairs = new ArrayList<>();
        for (Home server : servers) {
            if (connection.deniesJoins() && server.address.equals(tuple.destination())) {
                continue;
            }
            for (Home client : clients) {
                pairs.add(new AddressPair(client, server));
            }
        }
        return pairs;
    }

    private List<Home> homes(FiveTuple from, ConnectPoint port, boolean hasFurther) {
        List<Home> homes = new ArrayList<>();
        Set<DeviceId> seen = new HashSet<>();
        if (network.isUp(port)) {
            seen.add(port.deviceId());
            homes.add(new Home(from.source(), from.sourceHost(), port));
        }
        for (IpAddress further : hasFurther ? agents.addresses(from) : List.<IpAddress>of()) {
            if (further.version() == from.source().version() && !further.equals(from.source()) && homes.size() < MOST_HOMES) {
                attachments.home(further)
                        .filter(home -> network.isUp(home.location()) && !network.snapshot().isBetweenSwitches(point(home)))
                        .filter(home -> seen.add(home.location().deviceId()))
                        .ifPresent(home -> homes.add(new Home(further, home.id(), point(home))));
            }
        }
        return homes;
    }

    private static ConnectPoint point(Host host) {
        return new ConnectPoint(host.location().elementId(), host.location().port());
    }
}
