// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.Workspace;

/**
 * Strategy {@code shortest}: every subflow takes the one path with the fewest hops.
 *
 * <p>The baseline of all five papers (Sheu calls it SPF). The answer has that path {@code k} times; siblings do not matter.
 * O(n + links).
 */
public final class ShortestPath extends AbstractStrategy {
    /** Makes the strategy. */
    public ShortestPath() {
        super("shortest", List.of(Disjointness.NONE), Set.of());
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        Path path = workspace.shortest(Workspace.ANY);
        for (int i = 0; path != null && i < request.k(); i++) {
            paths.add(path);
        }
    }
}
