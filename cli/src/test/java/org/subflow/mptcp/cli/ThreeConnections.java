// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.HostId;
import org.onosproject.net.Link;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.CapacitySource;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionListener;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.LinkAttributes;
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

/** A controller that knows an active connection with two subflows, one without a path, and one that is idle. */
final class ThreeConnections implements MptcpService {
    static final String ACTIVE = "aaaa0001";
    static final String DOWN = "bbbb0002";
    static final String IDLE = "cccc0003";

    private final Map<ConnectionId, Connection> connections = new LinkedHashMap<>();
    private final List<LinkUsage> links = new ArrayList<>();

    ThreeConnections() {
        add(connection(ACTIVE, routed(40001), routed(40002)).withState(ConnectionState.ACTIVE));
        add(connection(DOWN, unrouted(40003)).withState(ConnectionState.DOWN));
        add(connection(IDLE, unrouted(40004).withoutRoute(SubflowState.IDLE)).withState(ConnectionState.IDLE));
        links.add(new LinkUsage(link("of:1/2", "of:2/1"), LinkAttributes.of(10e6, CapacitySource.PORT_SPEED), 8e6, 7.5e6, 1e6, 2));
        links.add(new LinkUsage(link("of:2/1", "of:1/2"), LinkAttributes.of(10e6, CapacitySource.PORT_SPEED), 0, 0.25e6, 0, 0));
    }

    void forgetAll() {
        connections.clear();
    }

    /** Adds one of the two legs of a connection through a router, the host 00:00:00:00:00:FE. */
    void addLeg(String id, String from, String to) {
        FiveTuple first = tuple(41001).between(HostId.hostId(from), HostId.hostId(to));
        add(Connection.opened(ConnectionId.of(id), 1, Token.of(1), Token.of(2), Settings.DEFAULTS.terms(), 1000,
                              unrouted(first)).withSubflow(unrouted(tuple(41002).between(HostId.hostId(from), HostId.hostId(to)))
                                                                   .withBackup(true)).withDeniedJoins(true));
    }

    /** Gives the links a delay in ms and shared-risk link groups. */
    void tellOfLinks(double millis, String... groups) {
        links.replaceAll(usage -> new LinkUsage(usage.link(), usage.attributes().with(millis, Set.of(groups)), usage.reserved(),
                                                usage.measured(), usage.others(), usage.subflows()));
    }

    /** Gives the links a capacity, bit/s, and no other traffic. */
    void narrowLinks(double capacity) {
        links.replaceAll(usage -> new LinkUsage(usage.link(), LinkAttributes.of(capacity, CapacitySource.PORT_SPEED), usage.reserved(),
                                                usage.measured(), 0, usage.subflows()));
    }

    private void add(Connection connection) {
        connections.put(connection.id(), connection);
    }

    private static Connection connection(String id, Subflow first, Subflow... more) {
        Connection connection = Connection.opened(ConnectionId.of(id), 1, null, null,
                Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").terms(), 1000, first);
        for (Subflow subflow : more) {
            connection = connection.withSubflow(subflow);
        }
        return connection;
    }

    private static Subflow unrouted(int port) {
        return unrouted(tuple(port));
    }

    private static Subflow unrouted(FiveTuple tuple) {
        return Subflow.unrouted(tuple, true, false,
                ConnectPoint.deviceConnectPoint("of:1/100"), ConnectPoint.deviceConnectPoint("of:2/100"));
    }

    private static Subflow routed(int port) {
        return unrouted(port).withRoute(SubflowState.ACTIVE, List.of(link("of:1/2", "of:2/1")),
                List.of(link("of:2/1", "of:1/2")), 10e6).withExpected(Rates.of(4e6, 1e6));
    }

    private static FiveTuple tuple(int port) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 5201);
    }

    private static Link link(String src, String dst) {
        return DefaultLink.builder().providerId(new ProviderId("of", "test")).type(Link.Type.DIRECT)
                .src(ConnectPoint.deviceConnectPoint(src)).dst(ConnectPoint.deviceConnectPoint(dst)).build();
    }

    @Override
    public List<Connection> connections() {
        return List.copyOf(connections.values());
    }

    @Override
    public Optional<Connection> connection(ConnectionId id) {
        return Optional.ofNullable(connections.get(id));
    }

    @Override
    public Measurement measurement(ConnectionId id) {
        return id.value().equals(ACTIVE)
                ? new Measurement(Map.of(tuple(40001), Rates.of(3e6, 0.5e6), tuple(40002), Rates.of(1e6, 0)), 2000)
                : Measurement.NONE;
    }

    @Override
    public boolean hasAgent(ConnectionId id) {
        return id.value().equals(ACTIVE);
    }

    @Override
    public Demand demand(ConnectionId id) {
        return Demand.UNLIMITED;
    }

    @Override
    public AttainableRate attainableRate(ConnectionId id) {
        return id.value().equals(ACTIVE) ? new AttainableRate(Rates.of(10e6, 9e6), Rates.of(7e6, 6e6)) : AttainableRate.NONE;
    }

    @Override
    public List<LinkUsage> links() {
        return links;
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("segments", 12L);
        counters.put("syn", 0L);
        return counters;
    }

    @Override
    public void addListener(ConnectionListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeListener(ConnectionListener listener) {
        throw new UnsupportedOperationException();
    }
}
