// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.Rates;

/**
 * The network as the controller sees it: connections that have earned their paths with their throughputs, and all else as other
 * traffic. It is brought up to date when it is asked for, and only if something has changed.
 */
final class NetworkView {
    private NetworkState state;
    private boolean isStale;

    NetworkView(Graph graph) {
        on(graph);
    }

    /** Begins anew on a graph with other capacities. */
    void on(Graph graph) {
        state = NetworkState.empty(graph).allowingOneWayLinks();
        isStale = true;
    }

    /** Says that rates have changed. */
    void ratesChanged() {
        isStale = true;
    }

    /** Takes in a connection that has its paths now, or other ones. */
    void put(PlacedConnection connection) {
        state = isStale ? state : state.with(connection);
    }

    /** Forgets a connection; nothing happens if it is unknown. */
    void remove(Connection connection) {
        state = isStale || connection.placed == null ? state : state.without(connection.id());
    }

    /** Returns the state, with the rates of the last computation of shares. */
    NetworkState of(Collection<Connection> connections) {
        if (isStale) {
            double[] other = new double[state.graph().arcCount()];
            List<PlacedConnection> placed = new ArrayList<>();
            for (Connection connection : connections) {
                if (connection.placed != null) {
                    connection.placed = withRates(connection);
                    placed.add(connection.placed);
                } else {
                    addTo(other, connection);
                }
            }
            state = state.withOtherTraffic(other).withConnections(placed);
            isStale = false;
        }
        return state;
    }

    private static void addTo(double[] traffic, Connection connection) {
        for (int s = 0; s < connection.routes.length; s++) {
            for (int hop = 0; connection.routes[s] != null && hop < connection.routes[s].length; hop++) {
                traffic[connection.routes[s][hop]] += connection.rates[s];
            }
        }
    }

    private static PlacedConnection withRates(Connection connection) {
        List<PlacedSubflow> subflows = new ArrayList<>(connection.rates.length);
        for (int s = 0; s < connection.rates.length; s++) {
            subflows.add(at(connection.placed.subflows().get(s), connection.rates[s]));
        }
        return connection.placed.withSubflows(subflows);
    }

    /** Returns a subflow with a rate from the client on, bit/s. */
    static PlacedSubflow at(PlacedSubflow subflow, double rate) {
        return subflow.withExpected(Rates.of(rate, 0));
    }
}
