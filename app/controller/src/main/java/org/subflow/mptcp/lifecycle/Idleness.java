// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.candidate.UnseenEnds;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;

/** Makes connections and subflows that send nothing idle, and forgets them in the end. Used by the control loop only. */
public final class Idleness {
    /** Limit of remembered idle connections; the oldest are forgotten first. */
    static final int MOST_IDLE = 10_000;

    private static final long MILLIS_PER_SECOND = 1000;

    private final ConnectionStore store;
    private final Meter meter;
    private final SettingsService settings;
    private final Provisioner provisioner;
    private final AwaitedConnections awaited;
    private final UnseenEnds unseenEnds;
    private final EndedConnections ended;
    private final IdleSubflows idleSubflows = new IdleSubflows();

    public Idleness(ConnectionStore store, Meter meter, SettingsService settings, Provisioner provisioner,
                    AwaitedConnections awaited, UnseenEnds unseenEnds, EndedConnections ended) {
        this.store = checkNotNull(store, "store");
        this.meter = checkNotNull(meter, "meter");
        this.settings = checkNotNull(settings, "settings");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.awaited = checkNotNull(awaited, "awaited");
        this.unseenEnds = checkNotNull(unseenEnds, "unseenEnds");
        this.ended = checkNotNull(ended, "ended");
    }

    /**
     * Makes silent connections idle, and closes those that may have ended unseen: others may have their five-tuples by now.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    void rest(long nowMillis) {
        long idleMillis = idleMillis();
        Map<Boolean, List<Connection>> silent = store.in(ConnectionState.ACTIVE).stream()
                .filter(connection -> meter.idleMillis(connection.id(), nowMillis) >= idleMillis)
                .filter(connection -> !awaited.contains(connection.id()))
                .collect(Collectors.partitioningBy(connection -> unseenEnds.mayHaveEnded(
                        connection.first().tuple(), TimeUnit.MILLISECONDS.toNanos(meter.idleMillis(connection.id(), nowMillis)))));
        provisioner.makeIdle(silent.get(false));
        ended.close(silent.get(true), Cause.SILENT);
    }

    private long idleMillis() {
        return settings.get(Settings.IDLE_SECONDS) * MILLIS_PER_SECOND;
    }

    /**
     * Withdraws rules and shares of idle subflows, so that the others can take the free paths.
     *
     * @param nowMillis milliseconds of the Unix epoch
     * @return the connections of these subflows
     */
    List<ConnectionId> retireQuiet(long nowMillis) {
        long idleMillis = idleMillis();
        List<Connection> live = provisioner.live();
        idleSubflows.retain(live.stream().map(Connection::id).collect(Collectors.toList()));
        List<Connection> retired = new ArrayList<>();
        for (Connection connection : live) {
            if (connection.state() != ConnectionState.ACTIVE || awaited.contains(connection.id())) {
                continue;
            }
            idleSubflows.update(connection, meter.measurement(connection.id()),
                                 meter.newestSampleMillis(connection.id()), nowMillis);
            Set<FiveTuple> quiet = idleSubflows.of(connection, idleMillis);
            if (!quiet.isEmpty()) {
                Connection rest = connection.mapSubflows(subflow -> quiet.contains(subflow.tuple())
                        ? subflow.withoutRoute(SubflowState.IDLE) : subflow);
                // One that wakes before the next look begins anew.
                idleSubflows.update(rest, meter.measurement(rest.id()), meter.newestSampleMillis(rest.id()), nowMillis);
                retired.add(rest);
            }
        }
        provisioner.apply(retired, Type.SUBFLOW_IDLE);
        return retired.stream().map(Connection::id).collect(Collectors.toList());
    }

    /**
     * Forgets connections after the retention time.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    void forget(long nowMillis) {
        long retentionMillis = settings.get(Settings.RETENTION_SECONDS) * MILLIS_PER_SECOND;
        List<Connection> old = new ArrayList<>();
        List<Connection> idle = store.in(ConnectionState.IDLE);
        int tooMany = idle.size() - MOST_IDLE;
        // Connections without rules or without a path for that long are forgotten too.
        for (List<Connection> each : List.of(idle, store.in(ConnectionState.PENDING), store.in(ConnectionState.DOWN))) {
            for (Connection connection : each) {
                meter.begin(connection.id(), nowMillis);
                long since = meter.lastActiveMillis(connection.id());
                boolean oneTooMany = connection.state() == ConnectionState.IDLE && tooMany-- > 0;
                if (oneTooMany || nowMillis - since >= retentionMillis && !awaited.contains(connection.id())) {
                    old.add(connection);
                }
            }
        }
        provisioner.close(old, Cause.FORGOTTEN);
    }
}
