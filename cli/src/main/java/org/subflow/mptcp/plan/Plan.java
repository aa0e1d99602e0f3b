// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.List;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.PlacedSubflow;

/** The result of the planner. Rates are in bit/s. Immutable, as long as nobody writes to the array. */
final class Plan {
    final Topology topology;
    final String strategy;
    final String allocator;
    /** The kind of disjointness of a connection's paths. */
    final Disjointness disjointness;
    final List<PlannedConnection> connections;
    /** Expected throughput by arc. */
    final double[] loads;
    /** How close the expected throughputs come to the best of any routing; null if nobody asked for it. */
    final PlannedBound bound;
    final long pathMicros;
    final long allocationMicros;

    Plan(Topology topology, PlanOptions options, Disjointness disjointness, List<PlannedConnection> connections,
         PlannedBound bound, long pathNanos, long allocationNanos) {
        this.topology = topology;
        this.strategy = options.strategy;
        this.allocator = options.allocator;
        this.disjointness = disjointness;
        this.connections = List.copyOf(connections);
        this.loads = loads(topology.graph().arcCount(), connections);
        this.bound = bound;
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

    /** Returns the arcs with an expected throughput above 0, the links in the order of the topology. */
    int[] carrying() {
        return IntStream.range(0, loads.length).filter(arc -> loads[arc] > 0).toArray();
    }
}
