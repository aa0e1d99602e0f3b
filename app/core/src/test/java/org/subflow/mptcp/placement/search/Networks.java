// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.Random;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacementTerms;

/** Networks for tests, capacities in bit/s. */
public final class Networks {
    public static final double CAPACITY = 10e6;

    /** Sends from client to server without limit. */
    public static final Demand UP = Demand.of(Double.POSITIVE_INFINITY, 0);

    private Networks() {
    }

    /** Nodes 0 to 4: 0 and 4 joined over each of 1, 2 and 3. */
    public static Graph diamond() {
        Graph.Builder graph = Graph.builder(5);
        for (int middle = 1; middle <= 3; middle++) {
            graph.link(0, middle, CAPACITY);
            graph.link(middle, 4, CAPACITY);
        }
        return graph.build();
    }

    /** Six to ten nodes in a ring, so that there are always two disjoint paths, with chords; 2 to 20 Mbit/s a link. */
    public static Graph random(Random random) {
        int nodes = 6 + random.nextInt(5);
        Graph.Builder graph = Graph.builder(nodes);
        for (int n = 0; n < nodes; n++) {
            graph.link(n, (n + 1) % nodes, megabits(random));
            for (int m = n + 2; m < nodes; m++) {
                if (random.nextInt(4) == 0 && !(n == 0 && m == nodes - 1)) {
                    graph.link(n, m, megabits(random));
                }
            }
        }
        return graph.build();
    }

    /** As {@link #random}, but for each link the two directions differ: 1 to 10 Mbit/s each, so that ties are common. */
    public static Graph unequal(Random random, int mostNodes) {
        int nodes = 4 + random.nextInt(mostNodes - 3);
        Graph.Builder graph = Graph.builder(nodes);
        for (int n = 0; n < nodes; n++) {
            for (int m = n + 1; m < nodes; m++) {
                if (m == n + 1 || m - n == nodes - 1 || random.nextInt(3) == 0) {
                    graph.link(n, m, (1 + random.nextInt(10)) * 1e6, (1 + random.nextInt(10)) * 1e6);
                }
            }
        }
        return graph.build();
    }

    private static double megabits(Random random) {
        return (2 + random.nextInt(19)) * 1e6;
    }

    /** Returns terms with the default strategy. */
    public static PlacementTerms terms(int subflows, JoinPolicy policy) {
        return PlacementTerms.of("widest-disjoint", subflows, policy);
    }

    /** Returns a placement on a network without connections, with the default allocator. */
    public static Placement on(Graph graph) {
        return new Placement(NetworkState.empty(graph), "max-min", Placement.LEAST_GAIN_PERCENT);
    }

    /** Returns the smallest expected throughput upwards, bit/s. */
    public static double smallest(NetworkState network) {
        return network.connections().stream().mapToDouble(connection -> connection.expected().up()).min().orElseThrow();
    }

    /** Returns the sum of the logarithms of the expected throughputs upwards, bit/s. */
    public static double logarithms(NetworkState network) {
        return network.connections().stream().mapToDouble(connection -> Math.log(connection.expected().up())).sum();
    }
}
