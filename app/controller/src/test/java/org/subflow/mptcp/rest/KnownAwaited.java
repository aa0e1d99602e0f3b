// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.topology.Nets;

/** Awaited connections that a test wants to be known. Those that it adds have no path. */
public final class KnownAwaited implements AwaitedService {
    /** Until when each is awaited, milliseconds of the Unix epoch. */
    public final Map<ConnectionId, Long> until = new HashMap<>();
    /** What was added. */
    public final List<List<FiveTuple>> added = new ArrayList<>();
    /** Why none is admitted; null if all are. */
    public String refusal;

    @Override
    public Connection add(List<FiveTuple> subflows, int seconds) {
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
        added.add(subflows);
        ConnectionId id = ConnectionId.of("awaited-" + added.size());
        until.put(id, seconds * 1000L);
        Connection connection = Connection.opened(id, 1, null, null, Settings.DEFAULTS.terms(), 0,
                                                  Subflow.unrouted(subflows.get(0), true, false, Nets.edge(1), Nets.edge(5)));
        for (FiveTuple join : subflows.subList(1, subflows.size())) {
            connection = connection.withSubflow(Subflow.unrouted(join, true, true, Nets.edge(1), Nets.edge(5)));
        }
        return connection;
    }

    @Override
    public boolean remove(ConnectionId id) {
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
        return until.remove(id) != null;
    }

    @Override
    public OptionalLong awaitedUntil(ConnectionId id) {
        return until.containsKey(id) ? OptionalLong.of(until.get(id)) : OptionalLong.empty();
    }
}
