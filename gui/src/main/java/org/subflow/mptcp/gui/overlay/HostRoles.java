// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.ui.topo.HostHighlight;
import org.onosproject.ui.topo.NodeBadge;
import org.subflow.mptcp.api.ConnectionId;

/** The connections of which a host is client or server, as its badge tells. */
final class HostRoles {
    private final Set<ConnectionId> asClient = new LinkedHashSet<>();
    private final Set<ConnectionId> asServer = new LinkedHashSet<>();

    void add(boolean isClient, ConnectionId connection) {
        (isClient ? asClient : asServer).add(connection);
    }

    /** Makes the highlight of a host with this name. */
    HostHighlight highlight(String id) {
        String roles = (asClient.isEmpty() ? "" : "C") + (asServer.isEmpty() ? "" : "S");
        String message = text("client of ", asClient) + (roles.length() > 1 ? ", " : "") + text("server of ", asServer);
        HostHighlight highlight = new HostHighlight(id);
        highlight.setBadge(NodeBadge.text(NodeBadge.Status.INFO, roles, message));
        return highlight;
    }

    private static String text(String role, Set<ConnectionId> connections) {
        return connections.isEmpty() ? ""
                : role + connections.stream().map(ConnectionId::value).collect(Collectors.joining(" and "));
    }
}
