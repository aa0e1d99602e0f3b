// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;

/** {@code mptcp-connection-add} and {@code mptcp-connection-remove}. */
class ConnectionAddCommandTest extends CommandScenario {
    private static final String ADD = "onos:mptcp-connection-add ";

    @Test
    void itsSubflowsAreTheGivenOnesInTheirOrder() throws Exception {
        assertEquals(List.of("Connection awaited-1 is awaited for 60 seconds."),
                     shell.run(ADD + "-t 60 10.0.0.1:1,10.0.0.2:5201 10.0.0.1:2,10.0.0.2:5201"));
        assertEquals(List.of(FiveTuple.parse("10.0.0.1:1", "10.0.0.2:5201"), FiveTuple.parse("10.0.0.1:2", "10.0.0.2:5201")),
                     awaited.added.get(0));
        assertEquals(60_000, awaited.awaitedUntil(ConnectionId.of("awaited-1")).getAsLong());
    }

    @Test
    void jsonIsTheConnection() throws Exception {
        JsonNode json = shell.json(ADD + "-j '[fd00::1]:1,[fd00::2]:2'");
        assertEquals("[fd00::1]:1", json.at("/subflows/0/src").asText(), json::toString);
        assertEquals(300_000, json.path("awaitedUntilMillis").asLong(), json::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1:1", "10.0.0.1:1,10.0.0.2", "10.0.0.1:1,10.0.0.2:70000", "10.0.0.1:1,10.0.0.2:2,10.0.0.3:3",
        "300.0.0.1:1,10.0.0.2:2", "'[fd00::1]:1,10.0.0.2:2'", "-t 0 10.0.0.1:1,10.0.0.2:2", "-t x 10.0.0.1:1,10.0.0.2:2", "''"})
    void whatCannotBeFailsWithOneLine(String arguments) {
        String error = shell.error(ADD + arguments);
        assertFalse(error.isEmpty() || error.contains("\n") || error.contains("Exception"), error);
        assertEquals(List.of(), awaited.added);
    }

    @Test
    void whatIsNotAdmittedFailsAndSaysWhy() {
        awaited.refusal = "the connection is not admitted: its policy leaves it unmanaged";
        assertEquals(awaited.refusal, shell.error(ADD + "10.0.0.1:1,10.0.0.2:2"));
        assertEquals(awaited.refusal, shell.error("onos:mptcp-connection-remove aaaa0001"));
    }

    @Test
    void itIsRemoved() throws Exception {
        shell.run(ADD + "10.0.0.1:1,10.0.0.2:2");
        assertEquals(List.of("Connection awaited-1 is removed."), shell.run("onos:mptcp-connection-remove awaited-1"));
        assertEquals("No MPTCP connection has the id awaited-1; mptcp-connections -a lists them",
                     shell.error("onos:mptcp-connection-remove awaited-1"));
    }

    @Test
    void namesOfAwaitedConnectionsAreCompleted() {
        assertEquals(List.of(), shell.completed("mptcp-connection-remove "));
        awaited.until.put(ConnectionId.of(ThreeConnections.DOWN), 1L);
        assertEquals(List.of(ThreeConnections.DOWN), shell.completed("mptcp-connection-remove "));
    }
}
