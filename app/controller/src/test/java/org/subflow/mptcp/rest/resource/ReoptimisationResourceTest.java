// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.plan.ReoptimisationService;
import org.subflow.mptcp.rest.RestScenario;
import org.subflow.mptcp.rest.Scene;

/** Moves to better paths on demand. */
class ReoptimisationResourceTest extends RestScenario {
    private final Scene scene = new Scene();
    private final List<Optional<ConnectionId>> asked = new ArrayList<>();
    private Connection known;

    @BeforeEach
    void offerMoves() {
        known = scene.connections.get(Scene.BUSY);
        offer(ReoptimisationService.class, id -> {
            asked.add(id);
            return List.of(known);
        });
        mptcp.put(known);
    }

    @Test
    void allConnectionsOrOneAreExamined() throws Exception {
        JsonNode all = body(200, send(ADMIN, "POST", "reoptimize", ""));
        assertEquals(known.id().value(), all.at("/moves/0/id").asText());
        assertEquals(known.subflows().size(), all.at("/moves/0/subflows").size());
        body(200, send(ADMIN, "POST", "reoptimize?connection=" + known.id(), ""));
        assertEquals(List.of(Optional.empty(), Optional.of(known.id())), asked);
    }

    @Test
    void nobodyIsMovedForAnUnknownNameOrAViewer() throws Exception {
        assertEquals("No MPTCP connection has the id nobody",
                     refusal(404, send(ADMIN, "POST", "reoptimize?connection=nobody", "")));
        assertTrue(refusal(400, send(ADMIN, "POST", "reoptimize?connection=a%20b", "")).contains("is not a connection id"));
        assertEquals("'conection' is no parameter; there is connection",
                     refusal(400, send(ADMIN, "POST", "reoptimize?conection=" + known.id(), "")));
        assertEquals("a parameter has no name", refusal(400, send(ADMIN, "POST", "reoptimize?=" + known.id(), "")));
        assertEquals(403, send(VIEWER, "POST", "reoptimize", "").statusCode());
        assertEquals(List.of(), asked);
    }
}
