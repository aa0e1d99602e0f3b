// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.detect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv6;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onlab.packet.ndp.NeighborSolicitation;
import org.onosproject.net.HostId;
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
}
