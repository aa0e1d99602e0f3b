// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onlab.packet.IpAddress;
import org.onosproject.net.HostId;
import org.onosproject.net.intf.Interface;
import org.onosproject.net.intf.InterfaceService;

/**
 * The interfaces that ONOS's network configuration gives to ports ({@code ports/PORT/interfaces}). Their MAC and IP addresses are
 * those of applications that route or bridge there, as SDN-IP does, and lead such frames where they want them. Thread-safe.
 */
public final class OwnInterfaces {
    private final InterfaceService interfaces;

    /**
     * Makes it.
     *
     * @param interfaces ONOS's interface service; not null
     */
    public OwnInterfaces(InterfaceService interfaces) {
        this.interfaces = checkNotNull(interfaces, "interfaces");
    }

    /** Returns whether an interface has the MAC address of a host, or an IP address. */
    boolean have(HostId host, IpAddress address) {
        for (Interface one : interfaces.getInterfaces()) {
            boolean hasMac = one.mac().equals(host.mac()) && !host.equals(HostId.NONE);
            if (hasMac || one.ipAddressesList().stream().anyMatch(ip -> ip.ipAddress().equals(address))) {
                return true;
            }
        }
        return false;
    }
}
