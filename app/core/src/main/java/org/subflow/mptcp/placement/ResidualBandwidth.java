// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import org.subflow.mptcp.path.Graph;

/**
 * The residual bandwidth that a new subflow finds on each link.
 *
 * <p>It is the larger of two rates. One is the capacity less the expected throughputs of others and other traffic. The other
 * is an equal part of the capacity for each connection there, other traffic and the newcomer. So a full link stays usable.
 * A connection without an expected throughput has begun just now: it and the newcomer have equal parts of what others leave.
 * Values are rounded to steps of a twentieth of the capacity. So rounding errors do not favour a path with more hops.
 * Stateless.
 */
final class ResidualBandwidth {
    private static final int STEPS = 20;

    private ResidualBandwidth() {
    }

    /**
     * Computes the residual bandwidth.
     *
     * @param network  the network
     * @param newcomer name of the connection that asks; its own expected throughput counts as free
     * @return bit/s by arc; for each link the smaller of its two directions, as a subflow needs both
     */
    static double[] of(NetworkState network, String newcomer) {
        Graph graph = network.graph();
        int arcs = graph.arcCount();
        double[] unused = graph.capacities();
        int[] users = new int[arcs];
        for (int arc = 0; arc < arcs; arc++) {
            unused[arc] -= network.otherTraffic(arc);
            users[arc] += network.otherTraffic(arc) > 0 ? 1 : 0;
        }
        int[] lastUser = new int[arcs];
        int[] begun = new int[arcs];
        int number = 0;
        for (PlacedConnection connection : network.connections()) {
            if (!connection.id().equals(newcomer)) {
                number++;
                subtract(connection, number, unused, users, lastUser, begun);
            }
        }
        double[] residual = new double[arcs];
        for (int arc = 0; arc < arcs; arc++) {
            double capacity = graph.capacity(arc);
            residual[arc] = inSteps(Math.max(unused[arc] / (begun[arc] + 1), capacity / (users[arc] + 1)),
                    capacity / STEPS);
        }
        for (int arc = 0; arc < arcs; arc += 2) {
            if (!network.allowsOneWayLinks() || graph.capacity(arc) > 0 && graph.capacity(arc + 1) > 0) {
                double both = Math.min(residual[arc], residual[arc + 1]);
                residual[arc] = both;
                residual[arc + 1] = both;
            }
        }
        return residual;
    }

    /** Subtracts one connection's expected throughputs, and counts it once on each arc of its paths. */
    private static void subtract(PlacedConnection connection, int number, double[] unused, int[] users, int[] lastUser,
                                 int[] begun) {
        int one = connection.expected().larger() == 0 ? 1 : 0;
        for (PlacedSubflow subflow : connection.subflows()) {
            for (boolean upwards : new boolean[] {true, false}) {
                double rate = upwards ? subflow.expected().up() : subflow.expected().down();
                for (int arc : subflow.arcs(upwards)) {
                    unused[arc] -= rate;
                    if (lastUser[arc] != number) {
                        lastUser[arc] = number;
                        users[arc]++;
                        begun[arc] += one;
                    }
                }
            }
        }
    }

    /** Returns the nearest step. A rate below the first step stays as it is, because no link may become unusable. */
    private static double inSteps(double rate, double step) {
        return rate <= step ? rate : Math.rint(rate / step) * step;
    }
}
