// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.search.PathPlacement;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * ONOS's network and our connections in the terms of the placement core, and the core's answers as paths of links.
 *
 * <p>Remembers the paths of links that it has translated, as long as the network stays the same. One thread at a time.
 */
public final class NetworkModel {
    private final Supplier<NetworkSnapshot> network;
    private final Traffic traffic;
    private final LoopGuard guard;
    private Translation translation;

    /** Makes a model of a network and of what is sent there. */
    public NetworkModel(NetworkView network, Traffic traffic, LoopGuard guard) {
        this(checkNotNull(network, "network")::snapshot, traffic, guard);
    }

    private NetworkModel(Supplier<NetworkSnapshot> network, Traffic traffic, LoopGuard guard) {
        this.network = network;
        this.traffic = checkNotNull(traffic, "traffic");
        this.guard = checkNotNull(guard, "guard");
    }

    /**
     * Returns a model in which nothing changes any more: for several answers about one moment.
     *
     * @param live the connections whose demands count; not null
     */
    public NetworkModel still(List<Connection> live) {
        guard.check();
        NetworkSnapshot snapshot = network.get();
        return new NetworkModel(() -> snapshot, new StillTraffic(traffic, live, snapshot), guard);
    }

    /** Traffic as it was at one moment. */
    private static final class StillTraffic implements Traffic {
        private final Map<ConnectionId, Demand> demands = new HashMap<>();
        private final Map<Link, Double> others = new HashMap<>();

        private StillTraffic(Traffic moving, List<Connection> live, NetworkSnapshot network) {
            live.forEach(connection -> demands.put(connection.id(), moving.demand(connection.id())));
            network.links().forEach(link -> others.put(link, moving.other(link)));
        }

        @Override
        public Demand demand(ConnectionId id) {
            return demands.getOrDefault(id, Demand.UNLIMITED);
        }

        @Override
        public double other(Link link) {
            return others.get(link);
        }

        @Override
        public long changes() {
            return 0;
        }
    }

    /** Returns the network as it is now. One decision uses one such translation throughout. */
    public Translation now() {
        guard.check();
        NetworkSnapshot snapshot = network.get();
        if (translation == null || translation.network() != snapshot) {
            translation = new Translation(snapshot, traffic);
        }
        return translation;
    }

    /**
     * Chooses the path of a new subflow.
     *
     * @param connection its connection, which may already contain it; not null
     * @param subflow    the subflow; not null
     * @param live       all connections on the network; not null
     * @return the subflow on its path; blocked by the JOIN policy; or down if no path joins its hosts
     */
    public Subflow place(Connection connection, Subflow subflow, List<Connection> live) {
        Translation now = now();
        return now.subflow(subflow, placed(now, connection, subflow, live));
    }

    /**
     * Chooses the path of a subflow that nobody has opened yet: one that is disjoint from its siblings' in the way that the
     * connection's terms ask for, and within its limits to delays.
     *
     * @param connection its connection, without it; not null
     * @param subflow    the subflow; not null
     * @param live       all connections on the network; not null
     * @return the subflow on its path; empty if there is no such path
     */
    public Optional<Subflow> placeDisjoint(Connection connection, Subflow subflow, List<Connection> live) {
        Translation now = now();
        PlacedSubflow placed = placed(now, connection, subflow, live);
        return placed.role() == Role.OWN ? Optional.of(now.subflow(subflow, placed)) : Optional.empty();
    }

    private static PlacedSubflow placed(Translation now, Connection connection, Subflow subflow, List<Connection> live) {
        Connection with = connection.subflow(subflow.tuple()).isPresent() ? connection : connection.withSubflow(subflow);
        int index = 0;
        while (!with.subflows().get(index).tuple().equals(subflow.tuple())) {
            index++;
        }
        return PathPlacement.place(now.state(live), now.placed(with), index);
    }
}
