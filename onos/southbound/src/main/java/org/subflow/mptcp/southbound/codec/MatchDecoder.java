// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.codec;

import static org.subflow.mptcp.southbound.OpenFlowIds.portNumber;

import java.util.function.BiConsumer;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.MplsLabel;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.Masked;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;

/** OpenFlow 1.3 match to selector, the inverse of {@link MatchEncoder}. */
public final class MatchDecoder {

    private MatchDecoder() {
    }

    /**
     * {@return the selector that stands for a match}
     *
     * @throws UnsupportedRuleException if a field, or a mask on it, has no criterion
     */
    public static TrafficSelector decode(Match match) throws UnsupportedRuleException {
        TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
        for (MatchField<?> field : match.getMatchFields()) {
            if (!readLinkLayer(selector, match, field) && !readNetworkLayer(selector, match, field)
                    && !readTransportLayer(selector, match, field)) {
                throw new UnsupportedRuleException("no criterion for the match field " + field.getName());
            }
        }
        return selector.build();
    }

    private static boolean readLinkLayer(TrafficSelector.Builder selector, Match match, MatchField<?> field)
            throws UnsupportedRuleException {
        switch (field.id) {
            case IN_PORT:
                selector.matchInPort(portNumber(exact(match, MatchField.IN_PORT)));
                return true;
            case IN_PHY_PORT:
                selector.matchInPhyPort(portNumber(exact(match, MatchField.IN_PHY_PORT)));
                return true;
            case METADATA:
                selector.matchMetadata(exact(match, MatchField.METADATA).getValue().getValue());
                return true;
            case ETH_DST:
                readMac(match, MatchField.ETH_DST, selector::matchEthDst, selector::matchEthDstMasked);
                return true;
            case ETH_SRC:
                readMac(match, MatchField.ETH_SRC, selector::matchEthSrc, selector::matchEthSrcMasked);
                return true;
            case ETH_TYPE:
                selector.matchEthType((short) exact(match, MatchField.ETH_TYPE).getValue());
                return true;
            case VLAN_VID:
                selector.matchVlanId(vlan(match));
                return true;
            case VLAN_PCP:
                selector.matchVlanPcp(exact(match, MatchField.VLAN_PCP).getValue());
                return true;
            case MPLS_LABEL:
                selector.matchMplsLabel(MplsLabel.mplsLabel((int) exact(match, MatchField.MPLS_LABEL).getValue()));
                return true;
            case MPLS_BOS:
                selector.matchMplsBos(exact(match, MatchField.MPLS_BOS).getValue());
                return true;
            case TUNNEL_ID:
                selector.matchTunnelId(exact(match, MatchField.TUNNEL_ID).getValue());
                return true;
            default:
                return false;
        }
    }

    private static boolean readNetworkLayer(TrafficSelector.Builder selector, Match match, MatchField<?> field)
            throws UnsupportedRuleException {
        switch (field.id) {
            case IP_DSCP:
                selector.matchIPDscp(exact(match, MatchField.IP_DSCP).getDscpValue());
                return true;
            case IP_ECN:
                selector.matchIPEcn(exact(match, MatchField.IP_ECN).getEcnValue());
                return true;
            case IP_PROTO:
                selector.matchIPProtocol((byte) exact(match, MatchField.IP_PROTO).getIpProtocolNumber());
                return true;
            case IPV4_SRC:
                selector.matchIPSrc(ipv4(match, MatchField.IPV4_SRC));
                return true;
            case IPV4_DST:
                selector.matchIPDst(ipv4(match, MatchField.IPV4_DST));
                return true;
            case IPV6_SRC:
                selector.matchIPv6Src(ipv6(match, MatchField.IPV6_SRC));
                return true;
            case IPV6_DST:
                selector.matchIPv6Dst(ipv6(match, MatchField.IPV6_DST));
                return true;
            case IPV6_FLABEL:
                selector.matchIPv6FlowLabel(exact(match, MatchField.IPV6_FLABEL).getIPv6FlowLabelValue());
                return true;
            case IPV6_ND_TARGET:
                selector.matchIPv6NDTargetAddress(
                        Ip6Address.valueOf(exact(match, MatchField.IPV6_ND_TARGET).getBytes()));
                return true;
            case IPV6_ND_SLL:
                selector.matchIPv6NDSourceLinkLayerAddress(mac(exact(match, MatchField.IPV6_ND_SLL)));
                return true;
            case IPV6_ND_TLL:
                selector.matchIPv6NDTargetLinkLayerAddress(mac(exact(match, MatchField.IPV6_ND_TLL)));
                return true;
            case ARP_OP:
                selector.matchArpOp(exact(match, MatchField.ARP_OP).getOpcode());
                return true;
            case ARP_SPA:
                selector.matchArpSpa(Ip4Address.valueOf(exact(match, MatchField.ARP_SPA).getInt()));
                return true;
            case ARP_TPA:
                selector.matchArpTpa(Ip4Address.valueOf(exact(match, MatchField.ARP_TPA).getInt()));
                return true;
            case ARP_SHA:
                selector.matchArpSha(mac(exact(match, MatchField.ARP_SHA)));
                return true;
            case ARP_THA:
                selector.matchArpTha(mac(exact(match, MatchField.ARP_THA)));
                return true;
            default:
                return false;
        }
    }

    private static boolean readTransportLayer(TrafficSelector.Builder selector, Match match, MatchField<?> field)
            throws UnsupportedRuleException {
        switch (field.id) {
            case TCP_SRC:
                readPort(match, MatchField.TCP_SRC, selector::matchTcpSrc, selector::matchTcpSrcMasked);
                return true;
            case TCP_DST:
                readPort(match, MatchField.TCP_DST, selector::matchTcpDst, selector::matchTcpDstMasked);
                return true;
            case UDP_SRC:
                readPort(match, MatchField.UDP_SRC, selector::matchUdpSrc, selector::matchUdpSrcMasked);
                return true;
            case UDP_DST:
                readPort(match, MatchField.UDP_DST, selector::matchUdpDst, selector::matchUdpDstMasked);
                return true;
            case SCTP_SRC:
                readPort(match, MatchField.SCTP_SRC, selector::matchSctpSrc, selector::matchSctpSrcMasked);
                return true;
            case SCTP_DST:
                readPort(match, MatchField.SCTP_DST, selector::matchSctpDst, selector::matchSctpDstMasked);
                return true;
            case ICMPV4_TYPE:
                selector.matchIcmpType((byte) exact(match, MatchField.ICMPV4_TYPE).getType());
                return true;
            case ICMPV4_CODE:
                selector.matchIcmpCode((byte) exact(match, MatchField.ICMPV4_CODE).getCode());
                return true;
            case ICMPV6_TYPE:
                selector.matchIcmpv6Type((byte) exact(match, MatchField.ICMPV6_TYPE).getValue());
                return true;
            case ICMPV6_CODE:
                selector.matchIcmpv6Code((byte) exact(match, MatchField.ICMPV6_CODE).getValue());
                return true;
            default:
                return false;
        }
    }

    private static <F extends org.projectfloodlight.openflow.types.OFValueType<F>> F exact(
            Match match, MatchField<F> field) throws UnsupportedRuleException {
        if (!match.isExact(field)) {
            throw new UnsupportedRuleException("no criterion for a mask on the match field " + field.getName());
        }
        return match.get(field);
    }

    private static VlanId vlan(Match match) throws UnsupportedRuleException {
        if (match.isPartiallyMasked(MatchField.VLAN_VID)) {
            Masked<OFVlanVidMatch> vlan = match.getMasked(MatchField.VLAN_VID);
            if (vlan.getValue().equals(OFVlanVidMatch.PRESENT) && vlan.getMask().equals(OFVlanVidMatch.PRESENT)) {
                return VlanId.ANY;
            }
        }
        OFVlanVidMatch vlan = exact(match, MatchField.VLAN_VID);
        return vlan.isPresentBitSet() ? VlanId.vlanId(vlan.getVlan()) : VlanId.NONE;
    }

    private static IpPrefix ipv4(Match match, MatchField<IPv4Address> field) throws UnsupportedRuleException {
        if (match.isExact(field)) {
            return IpPrefix.valueOf(match.get(field).getInt(), IpPrefix.MAX_INET_MASK_LENGTH);
        }
        Masked<IPv4Address> masked = match.getMasked(field);
        if (!masked.getMask().isCidrMask()) {
            throw new UnsupportedRuleException("no criterion for the mask " + masked + " on " + field.getName());
        }
        return IpPrefix.valueOf(masked.getValue().getInt(), masked.getMask().asCidrMaskLength());
    }

    private static IpPrefix ipv6(Match match, MatchField<IPv6Address> field) throws UnsupportedRuleException {
        if (match.isExact(field)) {
            return IpPrefix.valueOf(Ip6Address.valueOf(match.get(field).getBytes()), IpPrefix.MAX_INET6_MASK_LENGTH);
        }
        Masked<IPv6Address> masked = match.getMasked(field);
        if (!masked.getMask().isCidrMask()) {
            throw new UnsupportedRuleException("no criterion for the mask " + masked + " on " + field.getName());
        }
        return IpPrefix.valueOf(Ip6Address.valueOf(masked.getValue().getBytes()), masked.getMask().asCidrMaskLength());
    }

    private static void readMac(Match match, MatchField<org.projectfloodlight.openflow.types.MacAddress> field,
                                java.util.function.Consumer<MacAddress> exact,
                                BiConsumer<MacAddress, MacAddress> masked) {
        if (match.isExact(field)) {
            exact.accept(mac(match.get(field)));
        } else {
            masked.accept(mac(match.getMasked(field).getValue()), mac(match.getMasked(field).getMask()));
        }
    }

    private static void readPort(Match match, MatchField<TransportPort> field,
                                 java.util.function.Consumer<TpPort> exact, BiConsumer<TpPort, TpPort> masked) {
        if (match.isExact(field)) {
            exact.accept(TpPort.tpPort(match.get(field).getPort()));
        } else {
            masked.accept(TpPort.tpPort(match.getMasked(field).getValue().getPort()),
                    TpPort.tpPort(match.getMasked(field).getMask().getPort()));
        }
    }

    private static MacAddress mac(org.projectfloodlight.openflow.types.MacAddress mac) {
        return MacAddress.valueOf(mac.getBytes());
    }
}
