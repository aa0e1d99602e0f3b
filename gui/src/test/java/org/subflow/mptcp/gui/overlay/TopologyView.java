// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/** What ONOS's topology view shows after the highlights that it was sent, by the rules of {@code package-info.java}. */
final class TopologyView {
    /** Text and message of each badge by host. */
    final Map<String, String> badges = new TreeMap<>();
    /** The label of each highlighted link. */
    final Map<String, String> labels = new TreeMap<>();
    /** The CSS classes of each highlighted link. */
    final Map<String, String> classes = new TreeMap<>();
    /** The last highlight of each link, which the view draws again whenever it draws the link anew. */
    private final Map<String, JsonNode> last = new TreeMap<>();

    /** Handles a message; an empty list changes nothing. */
    void receive(JsonNode message) {
        message.at("/payload/hosts").forEach(host -> {
            String id = host.get("id").asText();
            badges.remove(id);
            if (host.has("badge")) {
                badges.put(id, host.at("/badge/txt").asText() + ": " + host.at("/badge/msg").asText());
            }
        });
        message.at("/payload/links").forEach(this::highlight);
    }

    private void highlight(JsonNode link) {
        String id = link.get("id").asText();
        last.put(id, link);
        labels.remove(id);
        classes.remove(id);
        // The style sheet has no rule for the class "plain", which every message must have in place of a colour.
        if (!link.get("label").asText().isEmpty() || !link.get("css").asText().equals("plain")) {
            labels.put(id, link.get("label").asText());
            classes.put(id, link.get("css").asText());
        }
    }

    /** Five seconds pass: links lose their highlights, and hosts keep their badges. */
    void fade() {
        labels.clear();
        classes.clear();
    }

    /** Draws all anew, as when hosts are hidden and shown again: badges are gone, and links have their last highlights. */
    void redraw() {
        badges.clear();
        last.values().forEach(this::highlight);
    }

    boolean isBare() {
        return badges.isEmpty() && labels.isEmpty() && classes.isEmpty();
    }
}
