// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.ndp.NeighborSolicitation;
import org.onosproject.net.Host;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.OutboundPacket;

/**
 * Asks a host whether it is still at its port: an ARP probe (RFC 5227) for each of its IPv4 addresses, a neighbour solicitation for
 * each IPv6 address. One answer is enough; a host may have given up some of the addresses. They go out of that port alone.
 */
final class LocationProbe {
    /** Whom hosts answer. */
    static final MacAddress SENDER = MacAddress.ONOS;

    private static final Ip6Address LINK_LOCAL = Ip6Address.valueOf("fe80::a623:5ff:fe00:0");

    private LocationProbe() {
    }

    /** {@return the questions; none if no address of the host is known} */
    static List<OutboundPacket> of(Host host) {
        return host.ipAddresses().stream().sorted().map(address -> new DefaultOutboundPacket(
                host.location().deviceId(),
                DefaultTrafficTreatment.builder().setOutput(host.location().port()).build(),
                ByteBuffer.wrap(question(host, address).serialize()))).collect(Collectors.toList());
    }

    private static Ethernet question(Host host, IpAddress address) {
        if (address.isIp4()) {
            return ARP.buildArpRequest(SENDER.toBytes(), Ip4Address.ZERO.toOctets(), MacAddress.ZERO.toBytes(),
                    address.toOctets(), host.mac().toBytes(), host.vlan().toShort());
        }
        return NeighborSolicitation.buildNdpSolicit(address.getIp6Address(), LINK_LOCAL, address.getIp6Address(), SENDER,
                host.mac(), host.vlan());
    }
}
