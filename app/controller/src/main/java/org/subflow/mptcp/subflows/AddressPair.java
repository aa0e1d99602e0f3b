// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;

/** An address of a client and one of its server, with the switch ports to which these are attached. Immutable. */
final class AddressPair {
    private final Home client;
    private final Home server;

    /** An address, and where it is attached. Immutable. */
    static final class Home {
        final IpAddress address;
        final HostId host;
        final ConnectPoint port;

        Home(IpAddress address, HostId host, ConnectPoint port) {
            this.address = checkNotNull(address, "address");
            this.host = checkNotNull(host, "host");
            this.port = checkNotNull(port, "port");
        }
    }

    AddressPair(Home client, Home server) {
        this.client = checkNotNull(client, "client");
        this.server = checkNotNull(server, "server");
    }

    /** Returns where packets of the client enter the network. */
    ConnectPoint ingress() {
        return client.port;
    }

    /** Returns where packets to the server leave the network. */
    ConnectPoint egress() {
        return server.port;
    }

    /** Returns a five-tuple between these addresses, with the ports of another one. */
    FiveTuple with(FiveTuple ports) {
        return FiveTuple.of(client.address, ports.sourcePort(), server.address, ports.destinationPort())
                .between(client.host, server.host);
    }

    /** Returns whether a five-tuple is between these addresses. */
    boolean has(FiveTuple tuple) {
        return client.address.equals(tuple.source()) && server.address.equals(tuple.destination());
    }
}
