// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ICMP6;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onlab.packet.ndp.NeighborAdvertisement;
import org.onosproject.net.HostId;

/** What one frame says about the host that sent it. */
final class Sighting {

    private static final IpAddress BROADCAST = Ip4Address.valueOf(0xFFFFFFFF);

    private final HostId host;
    private final Set<IpAddress> addresses;
    private final boolean declared;

    private Sighting(HostId host, Set<IpAddress> addresses, boolean declared) {
        this.host = host;
        this.addresses = addresses;
        this.declared = declared;
    }

    /** {@return the sender} */
    HostId host() {
        return host;
    }

    /** {@return the addresses it goes by, as far as the frame says; may be empty} */
    Set<IpAddress> addresses() {
        return addresses;
    }

    /**
     * {@return whether the sender declared these addresses to be its own (ARP, NDP)}; the source of an IP packet may
     * also be someone beyond a router
     */
    boolean declared() {
        return declared;
    }

    /** {@return what a frame says, empty if it is not ARP or IP, has a service tag (QinQ), or its sender is no single host} */
    static Optional<Sighting> of(Ethernet frame) {
        MacAddress mac = frame.getSourceMAC();
        if (mac.isBroadcast() || mac.isMulticast() || mac.equals(MacAddress.ZERO)
                || frame.getQinQVID() != Ethernet.VLAN_UNTAGGED) {
            return Optional.empty();
        }
        HostId host = HostId.hostId(mac, VlanId.vlanId(frame.getVlanID()));
        if (frame.getPayload() instanceof ARP) {
            return Optional.of(ofArp(host, (ARP) frame.getPayload()));
        }
        if (frame.getPayload() instanceof IPv4) {
            IpAddress source = Ip4Address.valueOf(((IPv4) frame.getPayload()).getSourceAddress());
            return Optional.of(new Sighting(host, usable(source), false));
        }
        if (frame.getPayload() instanceof IPv6) {
            return Optional.of(ofIpv6(host, (IPv6) frame.getPayload()));
        }
        return Optional.empty();
    }

    private static Sighting ofArp(HostId host, ARP arp) {
        byte[] sender = arp.getSenderProtocolAddress();
        boolean forIpv4 = sender != null && sender.length == Ip4Address.BYTE_LENGTH;
        return new Sighting(host, forIpv4 ? usable(Ip4Address.valueOf(sender)) : Set.of(), true);
    }

    private static Sighting ofIpv6(HostId host, IPv6 packet) {
        Set<IpAddress> addresses = new LinkedHashSet<>(usable(Ip6Address.valueOf(packet.getSourceAddress())));
        boolean declared = false;
        if (packet.getPayload() instanceof ICMP6) {
            ICMP6 icmp = (ICMP6) packet.getPayload();
            declared = icmp.getIcmpType() == ICMP6.NEIGHBOR_SOLICITATION
                    || icmp.getIcmpType() == ICMP6.NEIGHBOR_ADVERTISEMENT;
            if (icmp.getPayload() instanceof NeighborAdvertisement) {
                byte[] target = ((NeighborAdvertisement) icmp.getPayload()).getTargetAddress();
                addresses.addAll(usable(Ip6Address.valueOf(target)));
            }
        }
        return new Sighting(host, addresses, declared);
    }

    private static Set<IpAddress> usable(IpAddress address) {
        boolean unusable = address.isZero() || address.isMulticast() || address.isSelfAssigned()
                || address.equals(BROADCAST);
        return unusable ? Set.of() : Set.of(address);
    }
}
