// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostService;

/** Finds where addresses are attached to the network. Thread-safe. */
public final class Attachments {
    /** The reason why an address' connections cannot get managed paths. */
    public enum Obstacle {
        /** ONOS knows no host with this address. */
        UNKNOWN("ONOS knows no such host"),
        /** ONOS knows several hosts with this address. */
        SEVERAL_HOSTS("several hosts have this address"),
        /** The host's frames are VLAN-tagged. */
        TAGGED("the host is VLAN-tagged"),
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

    private static final int MOST_BEHIND = 10_000;
    private static final int BEHIND_MINUTES = 10;

    private final HostService hosts;
    /** MAC addresses of frames that carried packets from or to addresses that not exactly one host has. */
    private final Cache<IpAddress, MacAddress> behind = CacheBuilder.newBuilder()
            .maximumSize(MOST_BEHIND)
            .expireAfterWrite(BEHIND_MINUTES, TimeUnit.MINUTES)
            .build();

    /**
     * Makes a finder.
     *
     * @param hosts ONOS's host service; not null
     */
    public Attachments(HostService hosts) {
        this.hosts = checkNotNull(hosts, "hosts");
    }

    /** Returns the reason why an address' connections cannot be managed; empty if they can. */
    public Optional<Obstacle> obstacle(IpAddress address) {
        Iterator<Host> found = hosts.getHostsByIp(address).iterator();
        if (!found.hasNext()) {
            return Optional.of(Obstacle.UNKNOWN);
        }
        Host host = found.next();
        if (found.hasNext()) {
            return Optional.of(Obstacle.SEVERAL_HOSTS);
        }
        if (!host.vlan().equals(VlanId.NONE)) {
            return Optional.of(Obstacle.TAGGED);
        }
        return host.locations().size() == 1 ? Optional.empty() : Optional.of(Obstacle.SEVERAL_POINTS);
    }

    /** Finds the switch port to which an address is attached; empty if there is an {@link #obstacle}. */
    public Optional<ConnectPoint> port(IpAddress address) {
        return reachable(address).filter(host -> host.locations().size() == 1).map(Attachments::point);
    }

    /** Finds the MAC address of the host with this address; empty if there is an {@link #obstacle}. */
    public Optional<MacAddress> mac(IpAddress address) {
        return reachable(address).filter(host -> host.locations().size() == 1).map(Host::mac);
    }

    /** Finds the location of the host with this address, with its time; empty if there is an {@link #obstacle}. */
    public Optional<HostLocation> location(IpAddress address) {
        return reachable(address).filter(host -> host.locations().size() == 1).map(Host::location);
    }

    /**
     * Finds a switch port of an address. A host with several ports counts as attached to the newest one. An address that no
     * host has, or several, is where the host with the MAC address of its frames is, for instance a router.
     *
     * @param address the address; not null
     * @return the port; empty with any other {@link #obstacle}
     */
    public Optional<ConnectPoint> anyPort(IpAddress address) {
        return anyPort(address, behind.getIfPresent(address));
    }

    /**
     * Finds a switch port of an address in the same way, without regard to frames before.
     *
     * @param address the address; not null
     * @param mac     the MAC address of a frame from or to this address; null if unknown
     * @return the port; empty with any other {@link #obstacle}
     */
    public Optional<ConnectPoint> anyPort(IpAddress address, MacAddress mac) {
        Set<Host> owners = hosts.getHostsByIp(address);
        Optional<Host> host = owners.size() == 1 ? Optional.of(owners.iterator().next()) : carrier(owners, mac);
        return host.filter(Attachments::isUntagged).map(Attachments::point);
    }

    /**
     * Notes the frame of a packet whose source is valid; see {@link SourceValidation}.
     *
     * @param address the packet's source or destination; not null
     * @param mac     the frame's, at the same end; not null
     */
    public void noteFrame(IpAddress address, MacAddress mac) {
        if (!mac.isMulticast() && !mac.isBroadcast() && hosts.getHostsByIp(address).size() != 1) {
            behind.put(address, mac);
        }
    }

    private Optional<Host> carrier(Set<Host> owners, MacAddress mac) {
        Host carrier = mac == null ? null : hosts.getHost(HostId.hostId(mac));
        return Optional.ofNullable(carrier).filter(
                host -> owners.isEmpty() || owners.stream().anyMatch(owner -> owner.id().equals(host.id())));
    }

    private Optional<Host> reachable(IpAddress address) {
        Set<Host> found = hosts.getHostsByIp(address);
        return found.size() == 1 ? Optional.of(found.iterator().next()).filter(Attachments::isUntagged) : Optional.empty();
    }

    private static boolean isUntagged(Host host) {
        return host.vlan().equals(VlanId.NONE);
    }

    private static ConnectPoint point(Host host) {
        return new ConnectPoint(host.location().elementId(), host.location().port());
    }
}
