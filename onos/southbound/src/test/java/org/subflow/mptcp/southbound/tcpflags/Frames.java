// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TCP;

/** TCP segments in frames, as ONOS's packet library writes them. */
final class Frames {
    static final int FIN = 1;
    static final int SYN = 2;
    static final int ACK = 16;
    static final String CLIENT = "10.0.0.1";
    static final String SERVER = "10.0.0.2";

    private Frames() {
    }

    /** Returns a frame. The port of an address is its last octet. */
    static byte[] tcp(String source, String destination, int flags) {
        return tcp(source, destination, flags, Ethernet.VLAN_UNTAGGED);
    }

    static byte[] tcp(String source, String destination, int flags, short vlan) {
        IpAddress from = IpAddress.valueOf(source);
        IpAddress to = IpAddress.valueOf(destination);
        TCP tcp = new TCP();
        tcp.setSourcePort(port(from)).setDestinationPort(port(to)).setFlags((short) flags).setDataOffset((byte) 5);
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress(MacAddress.ONOS).setDestinationMACAddress(MacAddress.BROADCAST).setVlanID(vlan);
        if (from.isIp4()) {
            IPv4 ip = new IPv4();
            ip.setSourceAddress(source).setDestinationAddress(destination).setProtocol(IPv4.PROTOCOL_TCP).setPayload(tcp);
            frame.setEtherType(Ethernet.TYPE_IPV4).setPayload(ip);
        } else {
            IPv6 ip = new IPv6();
            ip.setSourceAddress(from.toOctets()).setDestinationAddress(to.toOctets()).setNextHeader(IPv6.PROTOCOL_TCP)
                    .setPayload(tcp);
            frame.setEtherType(Ethernet.TYPE_IPV6).setPayload(ip);
        }
        return frame.serialize();
    }

    private static int port(IpAddress address) {
        byte[] octets = address.toOctets();
        return 1000 + octets[octets.length - 1];
    }
}
