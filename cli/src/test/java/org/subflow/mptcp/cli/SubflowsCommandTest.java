// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code mptcp-subflows}, of all connections and of one, and the names that it completes. */
class SubflowsCommandTest extends CommandScenario {
    @Test
    void theTableHasEverySubflowWithItsPath() throws Exception {
        List<String> lines = shell.run("onos:mptcp-subflows");
        assertEquals(6, lines.size());
        assertEquals("aaaa0001   10.0.0.1:40001        10.0.0.2:5201         active       4.00/1.00     3.00/0.50   75 %",
                     lines.get(1));
        assertEquals("           s1 > Berlin", lines.get(2));
        assertEquals("bbbb0002   10.0.0.1:40003        10.0.0.2:5201         down         0.00/0.00     0.00/0.00      -",
                     lines.get(5));
        assertEquals("           of:1 > of:2", shell.run("onos:mptcp-subflows -l").get(2));
    }

    @Test
    void oneConnectionIsShownEvenIfItIsIdle() throws Exception {
        List<String> lines = shell.run("onos:mptcp-subflows " + ThreeConnections.IDLE);
        assertEquals(2, lines.size());
        assertTrue(lines.get(1).contains("idle"), lines.get(1));
    }

    @Test
    void oneThatHasEndedHasItsSubflowsAsTheyWereLast() throws Exception {
        end("c9");
        List<String> lines = shell.run("onos:mptcp-subflows c9");
        assertEquals(4, lines.size());
        assertTrue(lines.get(0).matches("c9 ended 2023-11-1\\d \\d\\d:\\d\\d:20\\. Its subflows as they were last:"), lines.get(0));
        assertEquals("c9         10.0.0.1:40001        10.0.0.2:5201         active       4.00/1.00             -      -", lines.get(2));
        assertEquals("           s1 > Berlin", lines.get(3));
        JsonNode json = shell.json("onos:mptcp-subflows -j c9");
        assertEquals("c9", json.at("/0/connection").asText());
        assertEquals(1_700_000_000_000L, json.at("/0/endedMillis").asLong());
        assertTrue(shell.json("onos:mptcp-subflows -j").at("/0/endedMillis").isMissingNode());
    }

    @Test
    void anUnknownConnectionIsAnError() throws Exception {
        assertEquals("No MPTCP connection has the id nobody; mptcp-connections -a lists them",
                     shell.error("onos:mptcp-subflows nobody"));
        assertEquals("No MPTCP connection has the id nobody; mptcp-connections -a lists them",
                     shell.error("onos:mptcp-subflows -j nobody"));
    }

    @Test
    void jsonSaysWhichConnectionASubflowBelongsTo() throws Exception {
        JsonNode json = shell.json("onos:mptcp-subflows -j");
        assertEquals(3, json.size());
        assertEquals(ThreeConnections.ACTIVE, json.at("/0/connection").asText());
        assertEquals("10.0.0.1:40002", json.at("/1/src").asText());
        assertEquals("[\"of:1\",\"of:2\"]", json.at("/1/path").toString());
        assertEquals("[\"s1\",\"Berlin\"]", json.at("/1/pathNames").toString());
        assertEquals(ThreeConnections.DOWN, json.at("/2/connection").asText());
        assertEquals(1, shell.json("onos:mptcp-subflows -j " + ThreeConnections.DOWN).size());
    }

    @Test
    void namesOfConnectionsAreCompleted() {
        assertEquals(List.of("aaaa0001"), shell.completed("mptcp-subflows aa"));
        assertEquals(List.of("aaaa0001", "bbbb0002", "cccc0003"), shell.completed("mptcp-subflows "));
        assertEquals(List.of(), shell.completed("mptcp-subflows x"));
    }
}
