// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import java.nio.ByteBuffer;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.ndp.NeighborSolicitation;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.packet.PacketService;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Asks a host at a port for its address. ONOS learns of the host from the answer, or that it is still there. A stock ONOS learns
 * hosts from ARP and neighbour discovery alone. It forgets a host whose port goes down, and the host has no reason to speak of its
 * address anew. ONOS's own {@code HostService.requestMac} does nothing, and {@code startMonitoringIp} asks at configured
 * interfaces only.
 *
 * <p>The question goes out of that port alone. It is an ARP probe (RFC 5227), or for IPv6 a neighbour solicitation without a source
 * (RFC 4862): no cache learns from it.
 */
public final class AddressProbe {
    private final PacketService packets;

    /**
     * Makes it.
     *
     * @param packets ONOS's packet service; not null
     */
    public AddressProbe(PacketService packets) {
        this.packets = checkNotNull(packets, "packets");
    }

    /**
     * Asks whether the source of a five-tuple is at a port. It is asked for each of its addresses: a router may also have some of
     * hosts behind it, for which it does not answer.
     *
     * @param tuple  its addresses, and the hosts of its frame; not null
     * @param source the host; without addresses it is not asked; not null
     * @param port   where it may be; not null
     */
    public void ask(FiveTuple tuple, Host source, ConnectPoint port) {
        source.ipAddresses().forEach(address -> ask(tuple, source.id(), address, port));
    }

    /**
     * Asks the source of a five-tuple.
     *
     * @param tuple its addresses, and the hosts of its frame; not null
     * @param port  where the frame came in; not null
     */
    void ask(FiveTuple tuple, ConnectPoint port) {
        ask(tuple, tuple.sourceHost(), tuple.source(), port);
    }

    private void ask(FiveTuple tuple, HostId host, IpAddress address, ConnectPoint port) {
        // The answer goes to the other end, which drops it.
        Ethernet question = question(host, address, tuple.destinationHost().mac());
        packets.emit(PacketsOut.through(port, ByteBuffer.wrap(question.serialize())));
    }

    private static Ethernet question(HostId host, IpAddress address, MacAddress asking) {
        if (address.isIp4()) {
            return ARP.buildArpRequest(asking.toBytes(), Ip4Address.ZERO.toOctets(), MacAddress.ZERO.toBytes(),
                                       address.toOctets(), host.mac().toBytes(), host.vlanId().toShort());
        }
        Ip6Address target = address.getIp6Address();
        return NeighborSolicitation.buildNdpSolicit(target, Ip6Address.ZERO, target, asking, host.mac(), host.vlanId());
    }
}
