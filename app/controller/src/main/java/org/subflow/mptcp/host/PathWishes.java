// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.subflow.mptcp.api.ConnectionId;

/** What clients shall open and close, by connection. Thread-safe. */
final class PathWishes {
    private final Map<ConnectionId, PathWish> wishes = new ConcurrentHashMap<>();

    /** Sets a wish; returns whether it is another one than before. */
    boolean put(ConnectionId id, PathWish wish) {
        PathWish before = wish.equals(PathWish.NONE) ? wishes.remove(id) : wishes.put(id, wish);
        return !wish.equals(before == null ? PathWish.NONE : before);
    }

    PathWish of(ConnectionId id) {
        return wishes.getOrDefault(id, PathWish.NONE);
    }
}
