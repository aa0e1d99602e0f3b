// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.subflow.mptcp.admission.Endings;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.subflows.SubflowPlanner;

/** Closes connections that have ended, and takes the paths of ended subflows back. Used by the control loop only. */
public final class EndedConnections {
    private final ConnectionStore store;
    private final Meter meter;
    private final Endings endings;
    private final SubflowPlanner planner;
    private final Provisioner provisioner;

    public EndedConnections(ConnectionStore store, Meter meter, Endings endings, SubflowPlanner planner,
                            Provisioner provisioner) {
        this.store = checkNotNull(store, "store");
        this.meter = checkNotNull(meter, "meter");
        this.endings = checkNotNull(endings, "endings");
        this.planner = checkNotNull(planner, "planner");
        this.provisioner = checkNotNull(provisioner, "provisioner");
    }

    /** Sees to all ends that hosts have shown. */
    void remove() {
        if (endings.isEmpty()) {
            return;
        }
        List<Connection> closed = new ArrayList<>();
        List<Connection> reduced = new ArrayList<>();
        for (Connection connection : store.all()) {
            Set<FiveTuple> ended = endings.of(connection, meter.measurement(connection.id()),
                                              meter.newestSampleMillis(connection.id()));
            if (ended.isEmpty()) {
                continue;
            }
            boolean goesOn = connection.subflows().stream()
                    .anyMatch(subflow -> subflow.isUsed() && !ended.contains(subflow.tuple())
                            && !planner.awaits(connection.id(), subflow.tuple()));
            if (!goesOn) {
                closed.add(connection);
            } else if (connection.subflows().stream()
                    .anyMatch(subflow -> subflow.isRouted() && ended.contains(subflow.tuple()))) {
                Connection left = connection.mapSubflows(subflow -> ended.contains(subflow.tuple())
                        ? subflow.withoutRoute(SubflowState.IDLE) : subflow);
                if (connection.state() == ConnectionState.IDLE) {
                    provisioner.record(left, Type.SUBFLOW_IDLE);
                } else {
                    reduced.add(left);
                }
            }
        }
        close(closed, Cause.ENDED);
        provisioner.apply(reduced, Type.SUBFLOW_IDLE);
    }

    /** Closes connections that have ended; an empty list has no effect. */
    void close(List<Connection> closed, Cause cause) {
        store.checkThread();
        closed.forEach(endings::forget);
        provisioner.close(closed, cause);
    }
}
