// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathOption;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.Workspace;

/**
 * Strategy {@code k-max-min}: the two-phase heuristic of Sheu et al. for k disjoint paths whose smallest bottleneck is
 * large.
 *
 * <p>Phase one ({@link CandidatePaths}) visits nodes like Dijkstra's algorithm and lets every node keep the m best paths
 * (7 by default) that each neighbour hands on. As published, ties are broken at random. Here the node with the largest
 * maximum bottleneck bandwidth (MBB) comes first. Then the smaller minimum hop count (MHC) decides, then the smaller id. A
 * node's unvisited neighbours are relaxed in the order of MHC, then id. Edge (u, v) is relaxed one way if
 * {@code u.mhc ≤ v.mhc}, otherwise both ways. In the second case u then drops all paths but the m best that it gave to v. The
 * worked example does that; the text leaves it open. As published, a path may visit a node twice. Here such a path is dropped
 * before the m best are counted. The target relaxes no neighbour.
 *
 * <p>Phase two sorts the candidates by bottleneck (stable). It starts one set with each candidate. To each set it adds the
 * first candidates that are disjoint from all in the set. The best set has the most paths, then the largest smallest
 * bottleneck. As published, further ties are open; here the larger sum of bottlenecks decides, then the first set found.
 *
 * <p>Phase one is O(m · n · links) here, because records are kept sorted by insertion. Phase two is O(x² · n) for x
 * candidates, at most m for each neighbour of the target. The heuristic may miss disjoint paths, and the smallest bottleneck
 * may not be the largest possible. {@link WidestDisjoint} is exact in both, and faster.
 */
public final class KMaxMin extends AbstractStrategy {
    /** Paths kept for each parent and node, unless the request says another number. */
    static final int DEFAULT_M = 7;

    private final boolean drops;

    /** Makes the strategy. */
    public KMaxMin() {
        this("k-max-min", true);
    }

    private KMaxMin(String name, boolean drops) {
        super(name, List.of(Disjointness.LINK, Disjointness.NODE), Set.of(PathOption.M));
        this.drops = drops;
    }

    /** Makes the other reading, in which a node that is relaxed both ways drops no paths. Not offered to users. */
    public static KMaxMin keepingAll() {
        return new KMaxMin("k-max-min-keeping-all", false);
    }

    @Override
    Comparator<Path> order() {
        return WidestDisjoint.WIDEST_FIRST;
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        CandidatePaths candidates = workspace.own(CandidatePaths.class, CandidatePaths::new);
        candidates.search(workspace.view(), request.m().orElse(DEFAULT_M), drops);
        DisjointSubset subset = workspace.own(DisjointSubset.class, DisjointSubset::new);
        subset.collect(candidates, workspace.view(), kind == Disjointness.NODE);
        subset.select(request.k(), paths);
    }
}
