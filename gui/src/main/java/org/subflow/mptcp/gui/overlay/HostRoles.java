// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.onosproject.ui.topo.HostHighlight;
import org.onosproject.ui.topo.NodeBadge;
import org.subflow.mptcp.api.ConnectionId;

/** What a host is in connections, with the subflows there, as its badge tells. */
final class HostRoles {
    /** What a host is in a connection; badges have the first letter. A router ends a leg in place of the client or server. */
    enum Role {
        CLIENT, ROUTER, SERVER
    }

    private final Map<Role, Map<ConnectionId, List<LinkLook.Part>>> roles = new EnumMap<>(Role.class);
    private int left;

    void add(Role role, ConnectionId connection, LinkLook.Part part) {
        roles.computeIfAbsent(role, unused -> new LinkedHashMap<>())
                .computeIfAbsent(connection, unused -> new ArrayList<>()).add(part);
    }

    /** Counts a connection that is not shown. */
    void addLeft() {
        left++;
    }

    /** Makes the highlight of a host with this name. */
    HostHighlight highlight(String id) {
        String letters = roles.keySet().stream().map(role -> role.name().substring(0, 1)).collect(Collectors.joining());
        List<String> messages = new ArrayList<>();
        roles.forEach((role, connections) -> messages.add(text(role, connections)));
        if (left > 0) {
            messages.add(left + (left == 1 ? " more connection" : " more connections") + " not shown");
        }
        HostHighlight highlight = new HostHighlight(id);
        highlight.setBadge(NodeBadge.text(NodeBadge.Status.INFO, letters + (left > 0 ? "+" + left : ""),
                                          String.join(", ", messages)));
        return highlight;
    }

    private static String text(Role role, Map<ConnectionId, List<LinkLook.Part>> connections) {
        return role.name().toLowerCase(Locale.ROOT) + " of " + connections.entrySet().stream()
                .map(entry -> entry.getKey().value() + " (" + LinkLook.label(entry.getValue()) + ")")
                .collect(Collectors.joining(" and "));
    }
}
