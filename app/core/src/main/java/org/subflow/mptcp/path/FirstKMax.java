// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;
import java.util.Set;

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
        workspace.candidates.search(workspace.view, request.m == 0 ? KMaxMin.DEFAULT_M : request.m);
        DisjointSubset subset = workspace.subset;
        subset.collect(workspace.candidates, workspace.view, kind == Disjointness.NODE);
        if (!subset.isEmpty()) {
            paths.addAll(subset.startingWith(0, request.k));
        }
    }
}
