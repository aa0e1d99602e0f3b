// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.ui.topo.HostHighlight;
import org.onosproject.ui.topo.NodeBadge;
import org.subflow.mptcp.api.ConnectionId;

/** The connections of which a host is client or server, with the subflows there, as its badge tells. */
final class HostRoles {
    private final Map<ConnectionId, List<LinkLook.Part>> asClient = new LinkedHashMap<>();
    private final Map<ConnectionId, List<LinkLook.Part>> asServer = new LinkedHashMap<>();
    private int left;

    void add(boolean isClient, ConnectionId connection, LinkLook.Part part) {
        (isClient ? asClient : asServer).computeIfAbsent(connection, unused -> new ArrayList<>()).add(part);
    }

    /** Counts a connection that is not shown. */
    void addLeft() {
        left++;
    }

    /** Makes the highlight of a host with this name. */
    HostHighlight highlight(String id) {
        String roles = (asClient.isEmpty() ? "" : "C") + (asServer.isEmpty() ? "" : "S") + (left == 0 ? "" : "+" + left);
        String message = Stream.of(text("client of ", asClient), text("server of ", asServer), more())
                .filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
        HostHighlight highlight = new HostHighlight(id);
        highlight.setBadge(NodeBadge.text(NodeBadge.Status.INFO, roles, message));
        return highlight;
    }

    private String more() {
        return left == 0 ? "" : left + (left == 1 ? " more connection" : " more connections") + " not shown";
    }

    private static String text(String role, Map<ConnectionId, List<LinkLook.Part>> connections) {
        return connections.isEmpty() ? "" : role + connections.entrySet().stream()
                .map(entry -> entry.getKey().value() + " (" + LinkLook.label(entry.getValue()) + ")")
                .collect(Collectors.joining(" and "));
    }
}
