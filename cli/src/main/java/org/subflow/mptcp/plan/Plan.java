// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.List;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.PlacedSubflow;

/** What the planner found. Rates are in bit/s. Immutable, if the array is left alone. */
final class Plan {
    final Topology topology;
    final String strategy;
    final String allocator;
    /** What the own paths of a connection do not have in common. */
    final Disjointness disjointness;
    final List<PlannedConnection> connections;
    /** Expected throughput by arc. */
    final double[] loads;
    final long pathMicros;
    final long allocationMicros;

    Plan(Topology topology, PlanOptions options, Disjointness disjointness, List<PlannedConnection> connections,
         long pathNanos, long allocationNanos) {
        this.topology = topology;
        this.strategy = options.strategy;
        this.allocator = options.allocator;
        this.disjointness = disjointness;
        this.connections = List.copyOf(connections);
        this.loads = loads(topology.graph().arcCount(), connections);
        this.pathMicros = pathNanos / 1000;
        this.allocationMicros = allocationNanos / 1000;
    }

    private static double[] loads(int arcs, List<PlannedConnection> connections) {
        double[] loads = new double[arcs];
        for (PlannedConnection connection : connections) {
            for (PlacedSubflow subflow : connection.subflows) {
                for (int arc : subflow.path().get().arcs()) {
                    loads[arc] += subflow.expected().up();
                }
            }
        }
        return loads;
    }

    /** Returns the arcs that are expected to carry something, the links in the order of the topology. */
    int[] carrying() {
        return IntStream.range(0, loads.length).filter(arc -> loads[arc] > 0).toArray();
    }
}
