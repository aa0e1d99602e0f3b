// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.UDP;
import org.onlab.packet.VlanId;
import org.onlab.packet.ndp.NeighborAdvertisement;
import org.onlab.packet.ndp.NeighborSolicitation;
import org.onosproject.net.HostId;

class SightingTest {

    private static final MacAddress MAC = MacAddress.valueOf("02:00:00:00:00:01");
    private static final Ip4Address V4 = Ip4Address.valueOf("10.0.0.1");
    private static final Ip6Address V6 = Ip6Address.valueOf("2001:db8::1");

    @Test
    void arpDeclaresTheSender() throws Exception {
        Ethernet frame = ARP.buildArpRequest(MAC.toBytes(), V4.toOctets(), MacAddress.ZERO.toBytes(),
                Ip4Address.valueOf("10.0.0.2").toOctets(), MacAddress.BROADCAST.toBytes(), Ethernet.VLAN_UNTAGGED);
        Sighting sighting = Sighting.of(onTheWire(frame)).orElseThrow();
        assertEquals(HostId.hostId(MAC), sighting.host());
        assertEquals(Set.of(V4), sighting.addresses());
        assertTrue(sighting.declared());
    }

    @Test
    void arpProbeFindsTheHostButNoAddress() throws Exception {
        Ethernet frame = ARP.buildArpRequest(MAC.toBytes(), Ip4Address.ZERO.toOctets(), MacAddress.ZERO.toBytes(),
                V4.toOctets(), MacAddress.BROADCAST.toBytes(), Ethernet.VLAN_UNTAGGED);
        assertEquals(Set.of(), Sighting.of(onTheWire(frame)).orElseThrow().addresses());
    }

    @Test
    void ipv4SourceIsLearntButNotDeclared() throws Exception {
        Sighting sighting = Sighting.of(onTheWire(ipv4(V4))).orElseThrow();
        assertEquals(Set.of(V4), sighting.addresses());
        assertFalse(sighting.declared());
    }

    @Test
    void theHostIsThatOfTheTagAndOfNoServiceTag() throws Exception {
        Ethernet tagged = ipv4(V4).setVlanID((short) 10);
        assertEquals(HostId.hostId(MAC, VlanId.vlanId((short) 10)), Sighting.of(onTheWire(tagged)).orElseThrow().host());
        Ethernet twice = ipv4(V4);
        twice.setVlanID((short) 10).setQinQVID((short) 5).setQinQTPID(Ethernet.TYPE_QINQ);
        assertTrue(Sighting.of(onTheWire(twice)).isEmpty());
    }

    @Test
    void unusableSourcesAreNoAddresses() throws Exception {
        for (String source : new String[] {"0.0.0.0", "255.255.255.255", "224.0.0.1"}) {
            assertEquals(Set.of(), Sighting.of(onTheWire(ipv4(Ip4Address.valueOf(source)))).orElseThrow().addresses(),
                    source);
        }
    }

    @Test
    void solicitationDeclaresItsSource() throws Exception {
        NeighborSolicitation solicitation = new NeighborSolicitation();
        solicitation.setTargetAddress(Ip6Address.valueOf("2001:db8::2").toOctets());
        Sighting sighting = Sighting.of(onTheWire(icmpv6(ICMP6.NEIGHBOR_SOLICITATION, V6, solicitation))).orElseThrow();
        assertEquals(Set.of(V6), sighting.addresses());
        assertTrue(sighting.declared());
    }

    @Test
    void duplicateAddressDetectionDeclaresNothingYet() throws Exception {
        NeighborSolicitation solicitation = new NeighborSolicitation();
        solicitation.setTargetAddress(V6.toOctets());
        Ethernet frame = icmpv6(ICMP6.NEIGHBOR_SOLICITATION, Ip6Address.ZERO, solicitation);
        assertEquals(Set.of(), Sighting.of(onTheWire(frame)).orElseThrow().addresses());
    }

    @Test
    void advertisementDeclaresSourceAndTarget() throws Exception {
        Ip6Address target = Ip6Address.valueOf("2001:db8::77");
        NeighborAdvertisement advertisement = new NeighborAdvertisement();
        advertisement.setTargetAddress(target.toOctets());
        Ethernet frame = icmpv6(ICMP6.NEIGHBOR_ADVERTISEMENT, V6, advertisement);
        assertEquals(Set.<IpAddress>of(V6, target), Sighting.of(onTheWire(frame)).orElseThrow().addresses());
    }

    @Test
    void nobodySendsFromAGroupAddress() throws Exception {
        for (String source : new String[] {"ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", "00:00:00:00:00:00"}) {
            Ethernet frame = ipv4(V4);
            frame.setSourceMACAddress(source);
            assertEquals(Optional.empty(), Sighting.of(onTheWire(frame)), source);
        }
    }

    @Test
    void otherProtocolsSayNothing() {
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress(MAC).setDestinationMACAddress(MAC).setEtherType((short) 0x88b5);
        assertEquals(Optional.empty(), Sighting.of(frame));
    }

    private static Ethernet ipv4(Ip4Address source) {
        IPv4 packet = new IPv4();
        packet.setSourceAddress(source.toInt()).setDestinationAddress("10.0.0.2").setTtl((byte) 64)
                .setProtocol(IPv4.PROTOCOL_UDP);
        packet.setPayload(new UDP().setSourcePort(1).setDestinationPort(2));
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress(MAC).setDestinationMACAddress("02:00:00:00:00:02").setEtherType(Ethernet.TYPE_IPV4);
        frame.setPayload(packet);
        return frame;
    }

    private static Ethernet icmpv6(byte type, Ip6Address source, org.onlab.packet.IPacket body) {
        ICMP6 icmp = new ICMP6();
        icmp.setIcmpType(type);
        icmp.setPayload(body);
        IPv6 packet = new IPv6();
        packet.setSourceAddress(source.toOctets()).setDestinationAddress(Ip6Address.valueOf("ff02::1").toOctets())
                .setNextHeader(IPv6.PROTOCOL_ICMP6).setHopLimit((byte) 255);
        packet.setPayload(icmp);
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress(MAC).setDestinationMACAddress("33:33:00:00:00:01").setEtherType(Ethernet.TYPE_IPV6);
        frame.setPayload(packet);
        return frame;
    }

    private static Ethernet onTheWire(Ethernet frame) throws Exception {
        byte[] bytes = frame.serialize();
        return Ethernet.deserializer().deserialize(bytes, 0, bytes.length);
    }
}
