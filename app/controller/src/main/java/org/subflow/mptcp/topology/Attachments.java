// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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
 * host that has the address.
 *
 * <p>A host may be at several ports, if it bonds links and each flow uses one of them. Then the end is the port where the frames
 * of the five-tuple came in last. Before any came it is the one that its subflow has, or the newest. Thread-safe.
 */
public final class Attachments {
    /** The reason why an end's connections cannot get managed paths. */
    public enum Obstacle {
        /** ONOS knows no host with the MAC address and VLAN of the frames, or not exactly one with the IP address. */
        UNKNOWN("ONOS knows no such host"),
        /** The network configuration gives its MAC or IP address to an interface: an application leads its frames. */
        INTERFACE("it has an address of an interface in the network configuration");

        private final String text;

        Obstacle(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final int MOST_ARRIVALS = 20_000;

    private final HostService hosts;
    private final Predicate<ConnectPoint> isUp;
    private final OwnInterfaces interfaces;
    private final Runnable arriveElsewhere;
    /** Where five-tuples' frames came in, as the latest said. */
    private final Cache<FiveTuple, ConnectPoint> arrivals = CacheBuilder.newBuilder().maximumSize(MOST_ARRIVALS).build();

    /**
     * Makes a finder.
     *
     * @param isUp  whether a port is up: a host that has several is not looked for at others; not null
     * @param arriveElsewhere run when frames of a five-tuple come in at another port than before: if ONOS knows the host at both,
     *              no event tells of it; not null
     */
    public Attachments(HostService hosts, Predicate<ConnectPoint> isUp, OwnInterfaces own, Runnable arriveElsewhere) {
        this.hosts = checkNotNull(hosts, "hosts");
        this.isUp = checkNotNull(isUp, "up");
        this.interfaces = checkNotNull(own, "interfaces");
        this.arriveElsewhere = checkNotNull(arriveElsewhere, "arriveElsewhere");
    }

    /** Returns the reason why connections from a five-tuple's source cannot be managed; empty if they can. */
    public Optional<Obstacle> obstacle(FiveTuple tuple) {
        if (interfaces.have(tuple.sourceHost(), tuple.source())) {
            return Optional.of(Obstacle.INTERFACE);
        }
        return source(tuple) == null ? Optional.of(Obstacle.UNKNOWN) : Optional.empty();
    }

    /** Returns whether other applications lead a five-tuple's frames, or its reverse's: either end is at an interface. */
    public boolean isOthers(FiveTuple tuple) {
        return interfaces.have(tuple.sourceHost(), tuple.source())
                || interfaces.have(tuple.destinationHost(), tuple.destination());
    }

    /** Finds the port to which this application may lead a five-tuple's packets; empty if that is for others to do, or unknown. */
    public Optional<ConnectPoint> destination(FiveTuple tuple) {
        return isOthers(tuple) ? Optional.empty() : port(tuple.reversed());
    }

    /** Notes that a frame of a five-tuple came in at a port of its source. */
    public void cameIn(FiveTuple tuple, ConnectPoint port) {
        ConnectPoint before = arrivals.getIfPresent(tuple);
        if (port.equals(before)) {
            return;
        }
        arrivals.put(tuple, port);
        if (before != null) {
            arriveElsewhere.run();
        }
    }

    /** Finds the host that sends a five-tuple's frames; empty if ONOS does not know it. */
    public Optional<Host> host(FiveTuple tuple) {
        return Optional.ofNullable(source(tuple));
    }

    /**
     * Finds the switch port of a five-tuple's source.
     *
     * @param tuple the five-tuple; not null
     * @param last  the port that its subflow has: what it stays at, of several, until frames come in elsewhere; null for none
     * @return the port; empty if ONOS does not know the source
     */
    public Optional<ConnectPoint> port(FiveTuple tuple, ConnectPoint last) {
        return locations(tuple).flatMap(all -> find(all, arrivals.getIfPresent(tuple))
                .or(() -> find(all, last))
                .or(() -> all.stream().max(Comparator.comparingLong(HostLocation::time))))
                .map(location -> new ConnectPoint(location.elementId(), location.port()));
    }

    /** Finds the switch port of a five-tuple's source; empty if ONOS does not know it. */
    public Optional<ConnectPoint> port(FiveTuple tuple) {
        return port(tuple, null);
    }

    /** Returns whether ONOS knows a host at a port. */
    public boolean isAt(HostId host, ConnectPoint port) {
        Host known = hosts.getHost(host);
        return known != null && known.locations().stream().anyMatch(location -> location.equals(port));
    }

    /** Returns the host that sends packets with a five-tuple, for limits: one MAC address at one port, in whatever VLANs. */
    public Object sender(FiveTuple tuple) {
        return List.of(tuple.sourceHost().mac(), port(tuple));
    }

    /** Finds the one host that has an address; empty if there is none, or several. */
    public Optional<Host> home(IpAddress address) {
        return Optional.ofNullable(owner(address));
    }

    /** Returns a source's locations, without those whose port is down if any is up; empty if ONOS does not know it. */
    private Optional<List<HostLocation>> locations(FiveTuple tuple) {
        Host host = source(tuple);
        if (host == null) {
            return Optional.empty();
        }
        List<HostLocation> all = new ArrayList<>(host.locations());
        if (all.size() > 1 && all.stream().anyMatch(isUp)) {
            all.removeIf(isUp.negate());
        }
        return Optional.of(all);
    }

    private static Optional<HostLocation> find(List<HostLocation> locations, ConnectPoint port) {
        return locations.stream().filter(location -> location.equals(port)).findFirst();
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

    /** Returns whether ONOS knows the source address of a five-tuple as one of the host that sends the frames: no router's. */
    public boolean isOwn(FiveTuple tuple) {
        return find(hosts.getHostsByIp(tuple.source()), tuple.sourceHost()) != null;
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
}
