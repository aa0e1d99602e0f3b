// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.UDP;

class LearningLimitsTest {

    private static final MacAddress MAC = MacAddress.valueOf("02:00:00:00:00:01");
    private static final IpAddress ADDRESS = IpAddress.valueOf("10.0.0.1");

    private final Sighting declared = Sighting.of(ARP.buildArpRequest(MAC.toBytes(), ADDRESS.toOctets(),
            MacAddress.ZERO.toBytes(), Ip4Address.valueOf("10.0.0.2").toOctets(), MacAddress.BROADCAST.toBytes(),
            Ethernet.VLAN_UNTAGGED)).orElseThrow();
    private final Sighting undeclared = Sighting.of(packet()).orElseThrow();

    @Test
    void aHostMayHaveAddresses() {
        assertEquals(Set.of(ADDRESS), LearningLimits.news(declared, Set.of(), address -> false));
        assertEquals(Set.of(ADDRESS), LearningLimits.news(undeclared, Set.of(), address -> false));
        assertEquals(Set.of(), LearningLimits.news(declared, Set.of(ADDRESS), address -> false), "no news");
    }

    @Test
    void nobodyGetsAnothersAddressByUsingItAsSource() {
        assertEquals(Set.of(), LearningLimits.news(undeclared, Set.of(), ADDRESS::equals));
        assertEquals(Set.of(ADDRESS), LearningLimits.news(declared, Set.of(), ADDRESS::equals), "it moved");
    }

    @Test
    void sourcesBehindARouterAreNotCollected() {
        Set<IpAddress> many = IntStream.range(0, LearningLimits.MOST_UNDECLARED_ADDRESSES)
                .mapToObj(i -> IpAddress.valueOf("192.0.2." + i)).collect(Collectors.toSet());
        assertEquals(Set.of(), LearningLimits.news(undeclared, many, address -> false));
        assertEquals(Set.of(ADDRESS), LearningLimits.news(declared, many, address -> false));
    }

    @Test
    void inventedHostsFillNothing() {
        assertTrue(LearningLimits.mayAppear(undeclared, 0));
        assertFalse(LearningLimits.mayAppear(undeclared, LearningLimits.MOST_UNDECLARED_HOSTS));
        assertTrue(LearningLimits.mayAppear(declared, LearningLimits.MOST_UNDECLARED_HOSTS));
        assertFalse(LearningLimits.mayAppear(declared, LearningLimits.MOST_DECLARED_HOSTS));
    }

    private static Ethernet packet() {
        IPv4 ip = new IPv4();
        ip.setSourceAddress(ADDRESS.getIp4Address().toInt())
                .setDestinationAddress("10.0.0.2")
                .setProtocol(IPv4.PROTOCOL_UDP)
                .setPayload(new UDP().setSourcePort(1).setDestinationPort(2));
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress(MAC).setDestinationMACAddress("02:00:00:00:00:02").setEtherType(Ethernet.TYPE_IPV4)
                .setPayload(ip);
        return frame;
    }
}
