// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.Workspace;

/**
 * Strategy {@code zone-disjoint} (ZD): the shortest path, then the shortest without its nodes in between and their
 * neighbours, and so on. For radio networks, where neighbours disturb each other.
 *
 * <p>Gómez et al., section 3. Dijkstra's algorithm by hops, ties by node id; the paper leaves ties open. Source and target
 * are never deleted. Only direct links follow a direct link, as in {@link NodeDisjoint}. It is greedy and has no exact form:
 * to decide whether two paths without links between them exist is NP-complete (Bienstock 1991). O(k · (n + links)).
 */
public final class ZoneDisjoint extends AbstractStrategy {
    /** Makes the strategy. */
    public ZoneDisjoint() {
        super("zone-disjoint", List.of(Disjointness.ZONE), Set.of());
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        workspace.shortestOneByOneUntilDirect(kind, request.k(), NodeDisjoint.hasDirect(request), paths);
    }
}
