// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.host.InterfaceIpAddress;
import org.onosproject.net.intf.Interface;
import org.onosproject.net.intf.InterfaceServiceAdapter;

/** An interface service that knows the interfaces of a test. */
public final class KnownInterfaces extends InterfaceServiceAdapter {
    private final Set<Interface> all = new HashSet<>();
    private NetworkSnapshot network = changed();
    /** How often all were read. */
    public int readings;

    /** Returns what asks it. */
    public OwnInterfaces own() {
        return new OwnInterfaces(this, () -> network);
    }

    /** Adds an interface with the MAC address of host n and IP addresses, at the edge of switch 5. */
    public void add(int number, IpAddress... addresses) {
        List<InterfaceIpAddress> ips = Arrays.stream(addresses)
                .map(ip -> InterfaceIpAddress.valueOf(ip + "/24")).collect(Collectors.toList());
        all.add(new Interface("router", Nets.edge(5), ips, MacAddress.valueOf(number), VlanId.NONE));
        network = changed();
    }

    /** Removes all of them. */
    public void clear() {
        all.clear();
        network = changed();
    }

    private static NetworkSnapshot changed() {
        return Nets.diamond();
    }

    @Override
    public Set<Interface> getInterfaces() {
        readings++;
        return all;
    }
}
