// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.Arrays;
import org.onlab.packet.IpAddress;

/** One client's connections to one port of a server. Immutable. */
final class Service {

    private final byte[] client;
    private final byte[] server;
    private final int port;
    private final int hash;

    /**
     * Names a service.
     *
     * @param client the client's IP address, 4 or 16 bytes that nobody changes
     * @param server the server's, of the same length
     * @param port the server's TCP port
     */
    Service(byte[] client, byte[] server, int port) {
        this.client = client;
        this.server = server;
        this.port = port;
        this.hash = 31 * (31 * Arrays.hashCode(client) + Arrays.hashCode(server)) + port;
    }

    /** {@return the client's address} */
    IpAddress client() {
        return address(client);
    }

    /** {@return the server's address} */
    IpAddress server() {
        return address(server);
    }

    /** {@return the server's TCP port} */
    int port() {
        return port;
    }

    private static IpAddress address(byte[] octets) {
        return IpAddress.valueOf(octets.length == 4 ? IpAddress.Version.INET : IpAddress.Version.INET6, octets);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Service && port == ((Service) other).port && Arrays.equals(client, ((Service) other).client)
                && Arrays.equals(server, ((Service) other).server);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return client() + " to port " + port + " of " + server();
    }
}
