// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathOption;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.Workspace;

/**
 * The first set that phase two of {@link KMaxMin} makes: the widest candidate, then the first ones that are disjoint from all
 * before. Not offered to users.
 *
 * <p>Sheu et al. compare with "the first k-Max bandwidth disjoint paths" and do not say how they find them. {@link KMax} is one
 * reading, the published greedy search on the whole graph. This is another: greedy among the candidates of phase one.
 */
public final class FirstKMax extends AbstractStrategy {
    /** Makes the strategy. */
    public FirstKMax() {
        super("first-k-max", List.of(Disjointness.LINK, Disjointness.NODE), Set.of(PathOption.M));
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        CandidatePaths candidates = workspace.own(CandidatePaths.class, CandidatePaths::new);
        candidates.search(workspace.view(), request.m().orElse(KMaxMin.DEFAULT_M));
        DisjointSubset subset = workspace.own(DisjointSubset.class, DisjointSubset::new);
        subset.collect(candidates, workspace.view(), kind == Disjointness.NODE);
        if (!subset.isEmpty()) {
            paths.addAll(subset.startingWith(0, request.k()));
        }
    }
}
