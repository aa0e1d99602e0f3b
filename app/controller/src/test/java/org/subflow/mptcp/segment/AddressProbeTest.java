// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onlab.packet.ndp.NeighborSolicitation;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.topology.Nets;

/** What a host is asked; {@link SourceCheckTest} has IPv4. */
class AddressProbeTest {
    private static final VlanId VLAN = VlanId.vlanId((short) 100);

    @Test
    void anIpv6HostIsSolicitedInItsVlan() throws DeserializationException {
        InterceptorScenario.Switches switches = new InterceptorScenario.Switches();
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("2001:db8::8"), 1, IpAddress.valueOf("2001:db8::2"), 2)
                .between(HostId.hostId(MacAddress.valueOf(8), VLAN), HostId.hostId(MacAddress.valueOf(2), VLAN));
        new AddressProbe(switches).ask(tuple, Nets.edge(3));
        byte[] octets = switches.next().data().array();
        Ethernet frame = Ethernet.deserializer().deserialize(octets, 0, octets.length);
        assertEquals(MacAddress.valueOf(8), frame.getDestinationMAC());
        assertEquals(VLAN.toShort(), frame.getVlanID());
        IPv6 packet = (IPv6) frame.getPayload();
        assertArrayEquals(new byte[16], packet.getSourceAddress());
        NeighborSolicitation asked = (NeighborSolicitation) packet.getPayload().getPayload();
        assertArrayEquals(tuple.source().toOctets(), asked.getTargetAddress());
    }

    @Test
    void aHostIsAskedForEachOfItsAddressesAtThePortAlone() throws DeserializationException {
        InterceptorScenario.Switches switches = new InterceptorScenario.Switches();
        HostId id = HostId.hostId(MacAddress.valueOf(8), VlanId.NONE);
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("192.0.2.1"), 1, IpAddress.valueOf("10.0.0.2"), 2)
                .between(id, HostId.hostId(MacAddress.valueOf(2), VlanId.NONE));
        Host host = new DefaultHost(ProviderId.NONE, id, id.mac(), id.vlanId(), new HostLocation(Nets.edge(5), 0),
                                    Set.of(IpAddress.valueOf("10.0.0.8"), IpAddress.valueOf("192.0.2.7")));
        new AddressProbe(switches).ask(tuple, host, Nets.edge(3));
        Set<String> targets = new HashSet<>();
        for (int address = 0; address < 2; address++) {
            OutboundPacket packet = switches.next();
            assertEquals(Nets.edge(3).deviceId(), packet.sendThrough());
            byte[] octets = packet.data().array();
            Ethernet frame = Ethernet.deserializer().deserialize(octets, 0, octets.length);
            assertEquals(id.mac(), frame.getDestinationMAC());
            assertEquals(MacAddress.valueOf(2), frame.getSourceMAC());
            targets.add(Ip4Address.valueOf(((ARP) frame.getPayload()).getTargetProtocolAddress()).toString());
        }
        assertEquals(Set.of("10.0.0.8", "192.0.2.7"), targets);
    }
}
