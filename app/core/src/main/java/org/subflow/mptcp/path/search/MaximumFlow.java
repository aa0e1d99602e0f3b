// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.path.PathRequest;

/** The maximum flow between nodes, over any number of paths, disjoint or not. */
public final class MaximumFlow {
    private MaximumFlow() {
    }

    /**
     * Returns the value of the maximum flow (Dinic's algorithm).
     *
     * @param graph    the network
     * @param residual bandwidth of each arc in bit/s, each 0 or more; not changed
     * @param sources  nodes where flow starts, at least one
     * @param targets  nodes where flow ends, at least one, none of them a source
     * @return the value in bit/s
     * @throws IllegalArgumentException if a node is unknown or both source and target, or there are too few bandwidths
     */
    public static double value(Graph graph, double[] residual, int[] sources, int[] targets) {
        check(graph, residual, sources, targets);
        try (Workspace workspace = Workspace.borrow()) {
            return workspace.dinic.flow(graph, residual, sources, sources.length, targets, targets.length);
        }
    }

    /**
     * Returns an upper bound on the flow over paths that keep to limits. It is the maximum flow on the arcs that a path within
     * the longest delay can take. A path of such arcs may be longer in all. The spread does not count, because any path may be one
     * of those that a connection has.
     *
     * @param graph    the network
     * @param residual bandwidth of each arc in bit/s, each 0 or more; not changed
     * @param source   where flow starts
     * @param target   where flow ends, another node
     * @param limits   the limits; not null
     * @return the bound in bit/s
     * @throws IllegalArgumentException if a node is unknown, or both are the same, or there are too few bandwidths
     */
    public static double value(Graph graph, double[] residual, int source, int target, PathLimits limits) {
        if (limits.maxDelayMillis() == Double.POSITIVE_INFINITY) {
            return value(graph, residual, new int[] {source}, new int[] {target});
        }
        double[] usable;
        try (Workspace workspace = Workspace.borrow()) {
            workspace.view.open(PathRequest.on(graph).from(source).to(target).residual(residual).limits(limits).build(),
                                Disjointness.NONE);
            usable = workspace.view.openPart(residual);
        }
        return value(graph, usable, new int[] {source}, new int[] {target});
    }

    /**
     * Returns the value of the maximum flow between two nodes over the links' capacities.
     *
     * @param graph  the network
     * @param source where flow starts
     * @param target where flow ends, another node
     * @return the value in bit/s
     * @throws IllegalArgumentException if a node is unknown, or both are the same
     */
    public static double value(Graph graph, int source, int target) {
        return value(graph, graph.capacities(), new int[] {source}, new int[] {target});
    }

    private static void check(Graph graph, double[] residual, int[] sources, int[] targets) {
        if (residual.length < graph.arcCount()) {
            throw new IllegalArgumentException("the residual has " + residual.length + " values for " + graph.arcCount()
                    + " arcs");
        }
        for (int[] terminals : new int[][] {sources, targets}) {
            for (int node : terminals) {
                if (node < 0 || node >= graph.nodeCount()) {
                    throw new IllegalArgumentException("no node " + node + "; the nodes are 0 to "
                            + (graph.nodeCount() - 1));
                }
            }
        }
        for (int source : sources) {
            if (Arrays.stream(targets).anyMatch(target -> target == source)) {
                throw new IllegalArgumentException("node " + source + " is both source and target");
            }
        }
    }
}
