// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.SecurityContext;
import org.onosproject.net.Host;
import org.onosproject.net.host.HostService;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.plan.WhatIfAnswer;
import org.subflow.mptcp.api.plan.WhatIfService;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.rest.request.SmallBody;
import org.subflow.mptcp.rest.request.UserLimit;
import org.subflow.mptcp.rest.view.SubflowJson;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/** What a connection that began now would get. Changes nothing. */
@Path("whatif")
public class WhatIfResource extends AbstractWebResource {
    private static final int MOST_STRATEGIES = 16;

    @Context
    SecurityContext security;

    /**
     * Works out paths and expected throughputs for a connection between two hosts, once for each strategy, all at one moment.
     *
     * @param stream {@code {"client": HOST, "server": HOST, "k": SUBFLOWS, "strategies": [NAME, …]}}; a host is one of its
     *               addresses, or its id
     * @return 200 with {@code answers}, in the order of the strategies, each with its {@code subflows} or an
     *         {@code error}; 400 if the question cannot be understood, with a message that says why; 429 if too many
     *         questions are being answered, of this user or of all
     * @throws IOException if the question cannot be read
     */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public Response whatIf(InputStream stream) throws IOException {
        return UserLimit.QUESTIONS.within(security, () -> answers(stream));
    }

    private Response answers(InputStream stream) throws IOException {
        JsonNode question = SmallBody.read(mapper(), stream, "question", "client, server, k and strategies");
        Subflow first = WhatIfService.between(host(question, "client"), host(question, "server"));
        JsonNode number = question.path("k");
        int k = number.isIntegralNumber() && number.canConvertToInt() ? number.asInt() : 0;
        if (k < 1 || k > 64) {
            throw new IllegalArgumentException("k is the number of subflows, from 1 to 64");
        }
        ObjectNode root = mapper().createObjectNode();
        ArrayNode answers = root.putArray("answers");
        List<String> strategies = strategies(question);
        List<WhatIfAnswer> told = get(WhatIfService.class).whatIf(strategies, k, first);
        NetworkSnapshot network = get(NetworkView.class).snapshot();
        for (int i = 0; i < strategies.size(); i++) {
            WhatIfAnswer answer = told.get(i);
            ObjectNode node = answers.addObject().put("strategy", strategies.get(i)).put("error", answer.error().orElse(null));
            answer.connection().ifPresent(connection -> write(node, connection, answer.micros(), network));
        }
        return ok(root).build();
    }

    private Host host(JsonNode question, String role) {
        try {
            return WhatIfService.host(get(HostService.class), question.path(role).asText(""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(role + ": " + e.getMessage(), e);
        }
    }

    private static List<String> strategies(JsonNode question) {
        List<String> names = new ArrayList<>();
        JsonNode list = question.path("strategies");
        list.forEach(name -> names.add(name.isTextual() ? name.asText() : null));
        if (!list.isArray() || names.isEmpty() || names.size() > MOST_STRATEGIES || names.contains(null)) {
            throw new IllegalArgumentException("strategies is a list of 1 to " + MOST_STRATEGIES + " names");
        }
        return names;
    }

    private void write(ObjectNode node, Connection connection, long micros, NetworkSnapshot network) {
        Rates expected = connection.expected();
        node.put("expectedMbps", Mbps.rounded(expected.larger()))
                .put("expectedUpMbps", Mbps.rounded(expected.up()))
                .put("expectedDownMbps", Mbps.rounded(expected.down()))
                .put("micros", micros);
        NameService names = get(NameService.class);
        ArrayNode subflows = node.putArray("subflows");
        for (Subflow subflow : connection.subflows()) {
            subflows.add(SubflowJson.encode(mapper(), network, names, subflow, subflow.state(), Optional.empty()));
        }
    }
}
