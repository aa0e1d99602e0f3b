// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;
import java.util.Set;

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
        for (int i = 0; path != null && i < request.k; i++) {
            paths.add(path);
        }
    }
}
