// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import com.google.common.collect.Maps;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;

/** Connections as their hosts have last reported them, for five seconds, by the direction that the host sends. Thread-safe. */
public final class HostViews {
    private final Map<Direction, Map<ConnectionId, HostView>> views =
            Maps.toMap(List.of(Direction.values()), unused -> new ConcurrentHashMap<>());

    public void put(ConnectionId id, Direction sent, HostView view) {
        views.get(sent).put(id, view);
    }

    public Optional<HostView> of(ConnectionId id, Direction sent, long nowMillis) {
        return Optional.ofNullable(views.get(sent).get(id)).filter(view -> isFresh(view, nowMillis));
    }

    public void expire(long nowMillis) {
        views.values().forEach(each -> each.values().removeIf(view -> !isFresh(view, nowMillis)));
    }

    private static boolean isFresh(HostView view, long nowMillis) {
        return nowMillis - view.millis <= SenderWords.FRESH_MILLIS;
    }
}
