// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.sharing.AttainableRateEstimator;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.wire.StateSnapshot;

/** What the node that decides knows of each connection. Thread-safe. */
public final class ConnectionFigures {
    private final ConnectionStore store;
    private final HostAgents agents;
    private final Meter meter;
    private final Demands demands;
    private final AttainableRateEstimator attainableRates;

    public ConnectionFigures(ConnectionStore store, HostAgents agents, Meter meter, Demands demands,
                             AttainableRateEstimator attainableRates) {
        this.store = checkNotNull(store, "store");
        this.agents = checkNotNull(agents, "agents");
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.attainableRates = checkNotNull(attainableRates, "attainableRates");
    }

    List<Connection> connections() {
        return store.all();
    }

    Optional<Connection> connection(ConnectionId id) {
        return store.get(id);
    }

    Measurement measurement(ConnectionId id) {
        return meter.measurement(id);
    }

    Demand demand(ConnectionId id) {
        return demands.of(id);
    }

    AttainableRate attainableRate(ConnectionId id) {
        return attainableRates.attainableRate(id);
    }

    /** Returns whether an agent of one of its hosts reports on a connection; false if there is none. */
    boolean hasAgent(ConnectionId id) {
        return store.get(id).filter(agents::isReported).isPresent();
    }

    /**
     * Returns all of it.
     *
     * @param awaitedUntil until when a connection is awaited, milliseconds of the Unix epoch; empty for others
     */
    List<StateSnapshot.Entry> entries(Function<ConnectionId, OptionalLong> awaitedUntil) {
        return store.all().stream().map(connection -> new StateSnapshot.Entry(
                connection, measurement(connection.id()), demand(connection.id()), attainableRate(connection.id()),
                agents.isReported(connection), awaitedUntil.apply(connection.id()))).collect(Collectors.toList());
    }
}
