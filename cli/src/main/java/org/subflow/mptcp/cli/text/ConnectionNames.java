// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.text;

import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.EndedConnection;
import org.subflow.mptcp.api.monitoring.HistoryService;

/** Connections by the names that users type. */
public final class ConnectionNames {
    private ConnectionNames() {
    }

    /**
     * Finds a connection, also an idle one.
     *
     * @param mptcp knows the connections; not null
     * @param id    what the user has typed; not null
     * @return the connection
     * @throws IllegalArgumentException if there is none; the message is for the user
     */
    public static Connection find(MptcpService mptcp, String id) {
        return mptcp.connection(ConnectionId.of(id)).orElseThrow(() -> unknown(id));
    }

    /**
     * Finds a connection that has ended.
     *
     * @param mptcp   knows the connections that are there; not null
     * @param history knows those that have ended; not null
     * @param id      what the user has typed; not null
     * @return the connection as it was last; empty if one of this name is there
     * @throws IllegalArgumentException if there is neither; the message is for the user
     */
    public static Optional<EndedConnection> ended(MptcpService mptcp, HistoryService history, String id) {
        ConnectionId name = ConnectionId.of(id);
        return mptcp.connection(name).isPresent() ? Optional.empty()
                : Optional.of(history.ended(name).orElseThrow(() -> unknown(id)));
    }

    private static IllegalArgumentException unknown(String id) {
        return new IllegalArgumentException("No MPTCP connection has the id " + id + "; mptcp-connections -a lists them");
    }
}
