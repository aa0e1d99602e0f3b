// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.host.ReportReception;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.sharing.AttainableRateEstimator;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.wire.StateSnapshot.Entry;

/** What the node that decides knows of each connection. Thread-safe. */
public final class ConnectionFigures {
    private final ConnectionStore store;
    private final ReportReception reports;
    private final Meter meter;
    private final Demands demands;
    private final AttainableRateEstimator attainableRates;
    private final AwaitedConnections awaited;

    public ConnectionFigures(ConnectionStore store, ReportReception reports, Meter meter, Demands demands,
                             AttainableRateEstimator attainableRates, AwaitedConnections awaited) {
        this.store = checkNotNull(store, "store");
        this.reports = checkNotNull(reports, "reports");
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.attainableRates = checkNotNull(attainableRates, "attainableRates");
        this.awaited = checkNotNull(awaited, "awaited");
    }

    List<Connection> connections() {
        return store.all();
    }

    /** Returns what is known of a connection. */
    Optional<Entry> entry(ConnectionId id) {
        return store.get(id).map(this::entry);
    }

    /** Returns all of it. */
    List<Entry> entries() {
        return store.all().stream().map(this::entry).collect(Collectors.toList());
    }

    private Entry entry(Connection connection) {
        ConnectionId id = connection.id();
        return new Entry(connection, meter.measurement(id), demands.of(id), attainableRates.attainableRate(id),
                         reports.isReported(connection), awaited.until(id));
    }
}
