// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Collection;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.HostId;
import org.onosproject.net.host.InterfaceIpAddress;
import org.onosproject.net.intf.Interface;
import org.onosproject.net.intf.InterfaceService;

/**
 * The interfaces that ONOS's network configuration gives to ports ({@code ports/PORT/interfaces}). Their MAC and IP addresses are
 * those of applications that route or bridge there, as SDN-IP does, and lead such frames where they want them. Thread-safe.
 *
 * <p>Each packet asks, and there may be thousands of interfaces, so they are read once for each snapshot of the network. ONOS tells
 * its own listeners nothing of an interface without a name that is removed (InterfaceManager of 2.5 to 2.7).
 */
public final class OwnInterfaces {
    private final InterfaceService interfaces;
    private final Supplier<NetworkSnapshot> network;
    private volatile Addresses known;

    /** The addresses of all interfaces while the network was as in a snapshot. */
    private static final class Addresses {
        private final NetworkSnapshot at;
        private final Set<MacAddress> macs;
        private final Set<IpAddress> ips;

        private Addresses(NetworkSnapshot at, Set<Interface> interfaces) {
            this.at = at;
            macs = interfaces.stream().map(Interface::mac).collect(Collectors.toSet());
            ips = interfaces.stream().map(Interface::ipAddressesList).flatMap(Collection::stream)
                    .map(InterfaceIpAddress::ipAddress).collect(Collectors.toSet());
        }
    }

    /**
     * Makes it.
     *
     * @param network    gives another snapshot once the configuration of an interface has changed; not null
     */
    public OwnInterfaces(InterfaceService interfaces, Supplier<NetworkSnapshot> network) {
        this.interfaces = checkNotNull(interfaces, "interfaces");
        this.network = checkNotNull(network, "network");
    }

    /** Returns whether an interface has the MAC address of a host, or an IP address. */
    boolean have(HostId host, IpAddress address) {
        Addresses now = addresses();
        return now.ips.contains(address) || !host.equals(HostId.NONE) && now.macs.contains(host.mac());
    }

    private Addresses addresses() {
        NetworkSnapshot snapshot = network.get();
        Addresses now = known;
        if (now == null || now.at != snapshot) {
            now = new Addresses(snapshot, interfaces.getInterfaces());
            known = now;
        }
        return now;
    }
}
