// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.subflow.mptcp.api.ConnectionId;

/** The connections whose rules could not be installed: when to try again, and when to give up. Used by the control loop only. */
final class FailedSubmissions {
    /** So many failures without a success in between, and the connection is given up. */
    static final int MOST = 4;
    /** Pause after the first failure; it doubles with each further one. */
    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<ConnectionId, Failures> failures = new LinkedHashMap<>();

    private static final class Failures {
        private int count;
        private long since;
        private boolean waits;
    }

    /** Notes a failure; returns how many there were without a success in between. */
    int failed(ConnectionId id, long now) {
        Failures of = failures.computeIfAbsent(id, unused -> new Failures());
        if (!of.waits) {
            of.count++;
            of.since = now;
            of.waits = true;
        }
        return of.count;
    }

    /** Returns whether a submission of a connection has failed since its rules were last installed. */
    boolean has(ConnectionId id) {
        return failures.containsKey(id);
    }

    /** Forgets a connection, because its rules are installed or withdrawn. */
    void forget(ConnectionId id) {
        failures.remove(id);
    }

    /** Returns the connections whose pause is over, and takes it that they are tried again now. */
    List<ConnectionId> due(long now) {
        List<ConnectionId> due = new ArrayList<>();
        failures.forEach((id, of) -> {
            if (of.waits && now - of.since >= PAUSE_NANOS << Math.min(of.count - 1, MOST)) {
                of.waits = false;
                due.add(id);
            }
        });
        return due;
    }
}
