// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;

/** The network and its connections, as the service tells of them, in the core's terms. Immutable. */
final class ToldNetwork {
    private final NetworkState state;
    private final List<Link> links;

    private ToldNetwork(NetworkState state, List<Link> links) {
        this.state = state;
        this.links = links;
    }

    static ToldNetwork of(MptcpService mptcp) {
        Map<ConnectPoint, LinkUsage> bySource = new HashMap<>();
        List<LinkUsage> usages = mptcp.links();
        usages.forEach(usage -> bySource.put(usage.link().src(), usage));
        Map<DeviceId, Integer> nodes = new HashMap<>();
        for (LinkUsage usage : usages) {
            nodes.putIfAbsent(usage.link().src().deviceId(), nodes.size());
            nodes.putIfAbsent(usage.link().dst().deviceId(), nodes.size());
        }
        // A network without links is one switch.
        Graph.Builder graph = Graph.builder(Math.max(1, nodes.size()));
        Map<ConnectPoint, Integer> arcs = new HashMap<>();
        List<Link> links = new ArrayList<>();
        List<Double> others = new ArrayList<>();
        for (LinkUsage usage : usages) {
            Link link = usage.link();
            LinkUsage back = bySource.get(link.dst());
            if (arcs.containsKey(link.src()) || back == null || !back.link().dst().equals(link.src())) {
                // Its other direction has been added, or there is none: paths need both.
                continue;
            }
            arcs.put(link.src(), links.size());
            arcs.put(link.dst(), links.size() + 1);
            links.add(link);
            links.add(back.link());
            others.add(usage.others());
            others.add(back.others());
            graph.link(nodes.get(link.src().deviceId()), nodes.get(link.dst().deviceId()), usage.capacity(), back.capacity());
        }
        Graph built = graph.build();
        List<PlacedConnection> placed = new ArrayList<>();
        for (Connection connection : mptcp.connections()) {
            placed(connection, built, arcs).map(one -> one.withDemand(mptcp.demand(connection.id()))).ifPresent(placed::add);
        }
        return new ToldNetwork(NetworkState.of(built, others.stream().mapToDouble(Double::doubleValue).toArray(), placed), links);
    }

    /** Returns a connection on its paths; empty if none of its subflows has one. */
    private static Optional<PlacedConnection> placed(Connection connection, Graph graph, Map<ConnectPoint, Integer> arcs) {
        List<PlacedSubflow> subflows = new ArrayList<>();
        for (Subflow subflow : connection.subflows()) {
            int[] path = subflow.path().stream().mapToInt(link -> arcs.getOrDefault(link.src(), -1)).toArray();
            if (subflow.state() == SubflowState.ACTIVE && path.length > 0 && Arrays.stream(path).allMatch(arc -> arc >= 0)) {
                Path on = Path.of(graph, path);
                subflows.add(PlacedSubflow.unplaced(on.source(), on.target(), subflow.fromClient(), subflow.isJoin(), 0)
                                     .on(PlacedSubflow.Role.OWN, on).withExpected(subflow.expected()));
            }
        }
        PlacementTerms terms = PlacementTerms.of(connection.terms().strategy(), connection.terms().subflows(),
                                                 connection.terms().joinPolicy())
                .withShare(connection.terms().weight(), connection.terms().cap());
        return subflows.isEmpty() ? Optional.empty()
                : Optional.of(new PlacedConnection(connection.id().value(), terms, Demand.UNLIMITED, subflows));
    }

    /** Returns the network with the connections that have paths between two switches. */
    NetworkState state() {
        return state;
    }

    /** Returns the link of an arc. */
    Link link(int arc) {
        return links.get(arc);
    }

    /** Returns whether a connection has a path. */
    boolean has(ConnectionId id) {
        return state.connection(id.value()).isPresent();
    }
}
