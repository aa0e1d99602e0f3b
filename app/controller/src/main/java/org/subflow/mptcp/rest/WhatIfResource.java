// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.host.HostService;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.WhatIfService;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.Rates;

/** What a connection that began now would get. Changes nothing. */
@Path("whatif")
public class WhatIfResource extends AbstractWebResource {
    private static final int MOST_STRATEGIES = 16;
    private static final int MOST_BYTES = 10_000;
    private static final int ANY_PORT = 0;
    private static final long NANOS_PER_MICRO = 1000;

    /**
     * Works out paths and expected throughputs for a connection between two hosts, once for each strategy.
     *
     * @param stream {@code {"client": HOST-ID, "server": HOST-ID, "k": SUBFLOWS, "strategies": [NAME, …]}}
     * @return 200 with {@code answers}, in the order of the strategies, each with its {@code subflows} or an
     *         {@code error}; 400 if the question cannot be understood, with a message that says why
     * @throws IOException if the question cannot be read
     */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public Response whatIf(InputStream stream) throws IOException {
        JsonNode question = read(stream);
        Subflow first = between(host(question, "client"), host(question, "server"));
        JsonNode number = question.path("k");
        int k = number.isIntegralNumber() && number.canConvertToInt() ? number.asInt() : 0;
        if (k < 1 || k > 64) {
            throw new IllegalArgumentException("k is the number of subflows, from 1 to 64");
        }
        ObjectNode root = mapper().createObjectNode();
        ArrayNode answers = root.putArray("answers");
        strategies(question).forEach(strategy -> answers.add(answer(strategy, k, first)));
        return ok(root).build();
    }

    private JsonNode read(InputStream stream) throws IOException {
        byte[] text = stream.readNBytes(MOST_BYTES);
        try {
            JsonNode question = mapper().readTree(text);
            if (question != null && question.isObject()) {
                return question;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the question is not JSON", e);
        }
        throw new IllegalArgumentException("the question is an object with client, server, k and strategies");
    }

    private Host host(JsonNode question, String role) {
        String name = question.path(role).asText("");
        Host host = null;
        try {
            host = get(HostService.class).getHost(HostId.hostId(name));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(role + " '" + name + "' is no host id, as 'hosts' lists them", e);
        }
        if (host == null) {
            throw new IllegalArgumentException(role + ": ONOS knows no host " + name);
        }
        return host;
    }

    /** Makes a first subflow between addresses of both hosts, of the same IP version; its ports stand for any. */
    private static Subflow between(Host client, Host server) {
        if (client.id().equals(server.id())) {
            throw new IllegalArgumentException("client and server are the same host");
        }
        for (IpAddress one : sorted(client)) {
            for (IpAddress other : sorted(server)) {
                if (one.version() == other.version()) {
                    FiveTuple tuple = FiveTuple.of(one, ANY_PORT, other, ANY_PORT);
                    return Subflow.unrouted(tuple, true, false, port(client), port(server));
                }
            }
        }
        throw new IllegalArgumentException("ONOS knows no addresses of " + client.id() + " and " + server.id()
                                                   + " of the same IP version; it learns them when they talk");
    }

    private static List<IpAddress> sorted(Host host) {
        return host.ipAddresses().stream().sorted().collect(Collectors.toList());
    }

    private static ConnectPoint port(Host host) {
        return new ConnectPoint(host.location().elementId(), host.location().port());
    }

    private static List<String> strategies(JsonNode question) {
        List<String> names = new ArrayList<>();
        question.path("strategies").forEach(name -> names.add(name.asText()));
        if (names.isEmpty() || names.size() > MOST_STRATEGIES) {
            throw new IllegalArgumentException("strategies is a list of 1 to " + MOST_STRATEGIES + " names");
        }
        return names;
    }

    private ObjectNode answer(String strategy, int k, Subflow first) {
        ObjectNode node = mapper().createObjectNode().put("strategy", strategy);
        long begin = System.nanoTime();
        try {
            Connection connection = get(WhatIfService.class).whatIf(settings(strategy, k), first);
            return write(node, connection, (System.nanoTime() - begin) / NANOS_PER_MICRO);
        } catch (IllegalArgumentException e) {
            return node.put("error", e.getMessage());
        }
    }

    private Settings settings(String strategy, int k) {
        Settings now = get(SettingsService.class).settings();
        return Settings.builder()
                .strategy(strategy)
                .subflows(k)
                .allocator(now.allocator())
                .joinPolicy(now.joinPolicy())
                .build();
    }

    private ObjectNode write(ObjectNode node, Connection connection, long micros) {
        Rates expected = connection.expected();
        node.putNull("error")
                .put("expectedMbps", Mbps.rounded(expected.larger()))
                .put("expectedUpMbps", Mbps.rounded(expected.up()))
                .put("expectedDownMbps", Mbps.rounded(expected.down()))
                .put("micros", micros);
        ArrayNode subflows = node.putArray("subflows");
        for (Subflow subflow : connection.subflows()) {
            subflows.add(SubflowJson.encode(mapper(), subflow, Rates.ZERO));
        }
        return node;
    }
}
