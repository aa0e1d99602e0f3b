// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Map;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;

/** Notes which subflows of managed connections their hosts want as backups. Their paths stay. Used by the control loop only. */
public final class Priorities {
    private final ConnectionStore store;
    private final Provisioner provisioner;

    public Priorities(ConnectionStore store, Provisioner provisioner) {
        this.store = checkNotNull(store, "store");
        this.provisioner = checkNotNull(provisioner, "provisioner");
    }

    /**
     * Notes what hosts want.
     *
     * @param id     the subflows' connection; if it is not known, nothing happens
     * @param backups five-tuples of the subflows' SYNs; true for a backup
     */
    public void change(ConnectionId id, Map<FiveTuple, Boolean> backups) {
        store.checkThread();
        store.get(id).ifPresent(before -> {
            Connection after = before.mapSubflows(subflow -> subflow.withBackup(
                    backups.getOrDefault(subflow.tuple(), subflow.isBackup())));
            if (!after.equals(before)) {
                record(after, Type.SHARES_CHANGED);
            }
        });
    }

    /** Stores a connection whose subflows' priorities may have changed, and requests shares. */
    void record(Connection changed, Type why) {
        provisioner.record(changed.withPriorities(), why);
        provisioner.requestShare();
    }
}
