// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;
import org.onosproject.net.Link;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.Criterion.Type;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Turns routes into rules and {@link SubflowPathIntent}s: one per subflow and direction. Where its
 * path has a label ({@link LabelledPath}), a direction has one rule of its own. Stateless.
 */
public final class SubflowRules {
    private static final MacAddress INDIVIDUAL = MacAddress.valueOf("fe:ff:ff:ff:ff:ff");

    private SubflowRules() {
    }

    /**
     * Returns two intents: one for the five-tuple's direction, then one for the opposite direction.
     *
     * @param intent the intent of the connection; not null
     * @param owner  the application of the rules; not null
     * @param route  a route of the connection; not null
     */
    static List<SubflowPathIntent> of(MptcpIntent intent, ApplicationId owner, SubflowRoute route) {
        return ImmutableList.of(
                intent(intent, owner, route.tuple(), route.ingress(), route.forward(), route.egress(), route.forwardPath()),
                intent(intent, owner, route.tuple().reversed(), route.egress(), route.backward(), route.ingress(),
                       route.backwardPath()));
    }

    private static SubflowPathIntent intent(MptcpIntent of, ApplicationId owner, FiveTuple tuple, ConnectPoint ingress,
                                            List<Link> links, ConnectPoint egress, Optional<LabelledPath> label) {
        TrafficSelector match = selector(tuple);
        return SubflowPathIntent.of(of, tuple, match, ingress, links, egress, label
                .map(path -> labelling(owner, match, ingress, links, path))
                .orElseGet(() -> rules(owner, match, ingress, links, egress)));
    }

    /** Returns the one rule of a subflow's direction whose path has a label: its frames go to the host that the path restores. */
    private static List<FlowRule> labelling(ApplicationId owner, TrafficSelector match, ConnectPoint ingress, List<Link> links,
                                            LabelledPath path) {
        return ImmutableList.of(rule(owner, match, ingress, DefaultTrafficTreatment.builder().setEthDst(path.label()),
                                     links.get(0).src()));
    }

    private static List<FlowRule> rules(ApplicationId owner, TrafficSelector match, ConnectPoint ingress, List<Link> links,
                                        ConnectPoint egress) {
        ImmutableList.Builder<FlowRule> rules = ImmutableList.builder();
        ConnectPoint in = ingress;
        for (Link link : links) {
            rules.add(rule(owner, match, in, DefaultTrafficTreatment.builder(), link.src()));
            in = link.dst();
        }
        return rules.add(rule(owner, match, in, DefaultTrafficTreatment.builder(), egress)).build();
    }

    private static FlowRule rule(ApplicationId owner, TrafficSelector match, ConnectPoint in, TrafficTreatment.Builder treatment,
                                 ConnectPoint out) {
        checkArgument(in.deviceId().equals(out.deviceId()), "%s and %s are not on one switch", in, out);
        return DefaultFlowRule.builder()
                .fromApp(owner)
                .forDevice(in.deviceId())
                .withPriority(MptcpIntent.PRIORITY)
                .withSelector(DefaultTrafficSelector.builder(match).matchInPort(in.port()).build())
                .withTreatment(treatment.setOutput(out.port()).build())
                .makePermanent()
                .build();
    }

    /** Returns the exact match of one direction of a TCP connection, between its hosts. */
    public static TrafficSelector selector(FiveTuple tuple) {
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

    /** Returns the five-tuple that a {@link #selector} matches, at any input port; empty if it matches none. */
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
