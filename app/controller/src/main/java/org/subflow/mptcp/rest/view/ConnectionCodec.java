// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.onosproject.net.ElementId;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.monitoring.EndedConnection;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;
import org.subflow.mptcp.topology.SubflowStates;

/**
 * A connection with its subflows and what is measured of them as JSON; rates are Mbit/s on the wire. Used by REST and by
 * the Karaf commands.
 */
public final class ConnectionCodec extends JsonCodec<Connection> {
    @Override
    public ObjectNode encode(Connection connection, CodecContext context) {
        return encode(connection, context, context.getService(NameService.class));
    }

    @Override
    public ArrayNode encode(Iterable<Connection> connections, CodecContext context) {
        NameService names = once(context);
        ArrayNode nodes = context.mapper().createArrayNode();
        connections.forEach(connection -> nodes.add(encode(connection, context, names)));
        return nodes;
    }

    /** Returns names of which each is asked for once: many subflows have the same hosts and switches. */
    private static NameService once(CodecContext context) {
        NameService names = context.getService(NameService.class);
        Map<ElementId, Optional<String>> stated = new HashMap<>();
        return element -> stated.computeIfAbsent(element, names::stated);
    }

    private static ObjectNode encode(Connection connection, CodecContext context, NameService names) {
        Measurement measurement = context.getService(MptcpService.class).measurement(connection.id());
        ObjectNode node = context.mapper().createObjectNode()
                .put("id", connection.id().value())
                .put("client", connection.client().toString())
                .put("server", connection.server().toString())
                .put("version", connection.version())
                .put("clientToken", connection.clientToken().map(Token::toString).orElse(null))
                .put("serverToken", connection.serverToken().map(Token::toString).orElse(null))
                .put("state", connection.state().name().toLowerCase(Locale.ROOT))
                .put("deniesJoins", connection.deniesJoins())
                .put("policy", connection.terms().policy().orElse(null))
                .put("strategy", connection.strategy())
                .put("agent", context.getService(MptcpService.class).hasAgent(connection.id()))
                .put("awaitedUntilMillis", awaitedUntil(connection, context))
                .put("createdMillis", connection.createdMillis())
                .put("lastActiveMillis", measurement.lastActiveMillis())
                .put("expectedUpMbps", Mbps.rounded(connection.expected().up()))
                .put("expectedDownMbps", Mbps.rounded(connection.expected().down()));
        Demand demand = context.getService(MptcpService.class).demand(connection.id());
        node.put("demandUpMbps", mbps(demand.up())).put("demandDownMbps", mbps(demand.down()));
        Json.putAttainable(node, context.getService(MptcpService.class).attainableRate(connection.id()));
        SubflowJson.putMeasured(node, measurement.read(connection), connection.expected());
        NetworkSnapshot network = context.getService(NetworkView.class).snapshot();
        ArrayNode disjointIn = node.putArray("disjointIn");
        disjointIn(network, connection).forEach(kind -> disjointIn.add(kind.toString()));
        ArrayNode subflows = node.putArray("subflows");
        for (Subflow subflow : connection.subflows()) {
            subflows.add(SubflowJson.encode(context.mapper(), network, names, subflow,
                                            SubflowStates.told(network, connection, subflow), measurement.read(subflow)));
        }
        return node;
    }

    /** Writes a connection that has ended as it was last, with the time of its end. */
    public ObjectNode encode(EndedConnection ended, CodecContext context) {
        return encode(ended.connection(), context).put("endedMillis", ended.endedMillis());
    }

    /** Writes connections that have ended, with the time of their end. */
    public ArrayNode ended(List<EndedConnection> ended, CodecContext context) {
        NameService names = once(context);
        ArrayNode nodes = context.mapper().createArrayNode();
        ended.forEach(one -> nodes.addObject().put("endedMillis", one.endedMillis())
                .set("connection", encode(one.connection(), context, names)));
        return nodes;
    }

    /** Returns in which ways the paths of the active subflows are disjoint. */
    private static Set<Disjointness> disjointIn(NetworkSnapshot network, Connection connection) {
        List<Path> paths = connection.subflows().stream()
                .filter(subflow -> SubflowStates.told(network, connection, subflow) == SubflowState.ACTIVE)
                .flatMap(subflow -> path(network, subflow).stream()).collect(Collectors.toList());
        return Disjointness.heldBy(network.graph(), paths);
    }

    private static Optional<Path> path(NetworkSnapshot network, Subflow subflow) {
        return subflow.path().isEmpty() ? Optional.empty() : network.path(subflow.path());
    }

    /** Returns until when a connection is awaited, milliseconds of the Unix epoch; null if it is not. */
    private static Long awaitedUntil(Connection connection, CodecContext context) {
        OptionalLong millis = context.getService(AwaitedService.class).awaitedUntil(connection.id());
        return millis.isPresent() ? millis.getAsLong() : null;
    }

    /** Returns a demand in Mbit/s; null if it is unknown or has no limit. */
    private static Double mbps(double demand) {
        return Double.isInfinite(demand) ? null : Mbps.rounded(demand);
    }
}
