// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;

/** An index of connections by state, oldest first. One thread writes; any thread reads. */
final class ConnectionsByState {
    static final Comparator<Connection> OLDEST_FIRST =
            Comparator.comparingLong(Connection::createdMillis).thenComparing(Connection::id);

    /** Every connection is a value here; the key, perhaps an older version of it, gives its place. */
    private final Map<ConnectionState, ConcurrentNavigableMap<Connection, Connection>> byState =
            new EnumMap<>(ConnectionState.class);
    /** All but the idle ones, oldest first. An array, because each change is followed by a copy of them all. */
    private final List<Connection> live = new ArrayList<>();
    /** The same; null if it has changed since. */
    private ImmutableList<Connection> copy;

    ConnectionsByState() {
        for (ConnectionState state : ConnectionState.values()) {
            byState.put(state, new ConcurrentSkipListMap<>(OLDEST_FIRST));
        }
    }

    /**
     * Adds a connection.
     *
     * @param connection the connection; not null
     * @param old        the one that it replaces; null if there is none
     */
    synchronized void put(Connection connection, Connection old) {
        boolean hasOtherPlace = old != null && OLDEST_FIRST.compare(old, connection) != 0;
        byState.get(connection.state()).put(connection, connection);
        if (old != null && (hasOtherPlace || old.state() != connection.state())) {
            byState.get(old.state()).remove(old);
        }
        if (old != null && (hasOtherPlace || !isLive(connection))) {
            removeLive(old);
        }
        if (isLive(connection)) {
            putLive(connection);
        }
    }

    /** Removes a connection. */
    synchronized void remove(Connection old) {
        byState.get(old.state()).remove(old);
        removeLive(old);
    }

    private void putLive(Connection connection) {
        int place = Collections.binarySearch(live, connection, OLDEST_FIRST);
        if (place >= 0) {
            live.set(place, connection);
        } else {
            live.add(-1 - place, connection);
        }
        copy = null;
    }

    private void removeLive(Connection old) {
        int place = Collections.binarySearch(live, old, OLDEST_FIRST);
        if (place >= 0) {
            live.remove(place);
            copy = null;
        }
    }

    private static boolean isLive(Connection connection) {
        return connection.state() != ConnectionState.IDLE;
    }

    /** Returns the connections of a state, oldest first. */
    List<Connection> in(ConnectionState state) {
        return ImmutableList.copyOf(byState.get(state).values());
    }

    /** Returns all connections but the idle ones, oldest first; the same list until one of them changes. */
    synchronized List<Connection> live() {
        if (copy == null) {
            copy = ImmutableList.copyOf(live);
        }
        return copy;
    }
}
