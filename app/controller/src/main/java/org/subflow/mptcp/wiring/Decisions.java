// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.function.Supplier;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.intent.ConnectionIntents;
import org.subflow.mptcp.topology.SteadyClock;

/** Handles outcomes of submissions. Used by the control loop only. */
final class Decisions implements ConnectionIntents.Outcome {
    private final Supplier<Wiring> parts;

    /**
     * Makes it.
     *
     * @param parts the parts that decide, which exist at the first outcome
     */
    Decisions(Supplier<Wiring> parts) {
        this.parts = parts;
    }

    @Override
    public void installed(ConnectionId connection, long revision) {
        parts.get().retries.installed(connection, revision);
        parts.get().provisioner.installed(connection, revision);
        parts.get().handover.installed(connection, revision, SteadyClock.SYSTEM.getAsLong());
    }

    @Override
    public void failed(ConnectionId connection, long revision) {
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
