// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.host.Answer;
import org.subflow.mptcp.host.ToldPaths;
import org.subflow.mptcp.placement.Mbps;

/** What agents are told, as JSON; rates are Mbit/s on the wire. */
final class AnswerJson {
    private AnswerJson() {
    }

    static ObjectNode encode(ObjectMapper mapper, Answer answer) {
        ObjectNode root = mapper.createObjectNode().put("revision", answer.revision)
                .put("pathManager", answer.managesPaths ? "user" : "kernel");
        ArrayNode connections = root.putArray("connections");
        for (Answer.ToldConnection connection : answer.connections) {
            ObjectNode node = connections.addObject()
                    .put("id", connection.id.value())
                    .put("attainableMbps", Mbps.rounded(connection.attainable))
                    .put("availableMbps", Mbps.rounded(connection.available))
                    .put("expectedMbps", Mbps.rounded(connection.expected));
            ArrayNode subflows = node.putArray("subflows");
            for (Answer.ToldSubflow subflow : connection.subflows) {
                subflows.addObject()
                        .put("local", subflow.tuple.sourceText())
                        .put("remote", subflow.tuple.destinationText())
                        .put("expectedMbps", Mbps.rounded(subflow.expected))
                        .put("state", subflow.state.name().toLowerCase(Locale.ROOT));
            }
            connection.paths.ifPresent(paths -> write(paths, node));
        }
        return root;
    }

    private static void write(ToldPaths paths, ObjectNode node) {
        node.set("first", write(paths.first, node.objectNode()));
        write(paths.command.add, node.putArray("add"));
        write(paths.command.drop, node.putArray("drop"));
        write(paths.backups, node.putArray("backups"));
    }

    private static void write(List<FiveTuple> tuples, ArrayNode list) {
        tuples.forEach(tuple -> write(tuple, list.addObject()));
    }

    private static ObjectNode write(FiveTuple tuple, ObjectNode node) {
        return node.put("local", tuple.sourceText()).put("remote", tuple.destinationText());
    }
}
