// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.function.Supplier;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.intent.ConnectionIntents;
import org.subflow.mptcp.topology.SteadyClock;

/** Handles outcomes of submissions. Used by the control loop only. */
final class Decisions implements ConnectionIntents.Outcome {
    private final Supplier<Wiring> parts;
    private final AdmissionPace pace;

    /**
     * Makes it.
     *
     * @param parts the parts that decide, which exist at the first outcome
     * @param pace  admits nobody for a moment after a failure
     */
    Decisions(Supplier<Wiring> parts, AdmissionPace pace) {
        this.parts = parts;
        this.pace = pace;
    }

    @Override
    public void installed(ConnectionId connection, long revision) {
        parts.get().retries.installed(connection, revision);
        parts.get().provisioner.installed(connection, revision);
        parts.get().handover.installed(connection, revision, SteadyClock.SYSTEM.getAsLong());
    }

    @Override
    public void failed(ConnectionId connection, long revision) {
        pace.pause();
        parts.get().retries.failed(connection, revision);
    }

    @Override
    public void withdrawn(ConnectionId connection) {
        parts.get().provisioner.withdrawn(connection);
    }

    @Override
    public void pathsChanged() {
        parts.get().provisioner.pathsChanged();
    }
}
