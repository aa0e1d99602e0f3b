// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.monitoring.FailedLink;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.rest.RestScenario;
import org.subflow.mptcp.topology.Nets;

/** Parts of lists, over HTTP. */
class ListFilterTest extends RestScenario {
    @BeforeEach
    void connections() {
        add("c1", "10.0.0.1", "10.0.0.2", ConnectionState.ACTIVE);
        add("c2", "10.0.0.3", "10.0.0.2", ConnectionState.IDLE);
        add("c3", "10.0.0.2", "10.0.0.3", ConnectionState.DOWN);
        add("c4", "10.0.0.1", "10.0.0.3", ConnectionState.IDLE);
    }

    private void add(String id, String client, String server, ConnectionState state) {
        Subflow first = Subflow.unrouted(FiveTuple.parse(client + ":1", server + ":2"), true, false, Nets.edge(1), Nets.edge(5));
        mptcp.put(Connection.opened(ConnectionId.of(id), 1, null, null, Settings.DEFAULTS
                .with(Settings.STRATEGY, "shortest").terms(),
                                    0, first).withState(state));
    }

    @ParameterizedTest
    @CsvSource({
        "'', c1 c2 c3 c4, 4", "offset=1&limit=2, c2 c3, 4", "offset=4, '', 4", "offset=9, '', 4", "limit=1, c1, 4",
        "limit=2147483647, c1 c2 c3 c4, 4",
        "state=idle, c2 c4, 2", "state=idle&state=down, c2 c3 c4, 3", "state=idle&offset=1, c4, 2", "state=pending, '', 0",
        "host=10.0.0.1, c1 c4, 2", "host=10.0.0.2&state=down, c3, 1", "client=10.0.0.2, c3, 1", "server=10.0.0.2, c1 c2, 2",
        "strategy=shortest, c1 c2 c3 c4, 4", "policy=video, '', 0"})
    void aPartIsListedWithTheNumberOfAll(String query, String ids, int total) throws Exception {
        HttpResponse<String> response = send(VIEWER, "GET", "connections?" + query, "");
        List<String> found = new ArrayList<>();
        body(200, response).path("connections").forEach(connection -> found.add(connection.path("id").asText()));
        assertEquals(ids, String.join(" ", found));
        assertEquals(total, Integer.parseInt(response.headers().firstValue(ListFilter.TOTAL).orElseThrow()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"offset=-1", "offset=x", "offset=", "limit=0", "limit=-1", "limit=2147483648", "limit=1e3", "stat=idle",
        "%3Cb%3E=1", "a%0Ab=1"})
    void whatCannotBeIsRefused(String query) throws Exception {
        String message = refusal(400, send(VIEWER, "GET", "connections?" + query, ""));
        assertTrue(message.contains("whole number") || message.contains("is no parameter; there are offset, limit, state"), message);
        assertEquals(1, message.lines().count());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "connections?state=nonsense | state is one of pending, active, idle, down, not 'nonsense'",
        "connections?state=idle&state=Idle | state is one of pending, active, idle, down, not 'Idle'",
        "connections?state= | state is one of pending, active, idle, down, not ''",
        "links?state=idle | state is one of up, down, not 'idle'",
        "events?type=ended | type is one of opened, woken, joined, parked, blocked, moved, lost, restored, left, share, installed, down, idle, demoted, closed, not 'ended'"})
    void aWordThatNoElementCanHaveIsRefusedWithThoseThatThereAre(String query, String message) throws Exception {
        assertEquals(message, refusal(400, send(VIEWER, "GET", query, "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"=x", "state=idle&=x", "="})
    void aParameterHasAName(String query) throws Exception {
        assertEquals("a parameter has no name", refusal(400, send(VIEWER, "GET", "connections?" + query, "")));
    }

    @Test
    void aLinkIsFoundByEitherPort() throws Exception {
        assertEquals("{\"links\":[],\"failed\":[]}", get("links?port=of:1/2").toString());
        assertTrue(refusal(400, send(VIEWER, "GET", "links?host=10.0.0.1", "")).contains("port, source, target, state"));
    }

    @Test
    void aLinkThatHasFailedIsDownInBothDirections() throws Exception {
        failures.links.add(new FailedLink(Nets.link(1, 2), 10e6, 1_700_000_000_000L, Set.of(ConnectionId.of("c1"))));
        JsonNode down = get("links?state=down").get("links");
        assertEquals(2, down.size());
        assertEquals(List.of(down.get(1).get("target"), down.get(1).get("source")),
                List.of(down.get(0).get("source"), down.get(0).get("target")));
        assertEquals(10, down.get(0).get("capacityMbps").asInt());
        assertEquals(0, get("links?state=up").get("links").size());
        assertEquals(1_700_000_000_000L, get("links").get("failed").get(0).get("sinceMillis").asLong());
    }

    @Test
    void anUnchangedListIsNotSentAgain() throws Exception {
        HttpResponse<String> first = send(VIEWER, "GET", "connections?limit=2", "");
        String tag = first.headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> again = send(VIEWER, "GET", "connections?limit=2", "", "If-None-Match: " + tag);
        assertEquals(304, again.statusCode());
        assertEquals("", again.body());
        assertEquals(tag, again.headers().firstValue("ETag").orElseThrow());
        assertEquals(200, send(VIEWER, "GET", "connections", "", "If-None-Match: " + tag).statusCode(), "another part");

        mptcp.remove(ConnectionId.of("c1"));
        HttpResponse<String> changed = send(VIEWER, "GET", "connections?limit=2", "", "If-None-Match: " + tag);
        assertEquals(200, changed.statusCode());
        assertNotEquals(tag, changed.headers().firstValue("ETag").orElseThrow());
    }

    @Test
    void oneElementIsNoList() throws Exception {
        assertTrue(send(VIEWER, "GET", "connections/c1?limit=1", "").headers().firstValue(ListFilter.TOTAL).isEmpty());
    }
}
