// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostService;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Says whether the source of a packet is attached where the packet came in, as far as ONOS knows (source address validation,
 * RFC 7039). Anybody can write another host's addresses into a packet, but not send it from that host's port.
 *
 * <p>The frame's MAC address and VLAN must be those of a host at this port. Its IP address must be that host's, or nobody's:
 * then the host is a router to it. Another host's address is believed between two addresses that are {@link #note routed} on
 * the fabric: one of them sends to the other through a host that does not have its address. Even so, its frames are those of
 * another leg, and never touch the paths of the host that has the address. Constant time; thread-safe.
 */
public final class SourceValidation {
    /** What is known of a packet's source at a port. */
    public enum Verdict {
        /** It is attached there. */
        VALID,
        /** ONOS does not know its MAC address and VLAN. */
        UNKNOWN,
        /** It is attached elsewhere, or has just moved, or has another MAC address. */
        ELSEWHERE,
        /** The port leads to another switch, so any host's packets may come in there. */
        BETWEEN_SWITCHES
    }

    private static final int MOST_ROUTED = 10_000;
    private static final int ROUTED_MINUTES = 10;

    private final HostService hosts;
    private final LinkPorts linkPorts;
    /** Addresses of hosts on the fabric between which a router is. */
    private final Cache<Set<IpAddress>, Boolean> routed = CacheBuilder.newBuilder()
            .maximumSize(MOST_ROUTED)
            .expireAfterWrite(ROUTED_MINUTES, TimeUnit.MINUTES)
            .build();

    public SourceValidation(HostService hosts, LinkPorts linkPorts) {
        this.hosts = checkNotNull(hosts, "hosts");
        this.linkPorts = checkNotNull(linkPorts, "linkPorts");
    }

    /**
     * Judges a packet.
     *
     * @param tuple its addresses, and the hosts of its frame; not null
     * @param port  where it came in; not null
     */
    public Verdict verdict(FiveTuple tuple, ConnectPoint port) {
        if (linkPorts.contains(port)) {
            return Verdict.BETWEEN_SWITCHES;
        }
        Set<Host> owners = hosts.getHostsByIp(tuple.source());
        Host sender = Attachments.find(owners, tuple.sourceHost());
        if (sender == null && !owners.isEmpty() && !isRouted(tuple)) {
            return Verdict.ELSEWHERE;
        }
        if (sender == null) {
            sender = hosts.getHost(tuple.sourceHost());
        }
        if (sender == null) {
            return Verdict.UNKNOWN;
        }
        return isAt(sender, port) ? Verdict.VALID : Verdict.ELSEWHERE;
    }

    /**
     * Notes a packet whose source is valid. If its frame goes to a host that does not have its destination address, while others
     * have it, a router is between these addresses.
     *
     * @param tuple its addresses, and the hosts of its frame; not null
     * @return whether that is news: packets that were judged before may be valid now
     */
    public boolean note(FiveTuple tuple) {
        Set<Host> owners = hosts.getHostsByIp(tuple.destination());
        if (owners.isEmpty() || Attachments.find(owners, tuple.destinationHost()) != null) {
            return false;
        }
        return routed.asMap().put(Set.of(tuple.source(), tuple.destination()), true) == null;
    }

    private boolean isRouted(FiveTuple tuple) {
        return !tuple.source().equals(tuple.destination())
                && routed.getIfPresent(Set.of(tuple.source(), tuple.destination())) != null;
    }

    private static boolean isAt(Host host, ConnectPoint port) {
        // Asked for each copied segment: a stream costs as much as all the rest.
        for (HostLocation location : host.locations()) {
            if (location.elementId().equals(port.elementId()) && location.port().equals(port.port())) {
                return true;
            }
        }
        return false;
    }
}
