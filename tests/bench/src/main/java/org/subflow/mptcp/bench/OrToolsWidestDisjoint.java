// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.google.ortools.Loader;
import com.google.ortools.graph.MaxFlow;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Graph;

/**
 * The problem of {@code widest-disjoint} solved with OR-tools' {@code MaxFlow}, by binary search over the capacities. The
 * result is the largest threshold at which a maximum flow of one unit per arc still has the largest number of paths.
 *
 * <p>Nothing is copied between two thresholds: the arcs between them get 0 or 1 as their capacity. A further node before the
 * source has an arc of k units, so that no flow has more. Ours does more: the peer finds neither the paths nor a good choice
 * among them.
 */
final class OrToolsWidestDisjoint implements DisjointPaths.Peer {
    private final MaxFlow flow;
    /** Arcs by growing capacity, without those of capacity 0. */
    private final int[] arcs;
    /** The distinct capacities in bit/s, ascending. */
    private final double[] thresholds;
    /** For each threshold, how many of {@link #arcs} are narrower. */
    private final int[] narrower;
    private final int origin;
    private final int firstEntry;
    /** The first of {@link #arcs} with capacity 1. */
    private int open;
    private int entry;

    /** Copies a network, with one arc for each direction of a link. */
    OrToolsWidestDisjoint(Graph graph) {
        Loader.loadNativeLibraries();
        flow = new MaxFlow();
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            flow.addArcWithCapacity(graph.tail(arc), graph.head(arc), graph.capacity(arc) > 0 ? 1 : 0);
        }
        origin = graph.nodeCount();
        firstEntry = graph.arcCount();
        for (int node = 0; node < graph.nodeCount(); node++) {
            flow.addArcWithCapacity(origin, node, 0);
        }
        arcs = IntStream.range(0, graph.arcCount()).filter(arc -> graph.capacity(arc) > 0).boxed()
                .sorted((one, other) -> Double.compare(graph.capacity(one), graph.capacity(other)))
                .mapToInt(Integer::intValue).toArray();
        thresholds = Arrays.stream(arcs).mapToDouble(graph::capacity).distinct().toArray();
        narrower = new int[thresholds.length];
        for (int index = 1, before = 0; index < narrower.length; index++) {
            while (graph.capacity(arcs[before]) < thresholds[index]) {
                before++;
            }
            narrower[index] = before;
        }
    }

    @Override
    public DisjointPaths.Optimum find(int source, int target, int k) {
        flow.setArcCapacity(firstEntry + entry, 0);
        entry = source;
        flow.setArcCapacity(firstEntry + entry, k);
        int low = 0;
        int high = thresholds.length - 1;
        int paths = paths(low, target);
        if (paths == 0) {
            return new DisjointPaths.Optimum(0, 0);
        }
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (paths(middle, target) == paths) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return new DisjointPaths.Optimum(paths, thresholds[low]);
    }

    private int paths(int threshold, int target) {
        while (open < narrower[threshold]) {
            flow.setArcCapacity(arcs[open++], 0);
        }
        while (open > narrower[threshold]) {
            flow.setArcCapacity(arcs[--open], 1);
        }
        MaxFlow.Status status = flow.solve(origin, target);
        if (status != MaxFlow.Status.OPTIMAL) {
            throw new IllegalStateException("MaxFlow says " + status);
        }
        return (int) flow.getOptimalFlow();
    }
}
