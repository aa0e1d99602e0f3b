// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;
import java.util.Set;

/**
 * Strategy {@code k-max-min}: the two-phase heuristic of Sheu et al. for k disjoint paths whose smallest bottleneck is
 * large.
 *
 * <p>Phase one ({@link CandidatePaths}) visits nodes like Dijkstra's algorithm and lets every node keep the m best paths
 * (7 by default) that each neighbour hands on. As published, ties are broken at random; here the node with the largest
 * maximum bottleneck bandwidth (MBB) comes first, then the one with the smaller minimum hop count (MHC), then the smaller
 * id, and a node's unvisited neighbours are relaxed in the order of MHC, then id. Edge (u, v) is relaxed one way if
 * {@code u.mhc ≤ v.mhc}, otherwise both ways; then u forgets its paths beyond the m best that went to v, as in the worked
 * example (the text does not say that the others stay). As published nothing stops a path from coming back to a node it has
 * been at; here such a path is dropped before the m best are counted. The target relaxes nothing.
 *
 * <p>Phase two sorts the candidates by bottleneck (stable), starts one set with each candidate and adds the first
 * candidates that are disjoint from all in the set. The best set has the most paths, then the largest smallest bottleneck; as
 * published the rest is open, here the larger sum decides, then the first found.
 *
 * <p>Phase one is O(m · n · links) here, because records are kept sorted by insertion; phase two O(x² · n) for x candidates,
 * at most m for each neighbour of the target. It neither always finds as many paths as exist nor always the best smallest
 * bottleneck; {@link WidestDisjoint} does, and in less time.
 */
public final class KMaxMin extends AbstractStrategy {
    private static final int DEFAULT_M = 7;

    /** Makes the strategy. */
    public KMaxMin() {
        super("k-max-min", List.of(Disjointness.LINK, Disjointness.NODE), Set.of(PathOption.M));
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        workspace.candidates.search(workspace.view, request.m == 0 ? DEFAULT_M : request.m);
        DisjointSubset subset = workspace.subset;
        subset.collect(workspace.candidates, workspace.view, kind == Disjointness.NODE);
        subset.select(request.k, paths);
    }
}
