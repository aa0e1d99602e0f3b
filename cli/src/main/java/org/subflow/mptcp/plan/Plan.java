// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.List;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.share.Zeta;

/** What the planner found. Rates are in bit/s. Immutable, if the arrays are left alone. */
final class Plan {
    final Topology topology;
    final String strategy;
    final String allocator;
    final List<PlannedConnection> connections;
    /** Expected throughput by connection and subflow. */
    final double[][] expected;
    /** The largest rate that each connection could reach. */
    final List<Zeta> zetas;
    /** Expected throughput by arc. */
    final double[] loads;
    final long pathMicros;
    final long allocationMicros;

    Plan(Topology topology, String strategy, Sharing sharing, List<Zeta> zetas, long pathNanos, long allocationNanos) {
        this.topology = topology;
        this.strategy = strategy;
        this.allocator = sharing.allocatorName();
        this.connections = List.copyOf(sharing.connections());
        this.expected = new double[connections.size()][];
        for (int c = 0; c < expected.length; c++) {
            expected[c] = sharing.rates(c);
        }
        this.zetas = List.copyOf(zetas);
        this.loads = sharing.loads();
        this.pathMicros = pathNanos / 1000;
        this.allocationMicros = allocationNanos / 1000;
    }

    /** Returns the expected throughput of a connection. */
    double total(int connection) {
        double total = 0;
        for (double rate : expected[connection]) {
            total += rate;
        }
        return total;
    }

    /** Returns the arcs that are expected to carry something, the links in the order of the topology. */
    int[] carrying() {
        return IntStream.range(0, loads.length).filter(arc -> loads[arc] > 0).toArray();
    }
}
