// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;

/**
 * Finds disjoint paths with the smallest cost in total, where each arc has a price: exact, by successive shortest paths
 * ({@link CheapestAugmentation}). Stateless.
 */
public final class CheapestDisjoint {
    /** Costs are whole numbers up to this, so that sums are exact; each hop costs 1 at least. */
    private static final double MOST_COST = 1e9;

    private CheapestDisjoint() {
    }

    /**
     * Finds as many paths as exist, at most {@code k} of the request.
     *
     * @param request with sources, targets, k, the residual of each arc, the siblings' paths and limits to delays. An arc
     *                without residual is not used. Other fields do not matter
     * @param kind    link, node or srlg
     * @param prices  price of each arc, finite, 0 or more; only their proportions matter, to nine digits of the largest
     * @return the paths, the one with the fewest hops first, of several that with the smaller nodes; empty if none joins the
     *         two, or if the cheapest ones do not keep to the limits or to disjointness by groups
     */
    public static List<Path> find(PathRequest request, Disjointness kind, double[] prices) {
        double largest = Double.MIN_NORMAL;
        for (double price : prices) {
            largest = Math.max(largest, price);
        }
        long[] costs = new long[prices.length];
        for (int arc = 0; arc < costs.length; arc++) {
            costs[arc] = 1 + Math.round(prices[arc] / largest * MOST_COST);
        }
        List<Path> paths = new ArrayList<>();
        try (Workspace workspace = Workspace.borrow()) {
            workspace.view.open(request, kind);
            DisjointFlow flow = workspace.flow;
            flow.clear(workspace.view, kind == Disjointness.NODE);
            flow.costs = costs;
            workspace.cheapest.begin(flow);
            while (flow.size < request.k() && workspace.cheapest.augment(flow, Workspace.ANY)) {
                // One path more each time.
            }
            workspace.decomposition.extract(flow, paths);
        }
        paths.sort(Comparator.comparingInt(Path::hops).thenComparing(Path::nodes, Arrays::compare));
        return ConstrainedPaths.areWithin(request, kind, paths) ? paths : List.of();
    }
}
