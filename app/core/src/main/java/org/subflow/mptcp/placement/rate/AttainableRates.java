// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.search.MaximumFlow;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.share.Residual;
import org.subflow.mptcp.share.WhatIfShares;
import org.subflow.mptcp.share.Zeta;

/**
 * Works out ζ, the largest rate that each connection could attain (eMPTCP).
 *
 * <p>A graph has exponentially many paths between two nodes. So the search takes the connection's own paths and up to eight
 * disjoint ones that are as wide as possible. Access links are not part of the graph and do not limit ζ. The present demand
 * does not limit it either. Links that no path within the connection's longest delay can take do not count. The spread does not
 * limit ζ, because it says nothing of one path.
 *
 * <p>The connections of one network share most of the work: ask about all of them before you pass the next network. For one
 * thread at a time.
 */
public final class AttainableRates {
    private static final int MOST_PATHS = 8;
    private static final PathStrategy EVERY_PATH = PathStrategies.named("widest-disjoint");

    private final WhatIfShares shares = new WhatIfShares();
    private NetworkState network;
    private Competition competition;
    private Residual expected;

    /**
     * Takes the network as it is now. Call it before {@link #of}.
     *
     * @param present the network with the connections on it and their expected throughputs; not null
     * @return whether it is another one than the last: if not, no ζ has changed
     */
    public boolean now(NetworkState present) {
        if (present == network) {
            return false;
        }
        network = present;
        competition = Competition.of(present);
        expected = Residual.of(competition.problem(), competition.expected());
        shares.now(competition.problem());
        return true;
    }

    /**
     * Works ζ out for one connection.
     *
     * @param index its place among the network's connections, from 0
     * @return ζ per direction; zero for a direction that takes no part in the competition
     */
    public AttainableRate of(int index) {
        PlacedConnection connection = network.connections().get(index);
        PlacedSubflow first = connection.subflows().get(0);
        int client = first.fromClient() ? first.source() : first.target();
        int server = first.fromClient() ? first.target() : first.source();
        if (client < 0 || server < 0 || client == server) {
            return AttainableRate.NONE;
        }
        Zeta up = zeta(index, true, client, server);
        Zeta down = zeta(index, false, server, client);
        return new AttainableRate(Rates.of(available(up), available(down)), Rates.of(fair(up), fair(down)));
    }

    private static double available(Zeta zeta) {
        return zeta == null ? 0 : Math.max(0, zeta.available());
    }

    private static double fair(Zeta zeta) {
        return zeta == null ? 0 : Math.max(0, zeta.fair());
    }

    private Zeta zeta(int index, boolean upwards, int from, int to) {
        OptionalInt number = competition.number(index, upwards);
        if (!number.isPresent()) {
            return null;
        }
        PlacedConnection connection = network.connections().get(index);
        return Zeta.of(expected, number.getAsInt(), connection.terms().cap(),
                       residual -> MaximumFlow.value(network.graph(), usable(residual), from, to, connection.terms().limits()),
                       routes(connection, upwards, from, to), shares);
    }

    /** Takes their residual from the arcs that no path may take; returns the array that it got. */
    private double[] usable(double[] ofArcs) {
        for (int arc = 0; arc < ofArcs.length; arc++) {
            ofArcs[arc] = network.isUsable(arc) ? ofArcs[arc] : 0;
        }
        return ofArcs;
    }

    private List<int[]> routes(PlacedConnection connection, boolean upwards, int from, int to) {
        Set<Path> paths = new LinkedHashSet<>();
        for (PlacedSubflow subflow : connection.subflows()) {
            if (subflow.isActive() && subflow.path().isPresent()) {
                paths.add(Path.of(network.graph(), subflow.arcs(upwards)));
            }
        }
        EVERY_PATH.findPaths(PathRequest.on(network.graph()).from(from).to(to).k(MOST_PATHS)
                .residual(usable(network.graph().capacities())).limits(connection.terms().limits()).build()).forEach(paths::add);
        List<int[]> routes = new ArrayList<>();
        paths.forEach(path -> routes.add(path.arcs()));
        return routes;
    }
}
