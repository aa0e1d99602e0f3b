// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Arrays;
import java.util.List;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.PlacedConnection;

/** A connection that is alive: its paths, their rates, and what it still has to send. For one thread. */
final class Connection {
    final Arrival arrival;
    /** Its strategy's paths, once it has earned them; null before, and where the strategy does not look at the network. */
    PlacedConnection placed;
    /** Whether it has earned its paths. */
    boolean managed;
    /** Path of each subflow; null for one without. */
    Path[] paths = new Path[0];
    /** Arcs of each subflow's path; null for one without. */
    int[][] routes = new int[0][];
    /** Rate of each subflow on the wire, bit/s. */
    double[] rates = new double[0];
    /** Bits on the wire that each subflow has carried on its present path. */
    double[] carried = new double[0];
    /** Bits on the wire still to send at the moment {@link #since}. */
    double left;
    double since;
    /** Sum of the rates, bit/s. */
    double total;

    Connection(Arrival arrival, double bits) {
        this.arrival = arrival;
        this.left = bits;
        this.since = arrival.at;
    }

    String id() {
        return "c" + arrival.number;
    }

    /** Returns how many subflows have a path. */
    int active() {
        int active = 0;
        for (int[] route : routes) {
            active += route == null ? 0 : 1;
        }
        return active;
    }

    /** Takes the paths of its subflows, null where there is none; rates begin at 0. */
    void on(List<Path> newPaths) {
        paths = newPaths.toArray(new Path[0]);
        routes = newPaths.stream().map(path -> path == null ? null : path.arcs()).toArray(int[][]::new);
        rates = new double[routes.length];
        carried = new double[routes.length];
        total = 0;
    }

    /** Accounts for what was sent since the last time at the present rates. */
    void settle(double now) {
        double passed = now - since;
        if (passed > 0) {
            for (int s = 0; s < rates.length; s++) {
                carried[s] += rates[s] * passed;
            }
            left -= total * passed;
        }
        since = now;
    }

    /** Puts one subflow on another path, or on none if that is null; its rate begins at 0. */
    void reroute(int subflow, Path path) {
        paths[subflow] = path;
        routes[subflow] = path == null ? null : path.arcs();
        rates[subflow] = 0;
        carried[subflow] = 0;
        sumUp();
    }

    void sumUp() {
        total = Arrays.stream(rates).sum();
    }
}
