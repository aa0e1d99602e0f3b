// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.topology.NetworkSnapshot;

/** Translates between connections on one snapshot of ONOS's network and the placement core. For one thread at a time. */
public final class Translation {
    /** More paths than live connections have. A full cache is cleared as a whole, unused paths with it. */
    private static final int MOST_PATHS_KNOWN = 1 << 16;
    private static final int LEAST_KNOWN = 1024;
    private static final PlacementTerms HARMLESS = PlacementTerms.of("widest-disjoint", 1, JoinPolicy.SHARE);

    private final NetworkSnapshot network;
    private final Traffic traffic;
    /** Keyed by list identity: a subflow keeps the same list as long as its path stays. */
    private final IdentityHashMap<List<Link>, Optional<Path>> paths = new IdentityHashMap<>();
    /** Keyed by identity: a connection that changes is another object. */
    private final IdentityHashMap<Connection, PlacedConnection> known = new IdentityHashMap<>();

    /** The last state and what it was of: the next has most connections in common with it. */
    private NetworkState last;
    private List<Connection> lastConnections = List.of();
    private long lastTraffic = -1;

    Translation(NetworkSnapshot network, Traffic traffic) {
        this.network = network;
        this.traffic = traffic;
        this.last = NetworkState.empty(network.graph());
    }

    /** Returns the snapshot. */
    public NetworkSnapshot network() {
        return network;
    }

    /**
     * Returns the network's state in the core's terms.
     *
     * @param connections the connections on the network, in this order; not null
     * @return the state, with the connections' demands and expected throughputs
     */
    public NetworkState state(List<Connection> connections) {
        // Before what it numbers is read: what changes meanwhile is read anew the next time.
        long now = traffic.changes();
        if (now == lastTraffic && connections == lastConnections) {
            return last;
        }
        if (now != lastTraffic) {
            last = last.withOtherTraffic(otherTraffic());
        }
        List<PlacedConnection> placed = now == lastTraffic ? changed(connections)
                : connections.stream().map(this::known).collect(Collectors.toList());
        if (known.size() > 2 * connections.size() + LEAST_KNOWN) {
            known.clear();
        }
        last = last.withConnections(placed);
        lastConnections = connections;
        lastTraffic = now;
        return last;
    }

    /** Returns the connections in the core's terms; those that are as they were are taken from the last state. */
    private List<PlacedConnection> changed(List<Connection> connections) {
        List<PlacedConnection> before = last.connections();
        int most = Math.min(before.size(), connections.size());
        int at = 0;
        while (at < most && lastConnections.get(at) == connections.get(at)) {
            at++;
        }
        List<PlacedConnection> placed = new ArrayList<>(connections.size());
        placed.addAll(before.subList(0, at));
        for (Connection connection : connections.subList(at, connections.size())) {
            // One that was there may have gone. Most are the same: their ids need no look.
            at += at + 1 < before.size() && lastConnections.get(at + 1) == connection ? 1 : 0;
            boolean isSame = at < before.size() && lastConnections.get(at) == connection;
            placed.add(isSame ? before.get(at) : known(connection));
            at += isSame || at < before.size() && lastConnections.get(at).id().equals(connection.id()) ? 1 : 0;
        }
        return placed;
    }

    private double[] otherTraffic() {
        double[] otherTraffic = new double[network.graph().arcCount()];
        for (int arc = 0; arc < otherTraffic.length; arc++) {
            otherTraffic[arc] = traffic.other(network.link(arc));
        }
        return otherTraffic;
    }

    /** Returns the same as {@link #placed}: most connections are as they were at the last decision. */
    private PlacedConnection known(Connection connection) {
        PlacedConnection before = known.get(connection);
        if (before != null && before.demand().equals(traffic.demand(connection.id()))) {
            return before;
        }
        PlacedConnection[] now = {withoutPaths(connection)};
        OneByOne.run(() -> now[0] = placed(connection), connection.id());
        known.put(connection, now[0]);
        return now[0];
    }

    /** Returns a connection with nothing that could be wrong, so that one odd record does not hinder decisions about others. */
    private PlacedConnection withoutPaths(Connection connection) {
        return new PlacedConnection(connection.id().value(), HARMLESS, traffic.demand(connection.id()),
                                    connection.subflows().stream().map(subflow -> unplaced(subflow, false)).collect(Collectors.toList()));
    }

    /** Returns a connection in the core's terms. */
    public PlacedConnection placed(Connection connection) {
        List<PlacedSubflow> subflows = new ArrayList<>(connection.subflows().size());
        connection.subflows().forEach(subflow -> subflows.add(placed(subflow, connection.isStandby(subflow))));
        return new PlacedConnection(connection.id().value(), terms(connection), traffic.demand(connection.id()),
                                    subflows);
    }

    private static PlacementTerms terms(Connection connection) {
        Terms terms = connection.terms();
        // Where the server takes no further subflow, paths for more would only narrow the first one's.
        PlacementTerms placed = PlacementTerms.of(terms.strategy(), connection.deniesJoins() ? 1 : terms.subflows(),
                                                  terms.joinPolicy())
                .withShare(terms.weight(), terms.cap())
                .withLimits(PathLimits.of(limit(terms.maxDelayMillis()), limit(terms.maxDelaySpreadMillis())));
        return terms.disjoint().map(Disjointness::parse).filter(placed.strategy().disjointness()::contains)
                .map(kind -> placed.withOptions(request -> request.disjointness(kind))).orElse(placed);
    }

    private static double limit(int millis) {
        return millis == 0 ? Double.POSITIVE_INFINITY : millis;
    }

    /** Returns a subflow in the core's terms; it is unplaced if its path is no longer part of the network. */
    private PlacedSubflow placed(Subflow subflow, boolean standsBy) {
        PlacedSubflow unplaced = unplaced(subflow, standsBy);
        if (!subflow.isRouted()) {
            return unplaced;
        }
        // A backup by its hosts' word whose siblings are lost takes part in sharing again.
        boolean isActive = subflow.state() == SubflowState.ACTIVE || subflow.isBackup();
        Role role = isActive ? Role.OWN : Role.BACKUP;
        if (subflow.path().isEmpty()) {
            return unplaced.on(role, null);
        }
        return path(subflow.path()).map(path -> unplaced.on(role, path)).orElse(unplaced);
    }

    private PlacedSubflow unplaced(Subflow subflow, boolean standsBy) {
        PlacedSubflow unplaced = PlacedSubflow.unplaced(network.node(subflow.ingress().deviceId()), network.node(subflow.egress().deviceId()),
                                      subflow.fromClient(), subflow.isJoin(), subflow.tuple().hashCode())
                .withExpected(subflow.expected());
        return standsBy ? unplaced.standingBy() : unplaced;
    }

    private Optional<Path> path(List<Link> links) {
        if (paths.size() > MOST_PATHS_KNOWN) {
            paths.clear();
        }
        return paths.computeIfAbsent(links, network::path);
    }

    /**
     * Returns a subflow on the path that the core has chosen.
     *
     * @param before the subflow before the placement
     * @param placed where it is now
     */
    public Subflow subflow(Subflow before, PlacedSubflow placed) {
        switch (placed.role()) {
            case BLOCKED:
                return before.withoutRoute(SubflowState.BLOCKED);
            case NONE:
                return before.withoutRoute(SubflowState.DOWN);
            default:
                List<Link> there = placed.path().map(network::links).orElse(List.of());
                List<Link> back = placed.path().map(network::reverseLinks).orElse(List.of());
                double bottleneck = placed.path().map(Path::capacity).orElse(0.0);
                return before.withRoute(placed.isActive() ? SubflowState.ACTIVE : SubflowState.BACKUP, there, back, bottleneck)
                        .withExpected(placed.expected());
        }
    }

    /** Returns a connection with the expected throughputs of the placed one, and with what its paths carry now. */
    public static Connection shared(Connection connection, PlacedConnection placed) {
        List<Subflow> subflows = new ArrayList<>();
        for (int i = 0; i < connection.subflows().size(); i++) {
            Subflow subflow = connection.subflows().get(i);
            PlacedSubflow now = placed.subflows().get(i);
            subflows.add(subflow.with(now.expected(), now.path().map(Path::capacity).orElse(subflow.bottleneck())));
        }
        return subflows.equals(connection.subflows()) ? connection : connection.withSubflows(subflows);
    }

    /** Does the same for a connection of the last state, whose next version need not be translated then. */
    public Connection next(Connection connection, PlacedConnection placed) {
        Connection next = shared(connection, placed);
        if (next != connection) {
            known.put(next, placed);
        }
        return next;
    }

    /**
     * Returns a connection on the paths that the core has chosen.
     *
     * @param connection the connection as it was
     * @param before     the same connection in the core's terms
     * @param after      the placed connection; subflows that the core has not moved stay exactly as they were
     */
    public Connection moved(Connection connection, PlacedConnection before, PlacedConnection after) {
        List<Subflow> subflows = new ArrayList<>();
        for (int i = 0; i < connection.subflows().size(); i++) {
            Subflow subflow = connection.subflows().get(i);
            subflows.add(after.subflows().get(i).equals(before.subflows().get(i)) ? subflow
                    : subflow(subflow, after.subflows().get(i)));
        }
        return connection.withSubflows(subflows);
    }
}
