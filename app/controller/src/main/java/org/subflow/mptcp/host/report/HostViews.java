// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.subflow.mptcp.api.ConnectionId;

/** Connections as their hosts have last reported them, for five seconds, by the direction that the host sends. Thread-safe. */
public final class HostViews {
    private final Map<ConnectionId, HostView> ofClients = new ConcurrentHashMap<>();
    private final Map<ConnectionId, HostView> ofServers = new ConcurrentHashMap<>();

    public void put(ConnectionId id, boolean upwards, HostView view) {
        views(upwards).put(id, view);
    }

    public Optional<HostView> of(ConnectionId id, boolean upwards, long nowMillis) {
        return Optional.ofNullable(views(upwards).get(id)).filter(view -> isFresh(view, nowMillis));
    }

    public void expire(long nowMillis) {
        ofClients.values().removeIf(view -> !isFresh(view, nowMillis));
        ofServers.values().removeIf(view -> !isFresh(view, nowMillis));
    }

    private Map<ConnectionId, HostView> views(boolean upwards) {
        return upwards ? ofClients : ofServers;
    }

    private static boolean isFresh(HostView view, long nowMillis) {
        return nowMillis - view.millis() <= SenderWords.FRESH_MILLIS;
    }
}
