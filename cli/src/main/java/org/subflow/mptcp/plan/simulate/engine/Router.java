// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathInput;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.search.PathPlacement;
import org.subflow.mptcp.placement.search.Repair;

/**
 * Chooses paths: the plain one that a connection has first, and those of its strategy, by the core's placement as in the controller.
 * That knows switches only, so a host stands for its switch ({@link Access}). Strategies without a look at the network need no state
 * of it: they ask for a path of each subflow's own key.
 */
final class Router {
    /** Between the keys of a connection's subflows. */
    private static final long NEXT_KEY = 0x9e3779b97f4a7c15L;
    /** Demand of a connection that sends as much as it can, in one direction. */
    private static final Demand GREEDY = Demand.of(Double.POSITIVE_INFINITY, 0);
    /** Strategies whose paths depend neither on loads nor on siblings. */
    private static final Set<String> BLIND = Set.of("ecmp", "shortest");

    private final Parameters parameters;
    private final PathStrategy plain;
    private final Access access;

    Router(Parameters parameters, Access access) {
        this.parameters = parameters;
        this.plain = PathStrategies.named(parameters.plain);
        this.access = access;
    }

    /** Returns whether the strategy decides without the state of the network, so that the controller has no part in it. */
    boolean isBlind() {
        return BLIND.contains(parameters.terms.strategy().name());
    }

    /** Returns the path that the network gives a subflow of nobody's concern; null if nothing with capacity joins its ends. */
    Path plain(Graph graph, Arrival arrival, int subflow) {
        return find(plain, graph, arrival, subflow);
    }

    private static Path find(PathStrategy strategy, Graph graph, Arrival arrival, int subflow) {
        PathRequest.Builder request = PathRequest.on(graph).from(arrival.source).to(arrival.target).k(1);
        if (strategy.needs().contains(PathInput.FLOW_KEY)) {
            request.flowKey(arrival.flowKey + subflow * NEXT_KEY);
        }
        List<Path> found = strategy.findPaths(request.build()).paths();
        return found.isEmpty() ? null : found.get(0);
    }

    /** Returns the paths of all subflows under a strategy that does not look at the network. */
    List<Path> blind(Graph graph, Arrival arrival) {
        List<Path> paths = new ArrayList<>();
        for (int s = 0; s < arrival.terms(parameters.terms).subflows(); s++) {
            paths.add(find(parameters.terms.strategy(), graph, arrival, s));
        }
        return paths;
    }

    /** Returns the path that a subflow gets after its own is lost, under such a strategy or as a plain one; null if there is none. */
    Path blindAgain(Graph graph, Connection connection, int subflow) {
        return connection.managed ? find(parameters.terms.strategy(), graph, connection.arrival, subflow)
                : plain(graph, connection.arrival, subflow);
    }

    /** Returns a connection on its strategy's paths. */
    PlacedConnection placed(NetworkState network, Arrival arrival) {
        int source = access.node(network.graph(), arrival.source);
        int target = access.node(network.graph(), arrival.target);
        PlacementTerms terms = arrival.terms(parameters.terms);
        List<PlacedSubflow> begin = new ArrayList<>();
        for (int s = 0; s < terms.subflows(); s++) {
            begin.add(PlacedSubflow.unplaced(source, target, true, s > 0, arrival.flowKey + s * NEXT_KEY));
        }
        return PathPlacement.placeAll(network, new PlacedConnection("c" + arrival.number, terms, GREEDY, List.of()), begin);
    }

    /** Returns a connection whose subflows without a path have others, as far as there are any. */
    PlacedConnection repaired(NetworkState network, Connection connection) {
        return Repair.repair(network, connection.placed, s -> connection.routes[s] == null);
    }

    /** Returns a connection whose subflows without a path have none in the controller's view, either. */
    PlacedConnection withoutLost(Connection connection) {
        PlacedConnection placed = connection.placed;
        for (int s = 0; s < connection.routes.length; s++) {
            if (connection.routes[s] == null) {
                placed = placed.with(s, placed.subflows().get(s).withoutPath(PlacedSubflow.Role.NONE));
            }
        }
        return placed;
    }

    /** Returns a connection with its present paths and rates, for questions about all connections together. */
    PlacedConnection seen(Connection connection) {
        List<PlacedSubflow> subflows = new ArrayList<>();
        for (int s = 0; s < connection.paths.length; s++) {
            if (connection.paths[s] != null) {
                PlacedSubflow subflow = PlacedSubflow.unplaced(connection.arrival.source, connection.arrival.target, true, s > 0, s);
                subflows.add(NetworkView.at(subflow.on(PlacedSubflow.Role.OWN, connection.paths[s]), connection.rates[s]));
            }
        }
        return new PlacedConnection(connection.id(), connection.arrival.terms(parameters.terms), GREEDY, subflows);
    }

    /** Returns the paths of a connection's subflows from end to end; null for one without a path. */
    List<Path> paths(Graph graph, Arrival arrival, PlacedConnection placed) {
        List<Path> paths = new ArrayList<>();
        for (PlacedSubflow subflow : placed.subflows()) {
            paths.add(subflow.isActive() ? access.path(graph, arrival, subflow.path().orElse(null)) : null);
        }
        return paths;
    }
}
