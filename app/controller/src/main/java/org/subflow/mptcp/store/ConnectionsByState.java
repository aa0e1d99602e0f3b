// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;

/** An index of connections by state, oldest first. One thread writes; any thread reads. */
final class ConnectionsByState {
    static final Comparator<Connection> OLDEST_FIRST =
            Comparator.comparingLong(Connection::createdMillis).thenComparing(Connection::id);

    /** Every connection is a value here; the key, perhaps an older version of it, gives its place. */
    private final Map<ConnectionState, ConcurrentNavigableMap<Connection, Connection>> byState =
            new EnumMap<>(ConnectionState.class);
    private final ConcurrentNavigableMap<Connection, Connection> live = new ConcurrentSkipListMap<>(OLDEST_FIRST);
    private final AtomicLong changes = new AtomicLong();
    private volatile Copy copy = new Copy(0, ImmutableList.of());

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
    void put(Connection connection, Connection old) {
        boolean hasMoved = old != null
                && (old.state() != connection.state() || OLDEST_FIRST.compare(old, connection) != 0);
        if (isLive(connection)) {
            live.put(connection, connection);
        }
        byState.get(connection.state()).put(connection, connection);
        if (hasMoved) {
            byState.get(old.state()).remove(old);
            if (!isLive(connection) || OLDEST_FIRST.compare(old, connection) != 0) {
                live.remove(old);
            }
        }
        changes.incrementAndGet();
    }

    /** Removes a connection. */
    void remove(Connection old) {
        byState.get(old.state()).remove(old);
        live.remove(old);
        changes.incrementAndGet();
    }

    private static boolean isLive(Connection connection) {
        return connection.state() != ConnectionState.IDLE;
    }

    /** Returns the connections of a state, oldest first. */
    List<Connection> in(ConnectionState state) {
        return ImmutableList.copyOf(byState.get(state).values());
    }

    /** Returns all connections but the idle ones, oldest first. */
    List<Connection> live() {
        Copy last = copy;
        // The number first: a copy that misses a change then has an old number, and the next call makes another.
        long number = changes.get();
        if (last.number == number) {
            return last.connections;
        }
        Copy newest = new Copy(number, ImmutableList.copyOf(live.values()));
        copy = newest;
        return newest.connections;
    }

    /** The living connections after so many changes. */
    private static final class Copy {
        private final long number;
        private final List<Connection> connections;

        private Copy(long number, List<Connection> connections) {
            this.number = number;
            this.connections = connections;
        }
    }
}
