// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.Workspace;

/**
 * Strategy {@code multiflow}: each subflow takes the shortest path of a topology from which the paths of its elder
 * siblings have been pruned.
 *
 * <p>Sandri, Silva, Rocha, Verdi: Multiflow (POX), Algorithms 1 and 2, Fig. 4. As published, the first MP_JOIN starts from
 * the full topology. So it may repeat the path of the MP_CAPABLE, which contradicts Fig. 4. Line 15 prunes a global topology
 * instead of the connection's own. Here every path of the connection is pruned, the first one too, and only for that
 * connection. The pruned paths are the request's {@code used} paths. If no disjoint path is left, the answer is empty, and
 * the JOIN policy decides. The paper starts again on the full topology then; elsewhere its text drops the JOIN.
 *
 * <p>Pruning deletes the links of a path, or on request its nodes. O(k · (n + links)).
 */
public final class Multiflow extends AbstractStrategy {
    /** Makes the strategy. */
    public Multiflow() {
        super("multiflow", List.of(Disjointness.LINK, Disjointness.NODE, Disjointness.SRLG), Set.of());
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        workspace.shortestOneByOne(kind, request.k(), paths);
    }
}
