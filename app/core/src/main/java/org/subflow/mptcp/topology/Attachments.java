// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import java.util.Set;
import org.onlab.packet.IpAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.host.HostService;

/** Finds where addresses are attached to the network. Thread-safe. */
public final class Attachments {
    private final HostService hosts;

    /**
     * Makes a finder.
     *
     * @param hosts ONOS's host service; not null
     */
    public Attachments(HostService hosts) {
        this.hosts = checkNotNull(hosts, "hosts");
    }

    /**
     * Finds the one untagged host that has an address.
     *
     * @param address the address; not null
     * @return the host; empty if ONOS knows none, several, or one that is VLAN-tagged or attached at several points
     */
    public Optional<Host> host(IpAddress address) {
        Set<Host> found = hosts.getHostsByIp(address);
        if (found.size() != 1) {
            return Optional.empty();
        }
        Host host = found.iterator().next();
        boolean plain = host.vlan().equals(VlanId.NONE) && host.locations().size() == 1;
        return plain ? Optional.of(host) : Optional.empty();
    }

    /** Finds the switch port behind which an address is; empty in the cases of {@link #host}. */
    public Optional<ConnectPoint> port(IpAddress address) {
        return host(address).map(host -> new ConnectPoint(host.location().elementId(), host.location().port()));
    }
}
