// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionListener;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;

/** The connections, links and counters that a test wants to be known. */
public final class KnownConnections implements MptcpService {
    static final ConnectionId ID = ConnectionId.of("62c2ac68");
    /** Its only subflow takes the path 1–2–5, is to get 8/2 Mbit/s and gets 4/0.5. */
    static final FiveTuple TUPLE = FiveTuple.of(
            IpAddress.valueOf("10.0.0.1"), 40000, IpAddress.valueOf("10.0.0.2"), 5201);

    public final Set<ConnectionListener> listeners = new CopyOnWriteArraySet<>();
    public final List<LinkUsage> links = new ArrayList<>();
    public final Map<String, Long> counters = new LinkedHashMap<>();
    private final Map<ConnectionId, Connection> connections = new LinkedHashMap<>();
    private final Map<ConnectionId, Measurement> measurements = new HashMap<>();

    /** Adds a connection that runs as {@link #TUPLE} says. */
    public Connection addRunning() {
        Subflow subflow = Subflow.unrouted(TUPLE, true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, path(1, 2, 5), path(5, 2, 1), Nets.CAPACITY)
                .withExpected(Rates.of(8e6, 2e6));
        Connection connection = Connection.opened(ID, 1, Token.of(0x11), Token.of(0x22),
                Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").terms(), 1000, subflow)
                .withState(ConnectionState.ACTIVE);
        measurements.put(ID, new Measurement(Map.of(TUPLE, Rates.of(4e6, 0.5e6)), 2000));
        put(connection);
        return connection;
    }

    /** Lets no counter have been read twice. */
    public void forgetMeasurements() {
        measurements.clear();
    }

    public synchronized void put(Connection connection) {
        connections.put(connection.id(), connection);
    }

    public synchronized void remove(ConnectionId id) {
        connections.remove(id);
    }

    void tell(ConnectionEvent event) {
        listeners.stream().filter(listener -> listener.isRelevant(event)).forEach(listener -> listener.event(event));
    }

    private static List<Link> path(int a, int b, int c) {
        return List.of(Nets.link(a, b), Nets.link(b, c));
    }

    @Override
    public synchronized List<Connection> connections() {
        return List.copyOf(connections.values());
    }

    @Override
    public synchronized Optional<Connection> connection(ConnectionId id) {
        return Optional.ofNullable(connections.get(id));
    }

    @Override
    public Measurement measurement(ConnectionId id) {
        return measurements.getOrDefault(id, Measurement.NONE);
    }

    @Override
    public boolean hasAgent(ConnectionId id) {
        return id.equals(ID);
    }

    @Override
    public Demand demand(ConnectionId id) {
        return Demand.UNLIMITED;
    }

    @Override
    public AttainableRate attainableRate(ConnectionId id) {
        return id.equals(ID) ? new AttainableRate(Rates.of(10e6, 9e6), Rates.of(7e6, 6e6)) : AttainableRate.NONE;
    }

    @Override
    public List<LinkUsage> links() {
        return links;
    }

    @Override
    public Map<String, Long> counters() {
        return counters;
    }

    @Override
    public void addListener(ConnectionListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(ConnectionListener listener) {
        listeners.remove(listener);
    }
}
