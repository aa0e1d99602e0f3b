// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import org.subflow.mptcp.path.Graph;

/**
 * The cheapest paths from one node to all others, where each arc has a cost: Dijkstra's algorithm, O((n + arcs)·log n). Ties
 * go to the fewest hops, then to the smallest node. An arc without capacity is not used. Immutable.
 */
public final class CheapestTree {
    private static final int NONE = -1;

    private final Graph graph;
    private final double[] cost;
    private final int[] hops;
    private final int[] via;

    private CheapestTree(Graph graph) {
        this.graph = graph;
        cost = new double[graph.nodeCount()];
        hops = new int[graph.nodeCount()];
        via = new int[graph.nodeCount()];
        Arrays.fill(cost, Double.POSITIVE_INFINITY);
        Arrays.fill(via, NONE);
    }

    /**
     * Finds the paths.
     *
     * @param graph   the network; not null
     * @param arcCost cost by arc, each 0 or more; not null
     * @param source  the node where all paths start
     * @return the paths
     * @throws IllegalArgumentException if there is not one cost for each arc, or a cost is negative or not a number
     */
    public static CheapestTree of(Graph graph, double[] arcCost, int source) {
        if (arcCost.length != graph.arcCount()) {
            throw new IllegalArgumentException(arcCost.length + " costs for " + graph.arcCount() + " arcs");
        }
        CheapestTree tree = new CheapestTree(graph);
        tree.search(arcCost, source);
        return tree;
    }

    private void search(double[] arcCost, int source) {
        NodeHeap open = new NodeHeap();
        open.clear(graph.nodeCount());
        cost[source] = 0;
        open.improve(source, 0, 0);
        while (!open.isEmpty()) {
            int node = open.poll();
            for (int i = graph.offset(node); i < graph.offset(node + 1); i++) {
                int arc = graph.out(i);
                if (!(arcCost[arc] >= 0)) {
                    throw new IllegalArgumentException("the cost of arc " + arc + " is " + arcCost[arc]
                            + "; it must be 0 or more");
                }
                if (graph.capacity(arc) > 0) {
                    improve(open, node, arc, cost[node] + arcCost[arc]);
                }
            }
        }
    }

    private void improve(NodeHeap open, int node, int arc, double newCost) {
        int head = graph.head(arc);
        if (newCost < cost[head] || newCost == cost[head] && hops[node] + 1 < hops[head]) {
            cost[head] = newCost;
            hops[head] = hops[node] + 1;
            via[head] = arc;
            open.improve(head, -newCost, hops[head]);
        }
    }

    /** Returns the cost of the cheapest path to a node; positive infinity if there is none. */
    public double cost(int target) {
        return cost[target];
    }

    /**
     * Returns the arcs of the cheapest path to a node, in order; empty for the source itself.
     *
     * @throws IllegalArgumentException if no path leads there
     */
    public int[] arcs(int target) {
        if (cost[target] == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("no path leads to node " + target);
        }
        int[] arcs = new int[hops[target]];
        int node = target;
        for (int i = arcs.length - 1; i >= 0; i--) {
            arcs[i] = via[node];
            node = graph.tail(arcs[i]);
        }
        return arcs;
    }
}
