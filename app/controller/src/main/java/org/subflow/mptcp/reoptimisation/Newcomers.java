// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reoptimisation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.measure.Demands;

/**
 * Finds subflows whose paths were chosen in ignorance: before it was known what their connection, and those that began
 * together with it, would send.
 *
 * <p>A connection's wishes show in its counters two to four seconds after its rules are there. Until then it is due as much
 * as any other, be it a transfer or the connection that only controls one; so paths that are shared with one that wants
 * nothing look as full as any. Used by the control loop only.
 */
public final class Newcomers {
    /** For how long the others' wishes are waited for: where connections come all the time, there is always one unknown. */
    public static final long WAIT_MILLIS = 5000;

    private final Map<ConnectionId, Set<FiveTuple>> told = new HashMap<>();
    private final Map<ConnectionId, Long> knownSinceMillis = new HashMap<>();

    /**
     * Returns the connections whose paths are worth a second look now: they have shown that they send something, the others
     * on the network have shown what they want, and they have subflows for which that was not so the last time. Each subflow
     * counts once, and again after its connection has been idle.
     *
     * @param live      the connections that hold rules
     * @param demands   what they want
     * @param nowMillis milliseconds of any clock that only goes forward
     * @return those to look at, in the order given
     */
    public List<ConnectionId> due(Collection<Connection> live, Demands demands, long nowMillis) {
        Set<ConnectionId> present = live.stream().map(Connection::id).collect(Collectors.toSet());
        told.keySet().retainAll(present);
        knownSinceMillis.keySet().retainAll(present);
        boolean allKnown = live.stream().allMatch(connection -> demands.isKnown(connection.id()));
        List<ConnectionId> due = new ArrayList<>();
        for (Connection connection : live) {
            ConnectionId id = connection.id();
            if (demands.isBusy(id) && !told.getOrDefault(id, Set.of()).containsAll(routed(connection))) {
                long since = knownSinceMillis.computeIfAbsent(id, unused -> nowMillis);
                if (allKnown || nowMillis - since >= WAIT_MILLIS) {
                    told.put(id, routed(connection));
                    knownSinceMillis.remove(id);
                    due.add(id);
                }
            }
        }
        return due;
    }

    private static Set<FiveTuple> routed(Connection connection) {
        return connection.subflows().stream()
                .filter(Subflow::isRouted)
                .map(Subflow::tuple)
                .collect(Collectors.toSet());
    }
}
