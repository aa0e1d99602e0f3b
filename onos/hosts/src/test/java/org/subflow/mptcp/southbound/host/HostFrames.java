// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.onlab.packet.UDP;

/** Frames of hosts by their numbers. */
final class HostFrames {
    private HostFrames() {
    }

    static String mac(int host) {
        return MacAddress.valueOf(0x02_00_00_00_00_00L + host).toString();
    }

    static Ethernet arp(int host, String address) {
        return ARP.buildArpRequest(MacAddress.valueOf(mac(host)).toBytes(), Ip4Address.valueOf(address).toOctets(),
                MacAddress.ZERO.toBytes(), Ip4Address.valueOf("10.0.0.254").toOctets(),
                MacAddress.BROADCAST.toBytes(), Ethernet.VLAN_UNTAGGED);
    }

    static Ethernet ip(int host, String source) {
        IPv4 packet = new IPv4();
        packet.setSourceAddress(source).setDestinationAddress("10.0.0.254").setProtocol(IPv4.PROTOCOL_UDP)
                .setPayload(new UDP());
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress(mac(host)).setDestinationMACAddress(mac(254)).setEtherType(Ethernet.TYPE_IPV4)
                .setPayload(packet);
        return frame;
    }
}
