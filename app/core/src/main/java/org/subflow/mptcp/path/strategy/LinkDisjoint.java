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
 * Strategy {@code link-disjoint} (LD): the shortest path, then the shortest without its links, and so on.
 *
 * <p>Gómez et al., section 3. Dijkstra's algorithm by hops, ties by node id; the paper leaves ties open. Greedy deletion can
 * miss disjoint paths. With the option {@code exact} the answer has as many paths as exist, at most {@code k}, with the
 * fewest hops in total. It uses successive shortest paths with potentials (Suurballe's algorithm for any number of paths).
 * O(k · (n + links)), exact O(k · (n + links) · log n).
 */
public final class LinkDisjoint extends AbstractStrategy {
    /** Makes the strategy. */
    public LinkDisjoint() {
        super("link-disjoint", List.of(Disjointness.LINK), Set.of(PathOption.EXACT));
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        if (request.exact()) {
            workspace.fewestHops(kind, Workspace.ANY, request.k(), paths);
        } else {
            workspace.shortestOneByOne(kind, request.k(), paths);
        }
    }
}
