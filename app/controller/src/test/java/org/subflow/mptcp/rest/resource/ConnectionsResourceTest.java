// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.codec.CodecService;
import org.onosproject.net.ElementId;
import org.onosproject.net.Link;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.history.ConnectionHistory;
import org.subflow.mptcp.history.Histories;
import org.subflow.mptcp.rest.RestScenario;
import org.subflow.mptcp.rest.Scene;
import org.subflow.mptcp.topology.Nets;

/** Connections and their lives over HTTP. */
class ConnectionsResourceTest extends RestScenario {
    private final ConnectionHistory history = new ConnectionHistory();

    @BeforeEach
    void remember() {
        offer(HistoryService.class, history);
    }

    @Test
    void withoutConnectionsTheListIsEmpty() throws Exception {
        assertEquals("{\"connections\":[],\"ended\":[]}", get("connections").toString());
    }

    @Test
    void aConnectionHasItsHostsItsRatesAndItsSubflows() throws Exception {
        mptcp.addRunning();
        JsonNode connection = get("connections").at("/connections/0");
        assertEquals("62c2ac68", connection.path("id").asText());
        assertEquals("10.0.0.1", connection.path("client").asText());
        assertEquals("10.0.0.2", connection.path("server").asText());
        assertEquals("active", connection.path("state").asText());
        assertEquals("multiflow", connection.path("strategy").asText());
        assertEquals("00000011", connection.path("clientToken").asText());
        assertEquals(2000, connection.path("lastActiveMillis").asLong());
        assertRates(connection);
        assertEquals(0.5, connection.path("ratio").asDouble(), "of the larger direction");
        assertEquals(10.0, connection.at("/availableUpMbps").asDouble());
        assertEquals(6.0, connection.at("/fairDownMbps").asDouble());
    }

    @Test
    void aSubflowHasItsPath() throws Exception {
        mptcp.addRunning();
        JsonNode subflow = get("connections/62c2ac68").at("/subflows/0");
        assertEquals("10.0.0.1:40000", subflow.path("src").asText());
        assertEquals("10.0.0.2:5201", subflow.path("dst").asText());
        assertEquals("active", subflow.path("state").asText());
        assertEquals("[\"of:1\",\"of:2\",\"of:5\"]", subflow.path("path").toString());
        assertEquals("[\"of:1/2\",\"of:2/5\"]", subflow.path("links").toString());
        assertEquals(10.0, subflow.path("bottleneckMbps").asDouble());
        assertEquals(8.0, subflow.path("expectedMbps").asDouble());
        assertRates(subflow);
    }

    @Test
    void aSubflowWithoutAPathHasNoBottleneckAndNoRatio() throws Exception {
        Connection connection = mptcp.addRunning();
        mptcp.put(connection.mapSubflows(subflow -> subflow.withoutRoute(SubflowState.DOWN)));
        JsonNode subflow = get("connections/62c2ac68").at("/subflows/0");
        assertEquals("[]", subflow.path("path").toString());
        assertTrue(subflow.get("bottleneckMbps").isNull());
        assertTrue(subflow.get("ratio").isNull(), "nothing is expected of it");
    }

    @Test
    void whatLimitsAConnection() throws Exception {
        mptcp.addRunning();
        assertEquals("MPTCP connection 62c2ac68 has no path between two switches now",
                     refusal(409, send(ADMIN, "GET", "connections/62c2ac68/limits", "")), "no link is told of");
        for (Link link : Nets.diamondLinks()) {
            mptcp.links.add(new LinkUsage(link, Nets.capacity(8e6), 0, 0, 0, 0));
        }
        JsonNode limits = get("connections/62c2ac68/limits");
        assertEquals("up", limits.path("direction").asText());
        assertFalse(limits.path("limitedByDemand").asBoolean());
        assertEquals("{\"source\":\"of:1/2\",\"target\":\"of:2/1\",\"sourceName\":\"s1/2\",\"targetName\":\"s2/1\",\"capacityMbps\":8.0,\"gainMbps\":0.0,\"connections\":[\"62c2ac68\"]}",
                     limits.at("/limitedBy/0").toString(), "the next link is full, too");
        assertEquals(2, limits.path("limitedBy").size());
        assertEquals(3, limits.path("minimumCut").size());
        assertEquals("No MPTCP connection has the id nobody", refusal(404, send(ADMIN, "GET", "connections/nobody/limits", "")));
    }

    @Test
    void whatHasEndedHasNoLimitsAndSaysWhatIsKept() throws Exception {
        Connection connection = mptcp.addRunning();
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.OPENED, connection));
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.CLOSED, connection));
        mptcp.remove(connection.id());
        assertEquals("MPTCP connection 62c2ac68 has ended, and nothing limits it now; it was last expected to get 8.0 Mbit/s to the server",
                     refusal(409, send(ADMIN, "GET", "connections/62c2ac68/limits", "")));
        assertEquals(8.0, get("connections/62c2ac68").path("expectedUpMbps").asDouble());
    }

    @Test
    void hostsAndSwitchesHaveTheirNamesBesideTheirIdentifiers() throws Exception {
        List<ElementId> asked = new ArrayList<>();
        offer(NameService.class, id -> {
            asked.add(id);
            return Optional.ofNullable(Map.of("of:2", "Berlin", "00:00:00:00:00:01/None", "h1").get(id.toString()));
        });
        mptcp.put(new Scene().connections.get(Scene.BUSY));
        JsonNode subflows = get("connections").at("/connections/0/subflows");
        assertEquals("[\"s1\",\"Berlin\",\"s5\"]", subflows.at("/0/pathNames").toString());
        assertEquals("[\"s1\",\"s3\",\"s5\"]", subflows.at("/1/pathNames").toString());
        assertEquals("h1", subflows.at("/0/srcHostName").asText());
        assertTrue(subflows.at("/0/dstHostName").isNull(), "ONOS has no name for it");
        assertTrue(subflows.at("/2/srcHostName").isNull(), "no frame has shown it");
        assertEquals(asked.size(), Set.copyOf(asked).size(), () -> "once each in one answer: " + asked);
        assertEquals(subflows, get("connections/" + Scene.BUSY).path("subflows"));
    }

    @Test
    void anUnknownConnectionIsNotFound() throws Exception {
        assertEquals("No MPTCP connection has the id nobody", refusal(404, send(ADMIN, "GET", "connections/nobody", "")));
        assertEquals("No MPTCP connection has or had the id nobody",
                     refusal(404, send(ADMIN, "GET", "connections/nobody/events", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"connections/%20", "connections/a%20b/events", "connections/-"})
    void whatCannotBeANameIsABadRequest(String path) throws Exception {
        assertTrue(refusal(400, send(ADMIN, "GET", path, "")).contains("is not a connection id"));
    }

    @Test
    void theLifeOfAConnectionIsToldAlsoAfterItsEnd() throws Exception {
        Connection connection = mptcp.addRunning();
        assertEquals("{\"events\":[]}", get("connections/62c2ac68/events").toString(), "nothing has happened yet");
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.OPENED, connection));
        assertEquals(0, get("connections").path("ended").size());
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.CLOSED, connection));
        mptcp.remove(connection.id());
        JsonNode all = get("connections");
        assertEquals(0, all.path("connections").size());
        assertEquals("62c2ac68", all.at("/ended/0/connection/id").asText());
        assertTrue(Math.abs(System.currentTimeMillis() - all.at("/ended/0/endedMillis").asLong()) < 60_000);
        JsonNode one = get("connections/62c2ac68");
        assertEquals(all.at("/ended/0/endedMillis"), one.path("endedMillis"));
        assertEquals(all.at("/ended/0/connection"), ((ObjectNode) one).without("endedMillis"));
        JsonNode events = get("connections/62c2ac68/events").path("events");
        assertEquals("opened", events.at("/0/type").asText());
        assertEquals("62c2ac68", events.at("/0/connection").asText());
        assertEquals("closed", events.at("/" + (events.size() - 1) + "/type").asText());
    }

    @Test
    void aConnectionIsAddedBeforeItStartsAndRemoved() throws Exception {
        HttpResponse<String> response = send(ADMIN, "POST", "connections", "{\"subflows\": [{\"src\": \"10.0.0.1:1\", "
                + "\"dst\": \"10.0.0.2:5201\"}, {\"src\": \"[fd00::1]:2\", \"dst\": \"[fd00::2]:5201\"}], \"seconds\": 60}");
        JsonNode added = body(201, response);
        assertTrue(response.headers().firstValue("Location").orElseThrow().endsWith("/connections/awaited-1"));
        assertEquals("awaited-1", added.path("id").asText());
        assertEquals(60_000, added.path("awaitedUntilMillis").asLong());
        assertEquals("[fd00::1]:2", added.at("/subflows/1/src").asText());
        assertEquals(204, send(ADMIN, "DELETE", "connections/awaited-1", "").statusCode());
        assertTrue(refusal(404, send(ADMIN, "DELETE", "connections/awaited-1", "")).contains("awaited-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "{\"subflows\": {}}", "{\"subflows\": []}", "{\"subflows\": [7]}", "{\"subflows\": [{}]}",
        "{\"subflows\": [{\"src\": \"10.0.0.1:1\"}]}", "{\"subflows\": [{\"src\": \"10.0.0.1\", \"dst\": \"10.0.0.2:2\"}]}",
        "{\"subflows\": [{\"src\": \"10.0.0.1:1\", \"dst\": \"10.0.0.2:2\"}], \"seconds\": \"60\"}",
        "{\"subflows\": [{\"src\": \"<b>:1\", \"dst\": \"10.0.0.2:99999\"}]}"})
    void aBodyThatCannotBeIsRefused(String body) throws Exception {
        assertFalse(refusal(400, send(ADMIN, "POST", "connections", body)).contains("\n"));
        assertEquals(List.of(), awaited.added);
    }

    @Test
    void whatCannotBeAdmittedNowIsAConflict() throws Exception {
        awaited.refusal = "connection 62c2ac68 has started";
        assertEquals(awaited.refusal, refusal(409, send(ADMIN, "POST", "connections",
                "{\"subflows\": [{\"src\": \"10.0.0.1:1\", \"dst\": \"10.0.0.2:5201\"}]}")));
        assertEquals(awaited.refusal, refusal(409, send(ADMIN, "DELETE", "connections/62c2ac68", "")));
    }

    @Test
    void viewersMayLook() throws Exception {
        assertEquals(200, send(VIEWER, "GET", "connections", "").statusCode());
        assertEquals(403, send("stranger:none", "GET", "connections", "").statusCode());
        assertEquals(403, send(VIEWER, "POST", "connections", "{}").statusCode());
        assertEquals(403, send(VIEWER, "DELETE", "connections/awaited-1", "").statusCode());
    }

    @Test
    void withoutTheControllerThereIsNoService() throws Exception {
        FrameworkUtil.withdrawAll();
        offer(CodecService.class, new Codecs());
        assertEquals(503, send(ADMIN, "GET", "connections", "").statusCode());
    }

    private static void assertRates(JsonNode node) {
        assertEquals(8.0, node.path("expectedUpMbps").asDouble());
        assertEquals(2.0, node.path("expectedDownMbps").asDouble());
        assertEquals(4.0, node.path("measuredUpMbps").asDouble());
        assertEquals(0.5, node.path("measuredDownMbps").asDouble());
    }
}
