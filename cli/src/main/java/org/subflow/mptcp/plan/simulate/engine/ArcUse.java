// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Arrays;
import java.util.Collection;

/**
 * Rates and subflows on each arc since the last computation of shares. A newcomer has an estimated rate until the next one: what is
 * left on its path, or an equal part for each subflow there if that is more. So an arc may carry more than its capacity meanwhile.
 */
final class ArcUse {
    private final double[] load;
    private final int[] users;

    ArcUse(int arcs) {
        load = new double[arcs];
        users = new int[arcs];
    }

    /** Counts all connections anew: sums of many changes gather rounding errors. */
    void reset(Collection<Connection> connections) {
        Arrays.fill(load, 0);
        Arrays.fill(users, 0);
        connections.forEach(this::add);
    }

    /** Counts a connection with its present rates. */
    void add(Connection connection) {
        count(connection, 1);
    }

    void remove(Connection connection) {
        count(connection, -1);
    }

    private void count(Connection connection, int sign) {
        for (int s = 0; s < connection.routes.length; s++) {
            for (int hop = 0; connection.routes[s] != null && hop < connection.routes[s].length; hop++) {
                load[connection.routes[s][hop]] += sign * connection.rates[s];
                users[connection.routes[s][hop]] += sign;
            }
        }
    }

    /** Estimates the rates of a connection that is not counted yet, and counts it. */
    void add(Connection connection, double[] capacity) {
        for (int s = 0; s < connection.routes.length; s++) {
            double rate = Double.POSITIVE_INFINITY;
            for (int hop = 0; connection.routes[s] != null && hop < connection.routes[s].length; hop++) {
                int arc = connection.routes[s][hop];
                rate = Math.min(rate, Math.max(capacity[arc] - load[arc], capacity[arc] / (users[arc] + 1)));
            }
            connection.rates[s] = connection.routes[s] == null ? 0 : rate / connection.active();
        }
        add(connection);
    }
}
