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

    /** Handles a message; an empty list changes nothing. */
    void receive(JsonNode message) {
        message.at("/payload/hosts").forEach(host -> {
            String id = host.get("id").asText();
            badges.remove(id);
            if (host.has("badge")) {
                badges.put(id, host.at("/badge/txt").asText() + ": " + host.at("/badge/msg").asText());
            }
        });
        message.at("/payload/links").forEach(link -> {
            String id = link.get("id").asText();
            labels.remove(id);
            classes.remove(id);
            // The style sheet has no rule for the class "plain", which every message must have in place of a colour.
            if (!link.get("label").asText().isEmpty() || !link.get("css").asText().equals("plain")) {
                labels.put(id, link.get("label").asText());
                classes.put(id, link.get("css").asText());
            }
        });
    }

    /** Five seconds pass: links lose their highlights, and hosts keep their badges. */
    void fade() {
        labels.clear();
        classes.clear();
    }

    boolean isBare() {
        return badges.isEmpty() && labels.isEmpty() && classes.isEmpty();
    }
}
