// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.Connection;

/** A connection that has ended, as it was last. Immutable. */
public final class EndedConnection {
    private final Connection connection;
    private final long endedMillis;

    /**
     * Makes it.
     *
     * @param connection  the connection as it was last; not null
     * @param endedMillis when it ended, milliseconds of the Unix epoch
     */
    public EndedConnection(Connection connection, long endedMillis) {
        this.connection = checkNotNull(connection, "connection");
        this.endedMillis = endedMillis;
    }

    /** Returns the connection as it was last. */
    public Connection connection() {
        return connection;
    }

    /** Returns when it ended, milliseconds of the Unix epoch. */
    public long endedMillis() {
        return endedMillis;
    }
}
