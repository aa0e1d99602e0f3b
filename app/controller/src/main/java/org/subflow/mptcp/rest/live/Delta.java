// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.subflow.mptcp.rest.view.Views;

/** What has changed between two states as {@link Views#everything()} writes them. Stateless. */
final class Delta {
    private Delta() {
    }

    /**
     * Compares two states.
     *
     * @param before the earlier state; not null
     * @param after  the later state; not null
     * @param events the events between them, as JSON
     * @return the later state's time, and only those parts that differ: {@code settings}; {@code topology} if switches,
     *         hosts or links came, went or failed, else {@code links} whose usage changed; {@code connections} that are new or
     *         changed; the names of those {@code closed}; {@code counters}; {@code bound}; {@code events}
     */
    static ObjectNode between(ObjectNode before, ObjectNode after, ArrayNode events) {
        ObjectNode delta = after.objectNode();
        delta.set("millis", after.get("millis"));
        setIfChanged(delta, "settings", before, after);
        setIfChanged(delta, "counters", before, after);
        setIfChanged(delta, "bound", before, after);
        network(delta, before.get("topology"), after.get("topology"));
        connections(delta, before.get("connections"), after.get("connections"));
        if (events.size() > 0) {
            delta.set("events", events);
        }
        return delta;
    }

    private static void setIfChanged(ObjectNode delta, String name, ObjectNode before, ObjectNode after) {
        if (!after.get(name).equals(before.get(name))) {
            delta.set(name, after.get(name));
        }
    }

    private static void network(ObjectNode delta, JsonNode before, JsonNode after) {
        Map<String, JsonNode> old = byName(before.get("links"), "source");
        Map<String, JsonNode> links = byName(after.get("links"), "source");
        boolean same = before.get("devices").equals(after.get("devices"))
                && before.get("hosts").equals(after.get("hosts"))
                && before.get("failed").equals(after.get("failed"))
                && targets(old).equals(targets(links));
        if (!same) {
            delta.set("topology", after);
            return;
        }
        putChanged(delta, "links", old, links);
    }

    private static Map<String, JsonNode> targets(Map<String, JsonNode> links) {
        Map<String, JsonNode> targets = new HashMap<>();
        links.forEach((source, link) -> targets.put(source, link.get("target")));
        return targets;
    }

    private static void connections(ObjectNode delta, JsonNode before, JsonNode after) {
        Map<String, JsonNode> old = byName(before, "id");
        Map<String, JsonNode> connections = byName(after, "id");
        putChanged(delta, "connections", old, connections);
        Set<String> closed = new HashSet<>(old.keySet());
        closed.removeAll(connections.keySet());
        if (!closed.isEmpty()) {
            ArrayNode names = delta.putArray("closed");
            closed.forEach(names::add);
        }
    }

    private static void putChanged(ObjectNode delta, String name, Map<String, JsonNode> old, Map<String, JsonNode> now) {
        ArrayNode changed = delta.arrayNode();
        now.forEach((key, value) -> {
            if (!value.equals(old.get(key))) {
                changed.add(value);
            }
        });
        if (changed.size() > 0) {
            delta.set(name, changed);
        }
    }

    private static Map<String, JsonNode> byName(JsonNode array, String name) {
        Map<String, JsonNode> nodes = new HashMap<>();
        array.forEach(node -> nodes.put(node.get(name).asText(), node));
        return nodes;
    }
}
