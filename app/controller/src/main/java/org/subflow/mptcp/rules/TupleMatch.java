// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import java.util.Optional;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onosproject.net.HostId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.Criterion.Type;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.subflow.mptcp.api.FiveTuple;

/** The match of one direction of a TCP connection, between its hosts. Stateless. */
public final class TupleMatch {
    private static final MacAddress INDIVIDUAL = MacAddress.valueOf("fe:ff:ff:ff:ff:ff");

    private TupleMatch() {
    }

    /** Returns the exact match of one direction of a TCP connection, between its hosts. */
    public static TrafficSelector of(FiveTuple tuple) {
        return addresses(tuple).matchTcpSrc(TpPort.tpPort(tuple.sourcePort()))
                .matchTcpDst(TpPort.tpPort(tuple.destinationPort()))
                .build();
    }

    /**
     * Matches the frames' hosts, too: another leg of the same connection, or a twin in another VLAN, is not meant.
     *
     * <p>The match of the source leaves the bit out that tells a group's address. No frame's source has it (IEEE 802.3, 3.2.4), so
     * the match is exact all the same. But stock forwarding ({@code org.onosproject.fwd}) removes each application's rules that have
     * an exact source and an exact destination when a link is lost that it used between these hosts.
     */
    private static TrafficSelector.Builder addresses(FiveTuple tuple) {
        TrafficSelector.Builder selector = DefaultTrafficSelector.builder().matchIPProtocol(IPv4.PROTOCOL_TCP);
        if (tuple.hasHosts()) {
            selector.matchEthSrcMasked(tuple.sourceHost().mac(), INDIVIDUAL)
                    .matchEthDst(tuple.destinationHost().mac())
                    .matchVlanId(tuple.sourceHost().vlanId());
        }
        IpAddress source = tuple.source();
        IpAddress destination = tuple.destination();
        if (tuple.isIpv6()) {
            return selector.matchEthType(Ethernet.TYPE_IPV6)
                    .matchIPv6Src(source.toIpPrefix())
                    .matchIPv6Dst(destination.toIpPrefix());
        }
        return selector.matchEthType(Ethernet.TYPE_IPV4)
                .matchIPSrc(source.toIpPrefix())
                .matchIPDst(destination.toIpPrefix());
    }

    /** Returns the five-tuple that a match of this kind is of, at any input port; empty if it matches none. */
    public static Optional<FiveTuple> tuple(TrafficSelector selector) {
        IPCriterion source = criterion(IPCriterion.class, selector, Type.IPV4_SRC, Type.IPV6_SRC);
        IPCriterion destination = criterion(IPCriterion.class, selector, Type.IPV4_DST, Type.IPV6_DST);
        TcpPortCriterion sourcePort = criterion(TcpPortCriterion.class, selector, Type.TCP_SRC, Type.TCP_SRC);
        TcpPortCriterion destinationPort = criterion(TcpPortCriterion.class, selector, Type.TCP_DST, Type.TCP_DST);
        if (source == null || destination == null || sourcePort == null || destinationPort == null) {
            return Optional.empty();
        }
        FiveTuple tuple = FiveTuple.of(source.ip().address(), sourcePort.tcpPort().toInt(),
                                       destination.ip().address(), destinationPort.tcpPort().toInt());
        EthCriterion from = criterion(EthCriterion.class, selector, Type.ETH_SRC_MASKED, Type.ETH_SRC);
        EthCriterion to = criterion(EthCriterion.class, selector, Type.ETH_DST, Type.ETH_DST);
        VlanIdCriterion vlan = criterion(VlanIdCriterion.class, selector, Type.VLAN_VID, Type.VLAN_VID);
        return Optional.of(from == null || to == null || vlan == null ? tuple
                : tuple.between(HostId.hostId(from.mac(), vlan.vlanId()), HostId.hostId(to.mac(), vlan.vlanId())));
    }

    private static <T extends Criterion> T criterion(Class<T> kind, TrafficSelector selector, Type one, Type other) {
        Criterion found = selector.getCriterion(one);
        return kind.cast(found != null ? found : selector.getCriterion(other));
    }
}
