// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** What pages are told of a change. */
class DeltaTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ObjectNode before = state();
    private final ObjectNode after = state();

    @Test
    void nothingButTheTimeIfNothingHasChanged() {
        after.put("millis", 2);
        assertEquals("{\"millis\":2}", delta().toString());
    }

    @Test
    void onlyWhatHasChanged() {
        ((ObjectNode) after.at("/connections/1/rates")).put("up", 3);
        ((ObjectNode) after.at("/topology/links/0")).put("measuredMbps", 5);
        ObjectNode delta = delta();
        assertEquals(1, delta.get("connections").size());
        assertEquals("b", delta.at("/connections/0/id").asText());
        assertEquals("d1/1", delta.at("/links/0/source").asText());
        assertFalse(delta.has("topology"));
        assertFalse(delta.has("counters"));
    }

    @Test
    void newAndClosedConnections() {
        ((ArrayNode) after.get("connections")).remove(0);
        ((ArrayNode) after.get("connections")).addObject().put("id", "c");
        ObjectNode delta = delta();
        assertEquals("[\"a\"]", delta.get("closed").toString());
        assertEquals("c", delta.at("/connections/0/id").asText());
        assertEquals(1, delta.get("connections").size());
    }

    @Test
    void theWholeNetworkIfALinkOrAHostHasGone() {
        ((ArrayNode) after.at("/topology/links")).remove(0);
        assertEquals(after.get("topology"), delta().get("topology"));
        assertFalse(delta().has("links"));

        ObjectNode other = state();
        ((ArrayNode) other.at("/topology/hosts")).addObject().put("id", "h");
        assertTrue(Delta.between(before, other, MAPPER.createArrayNode()).has("topology"));
    }

    @Test
    void theWholeNetworkIfSomethingHasFailedOrIsForgotten() {
        ((ArrayNode) after.at("/topology/failed/links")).addObject().put("source", "d1/9");
        assertEquals(1, delta().at("/topology/failed/links").size());
    }

    @Test
    void aLinkThatLeadsElsewhereIsAnotherLink() {
        ((ObjectNode) after.at("/topology/links/0")).put("target", "d3/1");
        assertTrue(delta().has("topology"));
    }

    @Test
    void countersSettingsBoundAndEvents() {
        after.putObject("bound").put("percent", 95);
        after.with("counters").put("syn", 9);
        after.with("settings").put("strategy", "shortest");
        ArrayNode events = MAPPER.createArrayNode().add("something");
        ObjectNode delta = Delta.between(before, after, events);
        assertEquals(9, delta.at("/counters/syn").asInt());
        assertEquals("shortest", delta.at("/settings/strategy").asText());
        assertEquals(95, delta.at("/bound/percent").asInt());
        assertEquals(events, delta.get("events"));
    }

    private ObjectNode delta() {
        return Delta.between(before, after, MAPPER.createArrayNode());
    }

    private static ObjectNode state() {
        ObjectNode state = MAPPER.createObjectNode().put("version", "1").put("millis", 1);
        state.putObject("settings").put("strategy", "widest-disjoint");
        state.putObject("counters").put("syn", 1);
        state.putNull("bound");
        ObjectNode topology = state.putObject("topology");
        topology.putArray("devices").addObject().put("id", "d1");
        topology.putArray("hosts");
        topology.putObject("failed").putArray("links");
        ArrayNode links = topology.putArray("links");
        links.addObject().put("source", "d1/1").put("target", "d2/1").put("measuredMbps", 0);
        links.addObject().put("source", "d2/1").put("target", "d1/1").put("measuredMbps", 0);
        ArrayNode connections = state.putArray("connections");
        connections.addObject().put("id", "a").putObject("rates").put("up", 1);
        connections.addObject().put("id", "b").putObject("rates").put("up", 2);
        return state;
    }
}
