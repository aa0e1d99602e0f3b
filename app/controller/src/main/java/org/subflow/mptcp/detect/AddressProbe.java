// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.detect;

import static com.google.common.base.Preconditions.checkNotNull;

import java.nio.ByteBuffer;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.MacAddress;
import org.onlab.packet.ndp.NeighborSolicitation;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.packet.PacketService;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Asks a host for its address, so that ONOS learns of it from the answer. A stock ONOS learns hosts from ARP and neighbour
 * discovery alone. It forgets a host whose port goes down, and the host has no reason to speak of its address anew. ONOS's own
 * {@code HostService.requestMac} does nothing, and {@code startMonitoringIp} asks at configured interfaces only.
 *
 * <p>The question goes to the one host whose frame came in, at that port. It is an ARP probe (RFC 5227), or for IPv6 a neighbour
 * solicitation without a source (RFC 4862): no cache learns from it.
 */
final class AddressProbe {
    private final PacketService packets;

    /**
     * Makes it.
     *
     * @param packets ONOS's packet service; not null
     */
    AddressProbe(PacketService packets) {
        this.packets = checkNotNull(packets, "packets");
    }

    /**
     * Asks the source of a five-tuple.
     *
     * @param tuple its addresses, and the hosts of its frame; not null
     * @param port  where the frame came in; not null
     */
    void ask(FiveTuple tuple, ConnectPoint port) {
        packets.emit(PacketsOut.through(port, ByteBuffer.wrap(question(tuple).serialize())));
    }

    private static Ethernet question(FiveTuple tuple) {
        MacAddress asked = tuple.sourceHost().mac();
        // The answer goes to the other end, which drops it.
        MacAddress asking = tuple.destinationHost().mac();
        if (tuple.source().isIp4()) {
            return ARP.buildArpRequest(asking.toBytes(), Ip4Address.ZERO.toOctets(), MacAddress.ZERO.toBytes(),
                                       tuple.source().toOctets(), asked.toBytes(), tuple.sourceHost().vlanId().toShort());
        }
        Ip6Address address = tuple.source().getIp6Address();
        return NeighborSolicitation.buildNdpSolicit(address, Ip6Address.ZERO, address, asking, asked, tuple.sourceHost().vlanId());
    }
}
