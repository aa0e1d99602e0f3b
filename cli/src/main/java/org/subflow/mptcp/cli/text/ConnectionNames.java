// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.text;

import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.MptcpService;

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
        return mptcp.connections().stream()
                .filter(connection -> connection.id().value().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "No MPTCP connection has the id " + id + "; mptcp-connections -a lists them"));
    }
}
