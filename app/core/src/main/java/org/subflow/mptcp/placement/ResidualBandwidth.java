// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import org.subflow.mptcp.path.Graph;

/**
 * What a newcomer finds on each link.
 *
 * <p>That is the larger of what the others are expected to leave and an equal part of the capacity for each connection there,
 * other traffic and the newcomer. So no link becomes unusable because it is full. Values go in steps of a twentieth of the
 * capacity: what differs by less counts as the same, and nobody takes a long way round because of rounding. Stateless.
 */
final class ResidualBandwidth {
    private static final int STEPS = 20;

    private ResidualBandwidth() {
    }

    /**
     * Works it out.
     *
     * @param network  the network
     * @param newcomer name of the connection that asks; what it holds itself counts as free
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
        int number = 0;
        for (PlacedConnection connection : network.connections()) {
            if (!connection.id().equals(newcomer)) {
                number++;
                subtract(connection, number, unused, users, lastUser);
            }
        }
        double[] residual = new double[arcs];
        for (int arc = 0; arc < arcs; arc++) {
            double capacity = graph.capacity(arc);
            residual[arc] = inSteps(Math.max(unused[arc], capacity / (users[arc] + 1)), capacity / STEPS);
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

    /** Takes off what one connection is expected to send, and counts it once on each arc of its paths. */
    private static void subtract(PlacedConnection connection, int number, double[] unused, int[] users, int[] lastUser) {
        for (PlacedSubflow subflow : connection.subflows()) {
            for (boolean upwards : new boolean[] {true, false}) {
                double rate = upwards ? subflow.expected().up() : subflow.expected().down();
                for (int arc : subflow.arcs(upwards)) {
                    unused[arc] -= rate;
                    if (lastUser[arc] != number) {
                        lastUser[arc] = number;
                        users[arc]++;
                    }
                }
            }
        }
    }

    /** Returns the nearest step; a part of the first one stays, as no link becomes unusable. */
    private static double inSteps(double rate, double step) {
        return rate <= step ? rate : Math.rint(rate / step) * step;
    }
}
