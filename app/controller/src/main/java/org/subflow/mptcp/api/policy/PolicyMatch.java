// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.MoreObjects;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Range;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.onlab.packet.IpPrefix;
import org.subflow.mptcp.api.FiveTuple;

/**
 * The connections that a {@link Policy} applies to, by prefixes of their hosts and by the server's TCP port.
 *
 * <p>An unset field matches every connection; all set fields must match. Addresses and ports are those of the connection's
 * first subflow. Immutable.
 */
public final class PolicyMatch {
    /** The smallest TCP port in a policy. */
    public static final int LEAST_PORT = 1;
    /** The greatest TCP port in a policy. */
    public static final int MOST_PORT = 0xffff;
    private static final ImmutableList<IpPrefix> ANY_ADDRESS =
            ImmutableList.of(IpPrefix.valueOf("0.0.0.0/0"), IpPrefix.valueOf("::/0"));
    private static final ImmutableList<Range<Integer>> ANY_PORT = ImmutableList.of(Range.closed(0, MOST_PORT));

    /** Matches every connection. */
    public static final PolicyMatch ANY = new PolicyMatch(List.of(), List.of(), List.of(), List.of());

    private final ImmutableList<IpPrefix> hosts;
    private final ImmutableList<IpPrefix> clients;
    private final ImmutableList<IpPrefix> servers;
    private final ImmutableList<Range<Integer>> ports;

    private PolicyMatch(Collection<IpPrefix> hosts, Collection<IpPrefix> clients, Collection<IpPrefix> servers,
                        Collection<Range<Integer>> ports) {
        this.hosts = hosts.isEmpty() ? ANY_ADDRESS : ImmutableList.copyOf(hosts);
        this.clients = clients.isEmpty() ? ANY_ADDRESS : ImmutableList.copyOf(clients);
        this.servers = servers.isEmpty() ? ANY_ADDRESS : ImmutableList.copyOf(servers);
        this.ports = ports.isEmpty() ? ANY_PORT : ImmutableList.copyOf(ports);
    }

    /**
     * Makes a match; an empty collection stands for "any".
     *
     * @param hosts   prefixes, one of which must contain the client or the server; not null
     * @param clients prefixes, one of which must contain the client, the host that opens the connection; not null
     * @param servers prefixes, one of which must contain the server; not null
     * @param ports   closed ranges, one of which must contain the server's port; not null
     * @return the match
     * @throws IllegalArgumentException if a range is not closed within 1 to 65535, or if clients and servers have no IP
     *                                  version in common
     */
    public static PolicyMatch of(Collection<IpPrefix> hosts, Collection<IpPrefix> clients,
                                 Collection<IpPrefix> servers, Collection<Range<Integer>> ports) {
        for (Range<Integer> range : ports) {
            checkArgument(Range.closed(LEAST_PORT, MOST_PORT).encloses(range),
                          "ports %s: TCP ports go from %s to %s", range, LEAST_PORT, MOST_PORT);
        }
        PolicyMatch match = new PolicyMatch(hosts, clients, servers, ports);
        checkArgument(anyPair(match.clients, match.servers, (client, server) -> client.version() == server.version())
                      && anyPair(match.hosts, match.clients, (host, client) -> host.version() == client.version())
                      && anyPair(match.hosts, match.servers, (host, server) -> host.version() == server.version()),
                      "clients, servers and hosts have no IP version in common: nothing would match");
        return match;
    }

    /** Returns the prefixes of which one must contain the client or the server; empty for any address. */
    public List<IpPrefix> hosts() {
        return hosts.equals(ANY_ADDRESS) ? ImmutableList.of() : hosts;
    }

    /** Returns the prefixes of which one must contain the client; empty for any address. */
    public List<IpPrefix> clients() {
        return clients.equals(ANY_ADDRESS) ? ImmutableList.of() : clients;
    }

    /** Returns the prefixes of which one must contain the server; empty for any address. */
    public List<IpPrefix> servers() {
        return servers.equals(ANY_ADDRESS) ? ImmutableList.of() : servers;
    }

    /** Returns the closed ranges of which one must contain the server's port; empty for any port. */
    public List<Range<Integer>> ports() {
        return ports.equals(ANY_PORT) ? ImmutableList.of() : ports;
    }

    /**
     * Returns whether a connection matches.
     *
     * @param tuple five-tuple of its first subflow, from client to server
     */
    public boolean matches(FiveTuple tuple) {
        return clients.stream().anyMatch(prefix -> prefix.contains(tuple.source()))
                && servers.stream().anyMatch(prefix -> prefix.contains(tuple.destination()))
                && hosts.stream().anyMatch(prefix -> prefix.contains(tuple.source())
                                                  || prefix.contains(tuple.destination()))
                && ports.stream().anyMatch(range -> range.contains(tuple.destinationPort()));
    }

    /**
     * Returns whether each field of the other match lies within the same field of this one. This match then includes the
     * other one.
     */
    public boolean covers(PolicyMatch other) {
        return eachWithin(other.hosts, hosts, (narrow, wide) -> wide.contains(narrow))
                && eachWithin(other.clients, clients, (narrow, wide) -> wide.contains(narrow))
                && eachWithin(other.servers, servers, (narrow, wide) -> wide.contains(narrow))
                && eachWithin(other.ports, ports, (narrow, wide) -> wide.encloses(narrow));
    }

    /**
     * Returns whether both match some connections and neither is more specific. In every field, both have a common prefix,
     * or port ranges that overlap with neither inside the other.
     */
    public boolean collidesWith(PolicyMatch other) {
        return anyPair(hosts, other.hosts, IpPrefix::equals)
                && anyPair(clients, other.clients, IpPrefix::equals)
                && anyPair(servers, other.servers, IpPrefix::equals)
                && anyPair(ports, other.ports, PolicyMatch::overlapEqually);
    }

    private static boolean overlapEqually(Range<Integer> one, Range<Integer> other) {
        boolean overlap = one.isConnected(other);
        return overlap && one.encloses(other) == other.encloses(one);
    }

    private static <T> boolean eachWithin(List<T> narrow, List<T> wide, BiPredicate<T, T> within) {
        return narrow.stream().allMatch(item -> wide.stream().anyMatch(around -> within.test(item, around)));
    }

    private static <T> boolean anyPair(List<T> some, List<T> others, BiPredicate<T, T> test) {
        return some.stream().anyMatch(one -> others.stream().anyMatch(other -> test.test(one, other)));
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof PolicyMatch)) {
            return false;
        }
        PolicyMatch that = (PolicyMatch) other;
        return hosts.equals(that.hosts)
                && clients.equals(that.clients)
                && servers.equals(that.servers)
                && ports.equals(that.ports);
    }

    @Override
    public int hashCode() {
        return Objects.hash(hosts, clients, servers, ports);
    }

    @Override
    public String toString() {
        return MoreObjects.toStringHelper(this).omitNullValues()
                .add("hosts", hosts.equals(ANY_ADDRESS) ? null : hosts)
                .add("clients", clients.equals(ANY_ADDRESS) ? null : clients)
                .add("servers", servers.equals(ANY_ADDRESS) ? null : servers)
                .add("ports", ports.equals(ANY_PORT) ? null : ports)
                .toString();
    }
}
