// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;

/**
 * Finds subflows whose paths were chosen in ignorance: before it was known what their connection, and those that began
 * together with it, would send.
 *
 * <p>A connection's wishes show in its counters two to four seconds after its rules are there. Until then it is due as much
 * as any other, be it a transfer or the connection that only controls one; so paths that are shared with one that wants
 * nothing look as full as any. Used by the control loop only.
 */
final class Newcomers {
    private final Map<ConnectionId, Set<FiveTuple>> told = new HashMap<>();

    /**
     * Returns the connections that have shown that they send something and have subflows for which that was not so the last
     * time: each subflow counts once, and again after its connection has been idle.
     *
     * @param live   the connections that hold rules
     * @param isBusy whether a connection is known to send more than next to nothing
     * @return those whose paths are worth a second look, in the order given
     */
    List<ConnectionId> due(Collection<Connection> live, Predicate<ConnectionId> isBusy) {
        told.keySet().retainAll(live.stream().map(Connection::id).collect(Collectors.toSet()));
        List<ConnectionId> due = new ArrayList<>();
        for (Connection connection : live) {
            Set<FiveTuple> routed = connection.subflows().stream()
                    .filter(Subflow::isRouted)
                    .map(Subflow::tuple)
                    .collect(Collectors.toSet());
            if (isBusy.test(connection.id())
                    && !told.getOrDefault(connection.id(), Set.of()).containsAll(routed)) {
                told.put(connection.id(), routed);
                due.add(connection.id());
            }
        }
        return due;
    }
}
