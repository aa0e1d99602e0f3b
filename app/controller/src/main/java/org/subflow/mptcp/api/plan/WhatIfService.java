// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.host.HostService;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;

/** Forecasts the paths and throughput of a connection that begins now, without any change. Thread-safe. */
public interface WhatIfService {
    /**
     * Computes a connection on the present network, next to the present connections, once for each strategy. All answers are about
     * one moment, so they can be compared.
     *
     * @param strategies names of path strategies, one at least; not null
     * @param subflows   how many subflows to expect, from 1 to 64; all other settings are those in force
     * @param first      its first subflow, without a path: addresses and attachment points of the hosts; not null
     * @return an answer for each strategy, in their order. The subflows' ports are invented. Each subflow has its path and its
     *         expected throughput at unlimited demand
     * @throws IllegalArgumentException if the number is none of these; the message says so
     * @throws IllegalStateException    if too many others wait
     */
    List<WhatIfAnswer> whatIf(List<String> strategies, int subflows, Subflow first);

    /**
     * Finds a host by what people call it.
     *
     * @param hosts knows the hosts; not null
     * @param text  one of its addresses, or its identifier; not null
     * @return the host
     * @throws IllegalArgumentException if the text is neither, or ONOS knows no such host or several; the message says so
     */
    static Host host(HostService hosts, String text) {
        boolean isId = text.contains("/");
        Set<Host> found;
        try {
            found = isId ? Optional.ofNullable(hosts.getHost(HostId.hostId(text))).map(Set::of).orElse(Set.of())
                    : hosts.getHostsByIp(IpAddress.valueOf(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is neither an address nor an id of a host; 'hosts' lists them", e);
        }
        checkArgument(found.size() == 1, "ONOS knows %s %s%s; 'hosts' lists them", found.isEmpty() ? "no host" : "several hosts",
                      isId ? "" : "with address ", text);
        return found.iterator().next();
    }

    /**
     * Makes a first subflow between addresses of two hosts, of the same IP version; its ports stand for any.
     *
     * @param client the host that would open the connection; not null
     * @param server the other host; not null
     * @return the subflow without a path
     * @throws IllegalArgumentException if they are one host, or ONOS knows no addresses of the same version; the message says
     *                                  so
     */
    static Subflow between(Host client, Host server) {
        checkArgument(!client.id().equals(server.id()), "client and server are the same host");
        for (IpAddress one : ImmutableSortedSet.copyOf(client.ipAddresses())) {
            for (IpAddress other : ImmutableSortedSet.copyOf(server.ipAddresses())) {
                if (one.version() == other.version()) {
                    return Subflow.unrouted(FiveTuple.of(one, 0, other, 0), true, false,
                                            new ConnectPoint(client.location().elementId(), client.location().port()),
                                            new ConnectPoint(server.location().elementId(), server.location().port()));
                }
            }
        }
        throw new IllegalArgumentException("ONOS knows no addresses of " + client.id() + " and " + server.id()
                                                   + " of the same IP version; it learns them when they talk");
    }
}
