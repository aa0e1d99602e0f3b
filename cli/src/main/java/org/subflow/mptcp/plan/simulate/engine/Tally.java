// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Collection;
import org.subflow.mptcp.path.Graph;

/** Sums over time and over paths, for a {@link RunResult}. */
final class Tally {
    private final RunResult result;
    private double last;
    private double aliveSeconds;
    private double fairSeconds;
    private double fairnessSum;
    private int alive;
    private double fairness = Double.NaN;

    Tally(RunResult result) {
        this.result = result;
    }

    /** Accounts for the time until now, in seconds. */
    void until(double now) {
        double passed = now - last;
        aliveSeconds += alive * passed;
        if (!Double.isNaN(fairness)) {
            fairSeconds += passed;
            fairnessSum += fairness * passed;
        }
        last = now;
    }

    /** Takes the number of connections alive from now on. */
    void alive(int number) {
        alive = number;
        result.mostAlive = Math.max(result.mostAlive, number);
    }

    /** Takes the rates from now on. */
    void rates(Collection<Connection> connections) {
        result.computations++;
        double sum = 0;
        double squares = 0;
        for (Connection connection : connections) {
            sum += connection.total;
            squares += connection.total * connection.total;
        }
        fairness = connections.size() < 2 || squares == 0 ? Double.NaN : sum * sum / (connections.size() * squares);
    }

    /** Accounts for what a subflow has carried on the path that it leaves. */
    void carried(Connection connection, int subflow) {
        int[] route = connection.routes[subflow];
        for (int hop = 0; route != null && hop < route.length; hop++) {
            result.carried[route[hop]] += connection.carried[subflow];
        }
    }

    void carried(Connection connection) {
        for (int s = 0; s < connection.routes.length; s++) {
            carried(connection, s);
        }
    }

    /** Counts the rules of a path: one in each direction at each switch. */
    void rules(Graph graph, int[] route, Access access) {
        if (route != null) {
            int hosts = (access.isHost(graph, graph.tail(route[0])) ? 1 : 0)
                    + (access.isHost(graph, graph.head(route[route.length - 1])) ? 1 : 0);
            result.rules += 2L * (route.length + 1 - hosts);
        }
    }

    void move() {
        result.moves++;
    }

    void finish(double begin) {
        result.end = last;
        result.meanAlive = last > begin ? aliveSeconds / (last - begin) : 0;
        result.fairness = fairSeconds > 0 ? fairnessSum / fairSeconds : Double.NaN;
    }
}
