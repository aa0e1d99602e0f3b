// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.text;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;

/**
 * What tells the legs of a connection through a router apart: they have the same addresses, ports and tokens, and other hosts.
 */
public final class Legs {
    private final Function<HostId, Host> hosts;

    /**
     * Makes texts about legs.
     *
     * @param hosts the hosts that ONOS knows; null for one that it does not know
     */
    public Legs(Function<HostId, Host> hosts) {
        this.hosts = hosts;
    }

    /** Returns the other legs of a connection among all. */
    public static List<Connection> others(Connection connection, List<Connection> all) {
        return all.stream()
                .filter(other -> !other.id().equals(connection.id()) && other.clientToken().equals(connection.clientToken())
                        && other.serverToken().equals(connection.serverToken())
                        && text(other.first().tuple()).equals(text(connection.first().tuple())))
                .collect(Collectors.toList());
    }

    private static String text(FiveTuple tuple) {
        return tuple.sourceText() + " " + tuple.destinationText();
    }

    /**
     * Returns the hosts of a connection's frames; a dash if no frame has shown them.
     *
     * @param name writes a host
     */
    public static String hosts(FiveTuple tuple, Function<HostId, String> name) {
        return tuple.sourceHost().equals(HostId.NONE) && tuple.destinationHost().equals(HostId.NONE) ? "-"
                : name.apply(tuple.sourceHost()) + " > " + name.apply(tuple.destinationHost());
    }

    /** Returns {@code client > router 10.0.255.254}; empty unless ONOS knows one of its hosts to be a router. */
    public String text(Connection connection) {
        FiveTuple tuple = connection.first().tuple();
        String from = router(tuple.sourceHost(), tuple.source());
        String to = router(tuple.destinationHost(), tuple.destination());
        return from.isEmpty() && to.isEmpty() ? ""
                : (from.isEmpty() ? "client" : from) + " > " + (to.isEmpty() ? "server" : to);
    }

    /** Returns a text about a host that has addresses, but not this one; empty for another. */
    private String router(HostId id, IpAddress address) {
        Host host = id.equals(HostId.NONE) ? null : hosts.apply(id);
        return host == null || host.ipAddresses().isEmpty() || host.ipAddresses().contains(address) ? ""
                : "router " + host.ipAddresses().stream().sorted().findFirst().map(IpAddress::toString).orElse("");
    }
}
