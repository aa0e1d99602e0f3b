// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.TpPort;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultEdgeLink;
import org.onosproject.net.DefaultPath;
import org.onosproject.net.Link;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.Criterion.Type;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.Key;
import org.onosproject.net.intent.PathIntent;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.FiveTuple;

/** Turns routes into ONOS's installable {@link PathIntent}s: one per subflow and direction. Stateless. */
public final class SubflowPathIntents {
    private static final ProviderId PROVIDER = new ProviderId("mptcp", "org.subflow.mptcp.intent");

    private SubflowPathIntents() {
    }

    /** Returns two intents: one for the five-tuple's direction, then one for the opposite direction. */
    public static List<Intent> of(ApplicationId appId, Key key, int priority, SubflowRoute route) {
        return ImmutableList.of(
                pathIntent(appId, key, priority, route.tuple(), route.ingress(), route.forward(), route.egress()),
                pathIntent(appId, key, priority, route.tuple().reversed(),
                           route.egress(), route.backward(), route.ingress()));
    }

    private static Intent pathIntent(ApplicationId appId, Key key, int priority, FiveTuple tuple,
                                     ConnectPoint ingress, List<Link> links, ConnectPoint egress) {
        List<Link> all = ImmutableList.<Link>builder()
                .add(DefaultEdgeLink.createEdgeLink(ingress, true))
                .addAll(links)
                .add(DefaultEdgeLink.createEdgeLink(egress, false))
                .build();
        return pathIntent(appId, key, priority, tuple, all);
    }

    /** Returns an intent for the rules of a tail. */
    static Intent of(ApplicationId appId, Key key, int priority, PathTail tail) {
        return pathIntent(appId, key, priority, tail.tuple(), ImmutableList.<Link>builder()
                .addAll(tail.links())
                .add(DefaultEdgeLink.createEdgeLink(tail.egress(), false))
                .build());
    }

    private static Intent pathIntent(ApplicationId appId, Key key, int priority, FiveTuple tuple, List<Link> all) {
        return PathIntent.builder()
                .appId(appId)
                .key(key)
                .priority(priority)
                .selector(selector(tuple))
                .treatment(DefaultTrafficTreatment.emptyTreatment())
                .path(new DefaultPath(PROVIDER, all, null))
                .build();
    }

    /** Returns the exact match of one direction of a TCP connection. */
    public static TrafficSelector selector(FiveTuple tuple) {
        return addresses(tuple).matchTcpSrc(TpPort.tpPort(tuple.sourcePort()))
                .matchTcpDst(TpPort.tpPort(tuple.destinationPort()))
                .build();
    }

    /** Returns the match of all connections between two hosts that go to the same port as this one. */
    public static TrafficSelector selectorToService(FiveTuple tuple) {
        return addresses(tuple).matchTcpDst(TpPort.tpPort(tuple.destinationPort())).build();
    }

    /** Returns the match of all connections between two hosts that come from the same port as this one. */
    public static TrafficSelector selectorFromService(FiveTuple tuple) {
        return addresses(tuple).matchTcpSrc(TpPort.tpPort(tuple.sourcePort())).build();
    }

    private static TrafficSelector.Builder addresses(FiveTuple tuple) {
        TrafficSelector.Builder selector = DefaultTrafficSelector.builder().matchIPProtocol(IPv4.PROTOCOL_TCP);
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
        return Optional.of(FiveTuple.of(source.ip().address(), sourcePort.tcpPort().toInt(),
                                        destination.ip().address(), destinationPort.tcpPort().toInt()));
    }

    private static <T extends Criterion> T criterion(Class<T> kind, TrafficSelector selector, Type one, Type other) {
        Criterion found = selector.getCriterion(one);
        return kind.cast(found != null ? found : selector.getCriterion(other));
    }
}
