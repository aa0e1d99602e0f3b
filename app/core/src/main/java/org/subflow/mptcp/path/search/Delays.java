// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.subflow.mptcp.path.Graph;

/**
 * The smallest delays from a request's sources to each node, and from there to its targets, over the open arcs of a view:
 * Dijkstra's algorithm from each end. In milliseconds; an unknown delay counts as 0.
 */
final class Delays {
    private final PrunedGraph view;
    private final double[] fromSources;
    private final double[] toTargets;

    private Delays(PrunedGraph view) {
        this.view = view;
        this.fromSources = search(view.starts, view.startCount, 0);
        this.toTargets = search(view.ends, view.endCount, 1);
    }

    /** Searches a view. */
    static Delays of(PrunedGraph view) {
        return new Delays(view);
    }

    /** Returns the smallest delay from a node to a target; infinite if no open path leads to one. */
    double toTargets(int node) {
        return toTargets[node];
    }

    /** Returns the smallest delay of a walk from a source to a target by an arc; infinite if there is none. */
    double through(int arc) {
        return fromSources[view.graph.head(arc ^ 1)] + of(view.graph, arc) + toTargets[view.graph.head(arc)];
    }

    /** Returns the delay of an arc, 0 if it is unknown. */
    static double of(Graph graph, int arc) {
        return Double.isNaN(graph.delay(arc)) ? 0 : graph.delay(arc);
    }

    private double[] search(int[] ends, int count, int turn) {
        Graph graph = view.graph;
        double[] delay = new double[graph.nodeCount()];
        Arrays.fill(delay, Double.POSITIVE_INFINITY);
        PriorityQueue<double[]> open = new PriorityQueue<>(Comparator.comparingDouble(entry -> entry[0]));
        for (int i = 0; i < count; i++) {
            delay[ends[i]] = 0;
            open.add(new double[] {0, ends[i]});
        }
        while (!open.isEmpty()) {
            double[] nearest = open.poll();
            int node = (int) nearest[1];
            if (nearest[0] > delay[node]) {
                continue;
            }
            for (int i = graph.offset(node); i < graph.offset(node + 1); i++) {
                int arc = graph.out(i) ^ turn;
                int next = graph.neighbour(i);
                double there = nearest[0] + of(graph, arc);
                if (there < delay[next] && view.admits(arc, Workspace.ANY)) {
                    delay[next] = there;
                    open.add(new double[] {there, next});
                }
            }
        }
        return delay;
    }
}
