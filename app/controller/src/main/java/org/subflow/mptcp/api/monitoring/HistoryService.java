// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.subflow.mptcp.api.ConnectionId;

/**
 * Tells what happened to connections, in words, for a while also after their end. Thread-safe; the history is bounded and ends
 * with the node.
 */
public interface HistoryService {
    /**
     * Returns the events of a connection.
     *
     * @param connection its name; not null
     * @return its events, oldest first; empty if there are none
     */
    List<LifeEvent> events(ConnectionId connection);

    /**
     * Returns the newest events of all connections.
     *
     * @param most how many at most, not negative
     * @return the events, oldest first
     */
    List<LifeEvent> newest(int most);

    /**
     * Returns the connections that have ended within the setting {@code retentionSeconds}, a thousand at most; without those that
     * were forgotten after they had been idle for as long.
     *
     * @return the connections, oldest end first
     */
    List<EndedConnection> ended();

    /**
     * Returns the connection of a name that has ended last, of those in {@link #ended()}.
     *
     * @param connection its name; not null
     * @return the connection; empty if there is none
     */
    default Optional<EndedConnection> ended(ConnectionId connection) {
        return ended().stream().filter(one -> one.connection().id().equals(connection)).reduce((older, newer) -> newer);
    }

    /** Notifies a follower of every event from now on, on ONOS's event thread; the follower must return at once. */
    void follow(Consumer<LifeEvent> follower);

    /** Stops notifying a follower. */
    void unfollow(Consumer<LifeEvent> follower);
}
