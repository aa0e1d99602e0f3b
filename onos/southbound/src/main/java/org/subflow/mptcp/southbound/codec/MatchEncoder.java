// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.codec;

import static org.subflow.mptcp.southbound.OpenFlowIds.ofPort;

import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.ArpHaCriterion;
import org.onosproject.net.flow.criteria.ArpOpCriterion;
import org.onosproject.net.flow.criteria.ArpPaCriterion;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.IPDscpCriterion;
import org.onosproject.net.flow.criteria.IPEcnCriterion;
import org.onosproject.net.flow.criteria.IPProtocolCriterion;
import org.onosproject.net.flow.criteria.IPv6FlowLabelCriterion;
import org.onosproject.net.flow.criteria.IPv6NDLinkLayerAddressCriterion;
import org.onosproject.net.flow.criteria.IPv6NDTargetAddressCriterion;
import org.onosproject.net.flow.criteria.IcmpCodeCriterion;
import org.onosproject.net.flow.criteria.IcmpTypeCriterion;
import org.onosproject.net.flow.criteria.Icmpv6CodeCriterion;
import org.onosproject.net.flow.criteria.Icmpv6TypeCriterion;
import org.onosproject.net.flow.criteria.MetadataCriterion;
import org.onosproject.net.flow.criteria.MplsBosCriterion;
import org.onosproject.net.flow.criteria.MplsCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.SctpPortCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.flow.criteria.TunnelIdCriterion;
import org.onosproject.net.flow.criteria.UdpPortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.criteria.VlanPcpCriterion;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.ICMPv4Code;
import org.projectfloodlight.openflow.types.ICMPv4Type;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.IPv6FlowLabel;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.IpEcn;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBooleanValue;
import org.projectfloodlight.openflow.types.OFMetadata;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U32;
import org.projectfloodlight.openflow.types.U64;
import org.projectfloodlight.openflow.types.U8;
import org.projectfloodlight.openflow.types.VlanPcp;

/** Selector to OpenFlow 1.3 match, the inverse of {@link MatchDecoder}. */
public final class MatchEncoder {

    private MatchEncoder() {
    }

    /**
     * {@return the match that stands for a selector}
     *
     * @throws UnsupportedRuleException if a criterion has no field in OpenFlow 1.3 (TCP flags, extensions, …)
     */
    public static Match encode(TrafficSelector selector, OFFactory factory) throws UnsupportedRuleException {
        Match.Builder match = factory.buildMatch();
        for (Criterion criterion : selector.criteria()) {
            if (!addLinkLayer(match, criterion) && !addNetworkLayer(match, criterion)
                    && !addTransportLayer(match, criterion)) {
                throw new UnsupportedRuleException("OpenFlow 1.3 cannot match " + criterion.type());
            }
        }
        return match.build();
    }

    private static boolean addLinkLayer(Match.Builder match, Criterion criterion) {
        switch (criterion.type()) {
            case IN_PORT:
                match.setExact(MatchField.IN_PORT, ofPort(((PortCriterion) criterion).port()));
                return true;
            case IN_PHY_PORT:
                match.setExact(MatchField.IN_PHY_PORT, ofPort(((PortCriterion) criterion).port()));
                return true;
            case METADATA:
                match.setExact(MatchField.METADATA, OFMetadata.ofRaw(((MetadataCriterion) criterion).metadata()));
                return true;
            case ETH_DST:
                match.setExact(MatchField.ETH_DST, mac(((EthCriterion) criterion).mac()));
                return true;
            case ETH_DST_MASKED:
                match.setMasked(MatchField.ETH_DST, mac(((EthCriterion) criterion).mac()),
                        mac(((EthCriterion) criterion).mask()));
                return true;
            case ETH_SRC:
                match.setExact(MatchField.ETH_SRC, mac(((EthCriterion) criterion).mac()));
                return true;
            case ETH_SRC_MASKED:
                match.setMasked(MatchField.ETH_SRC, mac(((EthCriterion) criterion).mac()),
                        mac(((EthCriterion) criterion).mask()));
                return true;
            case ETH_TYPE:
                match.setExact(MatchField.ETH_TYPE,
                        EthType.of(Short.toUnsignedInt(((EthTypeCriterion) criterion).ethType().toShort())));
                return true;
            case VLAN_VID:
                addVlan(match, ((VlanIdCriterion) criterion).vlanId());
                return true;
            case VLAN_PCP:
                match.setExact(MatchField.VLAN_PCP, VlanPcp.of(((VlanPcpCriterion) criterion).priority()));
                return true;
            case MPLS_LABEL:
                match.setExact(MatchField.MPLS_LABEL, U32.of(((MplsCriterion) criterion).label().toInt()));
                return true;
            case MPLS_BOS:
                match.setExact(MatchField.MPLS_BOS, OFBooleanValue.of(((MplsBosCriterion) criterion).mplsBos()));
                return true;
            case TUNNEL_ID:
                match.setExact(MatchField.TUNNEL_ID, U64.of(((TunnelIdCriterion) criterion).tunnelId()));
                return true;
            default:
                return false;
        }
    }

    private static boolean addNetworkLayer(Match.Builder match, Criterion criterion) {
        switch (criterion.type()) {
            case IP_DSCP:
                match.setExact(MatchField.IP_DSCP, IpDscp.of(((IPDscpCriterion) criterion).ipDscp()));
                return true;
            case IP_ECN:
                match.setExact(MatchField.IP_ECN, IpEcn.of(((IPEcnCriterion) criterion).ipEcn()));
                return true;
            case IP_PROTO:
                match.setExact(MatchField.IP_PROTO, IpProtocol.of(((IPProtocolCriterion) criterion).protocol()));
                return true;
            case IPV4_SRC:
                addIpv4(match, MatchField.IPV4_SRC, ((IPCriterion) criterion).ip());
                return true;
            case IPV4_DST:
                addIpv4(match, MatchField.IPV4_DST, ((IPCriterion) criterion).ip());
                return true;
            case IPV6_SRC:
                addIpv6(match, MatchField.IPV6_SRC, ((IPCriterion) criterion).ip());
                return true;
            case IPV6_DST:
                addIpv6(match, MatchField.IPV6_DST, ((IPCriterion) criterion).ip());
                return true;
            case IPV6_FLABEL:
                match.setExact(MatchField.IPV6_FLABEL,
                        IPv6FlowLabel.of(((IPv6FlowLabelCriterion) criterion).flowLabel()));
                return true;
            case IPV6_ND_TARGET:
                match.setExact(MatchField.IPV6_ND_TARGET,
                        ipv6(((IPv6NDTargetAddressCriterion) criterion).targetAddress()));
                return true;
            case IPV6_ND_SLL:
                match.setExact(MatchField.IPV6_ND_SLL, mac(((IPv6NDLinkLayerAddressCriterion) criterion).mac()));
                return true;
            case IPV6_ND_TLL:
                match.setExact(MatchField.IPV6_ND_TLL, mac(((IPv6NDLinkLayerAddressCriterion) criterion).mac()));
                return true;
            case ARP_OP:
                match.setExact(MatchField.ARP_OP, ArpOpcode.of(((ArpOpCriterion) criterion).arpOp()));
                return true;
            case ARP_SPA:
                match.setExact(MatchField.ARP_SPA, IPv4Address.of(((ArpPaCriterion) criterion).ip().toInt()));
                return true;
            case ARP_TPA:
                match.setExact(MatchField.ARP_TPA, IPv4Address.of(((ArpPaCriterion) criterion).ip().toInt()));
                return true;
            case ARP_SHA:
                match.setExact(MatchField.ARP_SHA, mac(((ArpHaCriterion) criterion).mac()));
                return true;
            case ARP_THA:
                match.setExact(MatchField.ARP_THA, mac(((ArpHaCriterion) criterion).mac()));
                return true;
            default:
                return false;
        }
    }

    private static boolean addTransportLayer(Match.Builder match, Criterion criterion) {
        switch (criterion.type()) {
            case TCP_SRC:
            case TCP_SRC_MASKED:
                addPort(match, MatchField.TCP_SRC, ((TcpPortCriterion) criterion).tcpPort(),
                        ((TcpPortCriterion) criterion).mask());
                return true;
            case TCP_DST:
            case TCP_DST_MASKED:
                addPort(match, MatchField.TCP_DST, ((TcpPortCriterion) criterion).tcpPort(),
                        ((TcpPortCriterion) criterion).mask());
                return true;
            case UDP_SRC:
            case UDP_SRC_MASKED:
                addPort(match, MatchField.UDP_SRC, ((UdpPortCriterion) criterion).udpPort(),
                        ((UdpPortCriterion) criterion).mask());
                return true;
            case UDP_DST:
            case UDP_DST_MASKED:
                addPort(match, MatchField.UDP_DST, ((UdpPortCriterion) criterion).udpPort(),
                        ((UdpPortCriterion) criterion).mask());
                return true;
            case SCTP_SRC:
            case SCTP_SRC_MASKED:
                addPort(match, MatchField.SCTP_SRC, ((SctpPortCriterion) criterion).sctpPort(),
                        ((SctpPortCriterion) criterion).mask());
                return true;
            case SCTP_DST:
            case SCTP_DST_MASKED:
                addPort(match, MatchField.SCTP_DST, ((SctpPortCriterion) criterion).sctpPort(),
                        ((SctpPortCriterion) criterion).mask());
                return true;
            case ICMPV4_TYPE:
                match.setExact(MatchField.ICMPV4_TYPE, ICMPv4Type.of(((IcmpTypeCriterion) criterion).icmpType()));
                return true;
            case ICMPV4_CODE:
                match.setExact(MatchField.ICMPV4_CODE, ICMPv4Code.of(((IcmpCodeCriterion) criterion).icmpCode()));
                return true;
            case ICMPV6_TYPE:
                match.setExact(MatchField.ICMPV6_TYPE, U8.of(((Icmpv6TypeCriterion) criterion).icmpv6Type()));
                return true;
            case ICMPV6_CODE:
                match.setExact(MatchField.ICMPV6_CODE, U8.of(((Icmpv6CodeCriterion) criterion).icmpv6Code()));
                return true;
            default:
                return false;
        }
    }

    private static void addVlan(Match.Builder match, VlanId vlan) {
        if (vlan.equals(VlanId.ANY)) {
            match.setMasked(MatchField.VLAN_VID, OFVlanVidMatch.PRESENT, OFVlanVidMatch.PRESENT);
        } else if (vlan.equals(VlanId.NONE)) {
            match.setExact(MatchField.VLAN_VID, OFVlanVidMatch.UNTAGGED);
        } else {
            match.setExact(MatchField.VLAN_VID, OFVlanVidMatch.ofVlan(vlan.toShort()));
        }
    }

    private static void addIpv4(Match.Builder match, MatchField<IPv4Address> field, IpPrefix prefix) {
        IPv4Address address = IPv4Address.of(prefix.getIp4Prefix().address().toInt());
        if (prefix.prefixLength() == IpPrefix.MAX_INET_MASK_LENGTH) {
            match.setExact(field, address);
        } else {
            match.setMasked(field, address, IPv4Address.ofCidrMaskLength(prefix.prefixLength()));
        }
    }

    private static void addIpv6(Match.Builder match, MatchField<IPv6Address> field, IpPrefix prefix) {
        IPv6Address address = ipv6(prefix.address());
        if (prefix.prefixLength() == IpPrefix.MAX_INET6_MASK_LENGTH) {
            match.setExact(field, address);
        } else {
            match.setMasked(field, address, IPv6Address.ofCidrMaskLength(prefix.prefixLength()));
        }
    }

    private static void addPort(Match.Builder match, MatchField<TransportPort> field, TpPort port, TpPort mask) {
        if (mask == null) {
            match.setExact(field, TransportPort.of(port.toInt()));
        } else {
            match.setMasked(field, TransportPort.of(port.toInt()), TransportPort.of(mask.toInt()));
        }
    }

    private static MacAddress mac(org.onlab.packet.MacAddress mac) {
        return MacAddress.of(mac.toBytes());
    }

    private static IPv6Address ipv6(IpAddress address) {
        return IPv6Address.of(address.toOctets());
    }
}
