// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.NetworkSnapshot;

/** Connections on their new paths, as JSON. */
public final class MovesJson {
    private MovesJson() {
    }

    /** Returns an object with one element per moved connection, in their order. */
    public static ObjectNode encode(ObjectMapper mapper, NetworkSnapshot network, NameService names, List<Connection> moved) {
        ObjectNode root = mapper.createObjectNode();
        ArrayNode moves = root.putArray("moves");
        moved.forEach(connection -> moves.add(encode(mapper, network, names, connection)));
        return root;
    }

    private static ObjectNode encode(ObjectMapper mapper, NetworkSnapshot network, NameService names, Connection connection) {
        Rates expected = connection.expected();
        ObjectNode node = mapper.createObjectNode().put("id", connection.id().value())
                .put("expectedUpMbps", Mbps.rounded(expected.up()))
                .put("expectedDownMbps", Mbps.rounded(expected.down()));
        ArrayNode subflows = node.putArray("subflows");
        for (Subflow subflow : connection.subflows()) {
            subflows.add(SubflowJson.encode(mapper, network, names, subflow, subflow.state(), Optional.empty()));
        }
        return node;
    }
}
