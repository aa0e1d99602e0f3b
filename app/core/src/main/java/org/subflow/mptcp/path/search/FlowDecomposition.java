// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import java.util.List;
import org.subflow.mptcp.path.Path;

/**
 * Decomposes a {@link DisjointFlow} into paths: each time the widest remaining one, and of equally wide ones the one with the
 * fewest hops. Where link-disjoint paths meet in a node, several decompositions exist. Cycles are dropped. Belongs to one
 * {@link Workspace}.
 */
final class FlowDecomposition {
    private int[] arcs = new int[64];
    private int arcCount;
    private double[] width = {};
    private int[] hops = {};
    private int[] via = {};
    private int[] seen = {};
    private int epoch;
    private int[] found = {};

    /**
     * Adds the paths to a list and leaves the flow without them.
     *
     * @param flow  the flow
     * @param paths where to add them
     */
    void extract(DisjointFlow flow, List<Path> paths) {
        collectArcs(flow);
        begin(flow.view.graph.nodeCount());
        for (int i = 0; i < flow.size; i++) {
            paths.add(takeWidest(flow.view));
        }
    }

    /** Returns the widest path of a flow that has one, and leaves the flow empty. */
    Path widest(DisjointFlow flow) {
        collectArcs(flow);
        begin(flow.view.graph.nodeCount());
        return takeWidest(flow.view);
    }

    private Path takeWidest(PrunedGraph view) {
        spread(view, spread(view, Workspace.ANY));
        return trace(view);
    }

    private void collectArcs(DisjointFlow flow) {
        arcCount = 0;
        if (arcs.length < flow.touchedCount) {
            arcs = new int[Math.max(2 * arcs.length, flow.touchedCount)];
        }
        for (int i = 0; i < flow.touchedCount; i++) {
            int arc = flow.touched[i];
            // An arc that was cancelled and used again is in the list twice.
            if (flow.take(arc) && flow.isLink(arc)) {
                arcs[arcCount++] = flow.original(arc);
            }
        }
        // Sorted, so that the paths do not depend on the order of the augmentations.
        Arrays.sort(arcs, 0, arcCount);
    }

    private void begin(int nodes) {
        if (seen.length < nodes) {
            width = new double[nodes];
            hops = new int[nodes];
            via = new int[nodes];
            found = new int[nodes];
            seen = new int[nodes];
        }
    }

    /**
     * Labels nodes over the remaining arcs: by width with a floor of {@link Workspace#ANY}, otherwise by hops over arcs of at
     * least that width. The arcs are few, so rounds over all of them are as fast as a heap.
     *
     * @return the greatest width at which an end is reached
     */
    private double spread(PrunedGraph view, double floor) {
        if (++epoch == 0) {
            Arrays.fill(seen, 0);
            epoch = 1;
        }
        for (int i = 0; i < view.startCount; i++) {
            label(view.starts[i], Double.POSITIVE_INFINITY, 0, -1);
        }
        boolean byWidth = floor == Workspace.ANY;
        for (boolean changed = true; changed;) {
            changed = false;
            for (int i = 0; i < arcCount; i++) {
                int tail = view.graph.tail(arcs[i]);
                if (seen[tail] != epoch || view.residual[arcs[i]] < floor) {
                    continue;
                }
                int head = view.graph.head(arcs[i]);
                double newWidth = Math.min(width[tail], view.residual[arcs[i]]);
                boolean better = seen[head] != epoch
                        || (byWidth ? newWidth > width[head] : hops[tail] + 1 < hops[head]);
                if (better) {
                    label(head, newWidth, hops[tail] + 1, i);
                    changed = true;
                }
            }
        }
        double widest = 0;
        for (int i = 0; i < view.endCount; i++) {
            if (seen[view.ends[i]] == epoch) {
                widest = Math.max(widest, width[view.ends[i]]);
            }
        }
        return widest;
    }

    private void label(int node, double newWidth, int newHops, int arcIndex) {
        seen[node] = epoch;
        width[node] = newWidth;
        hops[node] = newHops;
        via[node] = arcIndex;
    }

    /** Takes out the path to the end with the fewest hops. */
    private Path trace(PrunedGraph view) {
        int node = -1;
        for (int i = 0; i < view.endCount; i++) {
            int end = view.ends[i];
            if (seen[end] == epoch && (node < 0 || hops[end] < hops[node])) {
                node = end;
            }
        }
        int length = hops[node];
        for (int i = length - 1; i >= 0; i--) {
            int index = via[node];
            found[i] = arcs[index];
            arcs[index] = -1;
            node = view.graph.tail(found[i]);
        }
        int kept = 0;
        for (int i = 0; i < arcCount; i++) {
            if (arcs[i] >= 0) {
                arcs[kept++] = arcs[i];
            }
        }
        arcCount = kept;
        return view.path(found, length);
    }
}
