// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Set;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostService;

/**
 * Says whether the source of an untagged packet is attached where the packet came in, as far as ONOS knows (source address
 * validation, RFC 7039). Anybody can write another host's addresses into a packet, but not send it from that host's port.
 *
 * <p>All locations of a host count, and all hosts that have the address. An address that no host has is valid behind a MAC
 * address that ONOS knows at the port, for instance a router's. Constant time; thread-safe.
 */
public final class SourceValidation {
    /** What is known of a packet's source at a port. */
    public enum Verdict {
        /** It is attached there. */
        VALID,
        /** ONOS knows neither its IP address nor its MAC address. */
        UNKNOWN,
        /** It is attached elsewhere, or has just moved, or has another MAC address. */
        ELSEWHERE,
        /** The port leads to another switch, so any host's packets may come in there. */
        BETWEEN_SWITCHES
    }

    private final HostService hosts;
    private final LinkPorts linkPorts;

    /**
     * Makes it.
     *
     * @param hosts     ONOS's host service; not null
     * @param linkPorts the ports between switches; not null
     */
    public SourceValidation(HostService hosts, LinkPorts linkPorts) {
        this.hosts = checkNotNull(hosts, "hosts");
        this.linkPorts = checkNotNull(linkPorts, "linkPorts");
    }

    /**
     * Judges a packet.
     *
     * @param source its source address; not null
     * @param mac    its frame's source address; not null
     * @param port   where it came in; not null
     */
    public Verdict verdict(IpAddress source, MacAddress mac, ConnectPoint port) {
        if (linkPorts.contains(port)) {
            return Verdict.BETWEEN_SWITCHES;
        }
        Set<Host> owners = hosts.getHostsByIp(source);
        if (owners.isEmpty()) {
            return behind(hosts.getHost(HostId.hostId(mac)), port);
        }
        for (Host owner : owners) {
            if (owner.mac().equals(mac) && isAt(owner, port)) {
                return Verdict.VALID;
            }
        }
        return Verdict.ELSEWHERE;
    }

    private static Verdict behind(Host carrier, ConnectPoint port) {
        if (carrier == null) {
            return Verdict.UNKNOWN;
        }
        return isAt(carrier, port) ? Verdict.VALID : Verdict.ELSEWHERE;
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
