// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onlab.packet.ndp.NeighborSolicitation;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.provider.ProviderId;

/** What hosts are asked. */
class LocationProbeTest {
    private static final MacAddress MAC = MacAddress.valueOf(1);
    private static final VlanId VLAN = VlanId.vlanId((short) 7);

    @Test
    void aHostWithIpv6AloneGetsANeighbourSolicitation() throws DeserializationException {
        Ip6Address address = Ip6Address.valueOf("fd00::1");
        byte[] octets = LocationProbe.of(host(Set.of(address))).get(0).data().array();
        Ethernet frame = Ethernet.deserializer().deserialize(octets, 0, octets.length);
        assertEquals(MAC, frame.getDestinationMAC());
        assertEquals(LocationProbe.SENDER, frame.getSourceMAC());
        assertEquals(VLAN.toShort(), frame.getVlanID(), "tagged as the host's own");
        ICMP6 icmp = (ICMP6) ((IPv6) frame.getPayload()).getPayload();
        assertEquals(ICMP6.NEIGHBOR_SOLICITATION, icmp.getIcmpType());
        assertArrayEquals(address.toOctets(), ((NeighborSolicitation) icmp.getPayload()).getTargetAddress());
    }

    /** Of the first of its addresses it may have got rid. */
    @Test
    void aHostIsAskedForEachOfItsAddresses() {
        assertEquals(3, LocationProbe.of(host(Set.of(IpAddress.valueOf("10.0.0.1"), IpAddress.valueOf("10.0.0.9"),
                                                     IpAddress.valueOf("fd00::1")))).stream()
                .map(packet -> ByteBuffer.wrap(packet.data().array())).distinct().count());
    }

    @Test
    void aHostWithoutAddressesCannotBeAsked() {
        assertEquals(List.of(), LocationProbe.of(host(Set.of())));
    }

    private static Host host(Set<IpAddress> addresses) {
        return new DefaultHost(ProviderId.NONE, HostId.hostId(MAC, VLAN), MAC, VLAN,
                new HostLocation(ConnectPoint.deviceConnectPoint("of:0000000000000001/1"), 0), addresses);
    }
}
