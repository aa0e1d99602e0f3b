// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.submission.ConnectionIntents;

/** Handles outcomes of submissions. Used by the control loop only. */
final class Decisions implements ConnectionIntents.Outcome {
    private final Wiring parts;

    /**
     * Makes it.
     *
     * @param parts the parts that decide, complete before the first outcome
     */
    Decisions(Wiring parts) {
        this.parts = parts;
    }

    @Override
    public void installed(ConnectionId connection, long revision) {
        parts.provisioner.installed(connection, revision);
        parts.recovery.confirmed();
    }

    @Override
    public void failed(ConnectionId connection, long revision) {
        parts.retries.failed(connection, revision);
    }

    @Override
    public void withdrawn(ConnectionId connection) {
        parts.provisioner.withdrawn(connection);
    }

    @Override
    public void pathsChanged() {
        parts.provisioner.pathsChanged();
    }
}
