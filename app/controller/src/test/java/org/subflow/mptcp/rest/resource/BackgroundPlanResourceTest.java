// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.plan.BackgroundPlanService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.rest.RestScenario;
import org.subflow.mptcp.topology.Nets;

/** What a background plan would move. */
class BackgroundPlanResourceTest extends RestScenario {
    @Test
    void movesAreConnectionsOnTheirNewPathsInTheirOrder() throws Exception {
        offer(BackgroundPlanService.class, () -> List.of(connection("second", 2001), connection("first", 2002)));
        JsonNode moves = get("plan/background").path("moves");
        assertEquals(2, moves.size());
        assertEquals("second", moves.at("/0/id").asText());
        assertEquals("first", moves.at("/1/id").asText());
        assertEquals(6.0, moves.at("/0/expectedUpMbps").asDouble());
        assertEquals(3.0, moves.at("/0/expectedDownMbps").asDouble());
        assertEquals("[\"of:1\",\"of:3\",\"of:5\"]", moves.at("/0/subflows/0/path").toString());
    }

    @Test
    void aPlanWithoutMovesIsAnAnswer() throws Exception {
        offer(BackgroundPlanService.class, List::of);
        assertEquals("{\"moves\":[]}", get("plan/background").toString());
    }

    private static Connection connection(String id, int port) {
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 5201);
        Subflow subflow = Subflow.unrouted(tuple, true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, 3), Nets.link(3, 5)),
                           List.of(Nets.link(5, 3), Nets.link(3, 1)), 10e6)
                .withExpected(Rates.of(6e6, 3e6));
        return Connection.opened(ConnectionId.of(id), 1, null, null, Settings.DEFAULTS.terms(), 0, subflow);
    }
}
