// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import java.util.Set;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostService;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Finds where the two ends of a five-tuple are attached to the network. The frame decides: an end is the host with the MAC
 * address and VLAN of the frames, perhaps a router, whoever has the IP address. Only if nobody has seen a frame is it the one
 * host that has the address. Thread-safe.
 */
public final class Attachments {
    /** The reason why an end's connections cannot get managed paths. */
    public enum Obstacle {
        /** ONOS knows no host with the MAC address and VLAN of the frames, or not exactly one with the IP address. */
        UNKNOWN("ONOS knows no such host"),
        /** The host is attached at several switch ports. */
        SEVERAL_POINTS("the host is attached at several points");

        private final String text;

        Obstacle(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final HostService hosts;

    /**
     * Makes a finder.
     *
     * @param hosts ONOS's host service; not null
     */
    public Attachments(HostService hosts) {
        this.hosts = checkNotNull(hosts, "hosts");
    }

    /** Returns the reason why connections from a five-tuple's source cannot be managed; empty if they can. */
    public Optional<Obstacle> obstacle(FiveTuple tuple) {
        Host host = source(tuple);
        if (host == null) {
            return Optional.of(Obstacle.UNKNOWN);
        }
        return host.locations().size() == 1 ? Optional.empty() : Optional.of(Obstacle.SEVERAL_POINTS);
    }

    /** Finds the host that sends a five-tuple's frames; empty if there is an {@link #obstacle}. */
    public Optional<Host> host(FiveTuple tuple) {
        return Optional.ofNullable(source(tuple)).filter(host -> host.locations().size() == 1);
    }

    /** Finds the switch port of a five-tuple's source; empty if there is an {@link #obstacle}. */
    public Optional<ConnectPoint> port(FiveTuple tuple) {
        return host(tuple).map(host -> point(host.location()));
    }

    /** Finds a switch port of a five-tuple's source, the newest of several; empty if ONOS does not know it. */
    public Optional<ConnectPoint> anyPort(FiveTuple tuple) {
        return Optional.ofNullable(source(tuple)).map(host -> point(host.location()));
    }

    /** Finds the one host that has an address; empty if there are several, or if it is attached at several switch ports. */
    public Optional<Host> home(IpAddress address) {
        return Optional.ofNullable(owner(address)).filter(host -> host.locations().size() == 1);
    }

    /**
     * Returns a five-tuple with its hosts. Where these are not known, each is the one host that has the address.
     *
     * @param tuple the five-tuple, with hosts or without; not null
     * @return it with both; empty if not exactly one host has an address
     */
    public Optional<FiveTuple> withHosts(FiveTuple tuple) {
        Host from = source(tuple);
        Host to = source(tuple.reversed());
        return from == null || to == null ? Optional.empty() : Optional.of(tuple.between(from.id(), to.id()));
    }

    /**
     * Returns whether a five-tuple's source sends its frames itself, as far as ONOS knows: nobody else has its address. If
     * not, a router on the fabric sends them, and the source has a leg of its own there.
     */
    public boolean isItself(FiveTuple tuple) {
        Set<Host> owners = hosts.getHostsByIp(tuple.source());
        return owners.isEmpty() || tuple.sourceHost().equals(HostId.NONE) || find(owners, tuple.sourceHost()) != null;
    }

    /** Returns the host of this name among others; null if it is not there. */
    static Host find(Set<Host> hosts, HostId id) {
        for (Host host : hosts) {
            if (host.id().equals(id)) {
                return host;
            }
        }
        return null;
    }

    /**
     * Returns the host that sends a five-tuple's frames; null if ONOS does not know it. Mostly it has the address: ONOS finds hosts
     * by address in its own memory, while a host that it does not know costs a question to its cluster.
     */
    private Host source(FiveTuple tuple) {
        if (tuple.sourceHost().equals(HostId.NONE)) {
            return owner(tuple.source());
        }
        Host itself = find(hosts.getHostsByIp(tuple.source()), tuple.sourceHost());
        return itself == null ? hosts.getHost(tuple.sourceHost()) : itself;
    }

    /** Returns the one host that has an address; null if there is none, or several. */
    private Host owner(IpAddress address) {
        Set<Host> owners = hosts.getHostsByIp(address);
        return owners.size() == 1 ? owners.iterator().next() : null;
    }

    private static ConnectPoint point(HostLocation location) {
        return new ConnectPoint(location.elementId(), location.port());
    }
}
