// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;

/** A host service that knows the hosts of a test. Host n has the MAC address n. */
public final class KnownHosts extends HostServiceAdapter {
    private final Map<HostId, Host> hosts = new HashMap<>();

    /** Returns the name of host n in a VLAN. */
    public static HostId id(int number, VlanId vlan) {
        return HostId.hostId(MacAddress.valueOf(number), vlan);
    }

    /** Adds host n with addresses at one port. */
    public HostId add(int number, VlanId vlan, ConnectPoint port, IpAddress... addresses) {
        return add(number, vlan, Set.of(addresses), port);
    }

    /** Adds host n at two ports, the newer one last, without addresses. */
    HostId add(int number, VlanId vlan, ConnectPoint older, ConnectPoint newer) {
        return add(number, vlan, Set.of(), older, newer);
    }

    private HostId add(int number, VlanId vlan, Set<IpAddress> addresses, ConnectPoint... ports) {
        Set<HostLocation> locations = new LinkedHashSet<>();
        for (ConnectPoint port : ports) {
            locations.add(new HostLocation(port, locations.size() + 1));
        }
        HostId id = id(number, vlan);
        hosts.put(id, new DefaultHost(ProviderId.NONE, id, id.mac(), vlan, locations, addresses, false));
        return id;
    }

    @Override
    public Host getHost(HostId id) {
        return hosts.get(id);
    }

    @Override
    public Set<Host> getHostsByIp(IpAddress address) {
        return hosts.values().stream().filter(host -> host.ipAddresses().contains(address)).collect(Collectors.toSet());
    }
}
