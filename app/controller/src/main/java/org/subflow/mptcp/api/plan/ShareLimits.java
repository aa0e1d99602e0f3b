// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.plan;

import static com.google.common.base.Preconditions.checkNotNull;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.EndedConnection;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.rate.Limitation;

/**
 * Why a connection is expected to get what it gets, in the direction with the larger expected throughput: the full links on its
 * paths, and why it has no further disjoint path. Worked out from what the services tell at one moment. Immutable.
 */
public final class ShareLimits {
    private final boolean upwards;
    private final boolean byDemand;
    private final List<FullLink> links;
    private final List<Link> cut;

    private ShareLimits(boolean upwards, boolean byDemand, List<FullLink> links, List<Link> cut) {
        this.upwards = upwards;
        this.byDemand = byDemand;
        this.links = ImmutableList.copyOf(links);
        this.cut = ImmutableList.copyOf(cut);
    }

    /** A full link on a path of the connection. Immutable. */
    public static final class FullLink {
        private final Link link;
        private final double capacity;
        private final List<ConnectionId> connections;
        private final double gain;

        FullLink(Link link, double capacity, List<ConnectionId> connections, double gain) {
            this.link = link;
            this.capacity = capacity;
            this.connections = ImmutableList.copyOf(connections);
            this.gain = gain;
        }

        /** Returns the link, in the direction that is full. */
        public Link link() {
            return link;
        }

        /** Returns its capacity in bit/s. */
        public double capacity() {
            return capacity;
        }

        /** Returns the connections that use it in this direction, oldest first. */
        public List<ConnectionId> connections() {
            return connections;
        }

        /** Returns how much more the connection would get if this link alone had 1 Mbit/s more, bit/s. */
        public double gain() {
            return gain;
        }
    }

    /**
     * Works them out, from the connections and links that the service tells now. It takes an allocation for each full link.
     *
     * @param mptcp     what there is; not null
     * @param allocator name of the allocator in force; not null
     * @param id        the connection; not null
     * @return why
     * @throws IllegalArgumentException if there is no such allocator
     * @throws IllegalStateException    if there is no such connection, or none of its subflows has a path between two switches
     */
    public static ShareLimits of(MptcpService mptcp, String allocator, ConnectionId id) {
        checkNotNull(allocator, "allocator");
        Optional<Connection> connection = mptcp.connection(checkNotNull(id, "id"));
        ToldNetwork network = ToldNetwork.of(mptcp);
        checkState(connection.isPresent() && network.has(id), "MPTCP connection %s has no path between two switches now", id);
        boolean upwards = connection.get().expected().up() >= connection.get().expected().down();
        Limitation limit = Limitation.of(network.state(), id.value(), upwards, allocator);
        List<FullLink> links = limit.links().stream().map(full -> new FullLink(network.link(full.arc()),
                network.state().graph().capacity(full.arc()),
                full.connections().stream().map(ConnectionId::of).collect(Collectors.toList()), full.gain()))
                .collect(Collectors.toList());
        return new ShareLimits(upwards, limit.isByDemand(), links,
                               Arrays.stream(limit.cut()).mapToObj(network::link).collect(Collectors.toList()));
    }

    /**
     * Returns what there is to say of a connection that has ended: it has no limits, and what it was expected to get last is kept.
     *
     * @param ended the connection; not null
     * @return the failure to throw in place of an answer
     */
    public static IllegalStateException ofEnded(EndedConnection ended) {
        Rates expected = ended.connection().expected();
        return new IllegalStateException(String.format(
                "MPTCP connection %s has ended, and nothing limits it now; it was last expected to get %s Mbit/s to the %s",
                ended.connection().id(), Mbps.rounded(expected.larger()), expected.up() >= expected.down() ? "server" : "client"));
    }

    /** Returns whether this is about what the client sends; else about what it gets. */
    public boolean isUpwards() {
        return upwards;
    }

    /** Returns whether the connection gets all that it demands, or all that its policy allows. */
    public boolean isByDemand() {
        return byDemand;
    }

    /** Returns the full links on its paths, path by path. */
    public List<FullLink> links() {
        return links;
    }

    /** Returns a minimum cut: links over which all its paths lead. No more paths than these can be disjoint by links. */
    public List<Link> cut() {
        return cut;
    }
}
