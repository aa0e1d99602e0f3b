// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.Workspace;

/**
 * Strategy {@code k-max}: the widest path, then the widest that is disjoint from it, and so on.
 *
 * <p>Loh, Soh, Lazarescu, Rai: A greedy technique for finding the most reliable edge-disjoint-path-set in a network
 * (PRDC 2008), as Sheu et al. compare with it ("first k-Max"). Of equally wide paths it takes the one with the fewest hops,
 * then by node id; the papers leave that open. It is greedy: a wide first path may take links that two further paths need. So
 * it may miss disjoint paths, and the smallest bottleneck may not be the largest possible. O(k · (n + links) · log n).
 */
public final class KMax extends AbstractStrategy {
    /** Makes the strategy. */
    public KMax() {
        super("k-max", List.of(Disjointness.LINK, Disjointness.NODE, Disjointness.SRLG), Set.of());
    }

    @Override
    Comparator<Path> order() {
        return WidestDisjoint.WIDEST_FIRST;
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        while (paths.size() < request.k()) {
            Path path = workspace.widest();
            if (path == null) {
                return;
            }
            paths.add(path);
            workspace.view().close(path, kind);
        }
    }
}
