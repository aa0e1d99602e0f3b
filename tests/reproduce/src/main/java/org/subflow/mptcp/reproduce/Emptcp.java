// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.FatTree;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;

/** Wang and Hamdi (eMPTCP): the shares of Fig. 2, and the paths of the fat tree of the evaluation. */
final class Emptcp {
    private static final double MEGABIT = 1e6;
    private static final double LINK = 30 * MEGABIT;
    private static final int FLOWS = 3;
    private static final int PORTS = 8;

    private Emptcp() {
    }

    /** Computes the shares of Fig. 2: three links of 30 Mbit/s, and a one-hop and a two-hop path for each of three flows. */
    static Table triangle() {
        double[] capacities = new double[FLOWS];
        Arrays.fill(capacities, LINK);
        SharingProblem.Builder problem = SharingProblem.builder(capacities);
        for (int flow = 0; flow < FLOWS; flow++) {
            problem.connection();
            problem.subflow(flow);
            problem.subflow((flow + 1) % FLOWS, (flow + 2) % FLOWS);
        }
        Table table = new Table("allocator", "flow_mbps");
        for (String name : Allocators.names()) {
            Allocation allocation = Allocators.byName(name).allocate(problem.build());
            table.row(name, allocation.total(0) / MEGABIT);
        }
        return table;
    }

    /** Counts the shortest paths between two servers of the 8-ary fat tree, by where they are. */
    static Table paths() {
        Graph graph = FatTree.of(PORTS, 1).graph();
        int first = FatTree.host(PORTS, 0, 0, 0);
        Table table = new Table("servers", "paths");
        table.row("same switch", count(graph, first, FatTree.host(PORTS, 0, 0, 1)));
        table.row("same pod", count(graph, first, FatTree.host(PORTS, 0, 1, 0)));
        table.row("other pod", count(graph, first, FatTree.host(PORTS, 1, 0, 0)));
        return table;
    }

    /** Returns the number of shortest paths between two nodes. */
    static int count(Graph graph, int source, int target) {
        int[] distance = new int[graph.nodeCount()];
        Arrays.fill(distance, Integer.MAX_VALUE);
        int[] paths = new int[graph.nodeCount()];
        distance[source] = 0;
        paths[source] = 1;
        Deque<Integer> queue = new ArrayDeque<>();
        queue.add(source);
        while (!queue.isEmpty()) {
            int node = queue.remove();
            for (int i = 0; i < graph.degree(node); i++) {
                int beyond = graph.head(graph.arcFrom(node, i));
                if (distance[beyond] == Integer.MAX_VALUE) {
                    distance[beyond] = distance[node] + 1;
                    queue.add(beyond);
                }
                if (distance[beyond] == distance[node] + 1) {
                    paths[beyond] += paths[node];
                }
            }
        }
        return paths[target];
    }
}
