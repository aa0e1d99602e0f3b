// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;
import java.util.Set;

/**
 * Strategy {@code resource-pool}: the paths of a maximum flow on what is left of the network; and if those carry less than
 * the mean connection gets, paths from which most can be taken over.
 *
 * <p>S-MPTCP, section 3.1, Algorithm 1. First, Dinic's algorithm on the residual network; the flow is taken apart into at
 * most k paths, each time the widest part of it (the paper speaks of "further processing"). Then, while the capacity of the
 * chosen paths is below the mean throughput of the other connections, the candidate with the largest {@code oset} (Eq. 3,
 * {@link PoolCandidates}) is added. As published, here with these corrections:
 * <ul>
 * <li>the mean is a division by 0 without other connections: then there is no second stage;</li>
 * <li>as published the same path can be added for ever: here a chosen path is no candidate any more;</li>
 * <li>all paths of the graph are candidates there, which are exponentially many; here the shortest ones;</li>
 * <li>the sum of the paths' capacities counts a link that they share more than once; here their union's maximum flow counts;</li>
 * <li>it stops when there are k paths (and those of siblings) or no candidate is left.</li>
 * </ul>
 * The paths are not disjoint in general. Paths of living siblings belong to the pool, too: they are found again and left out
 * of the answer, so that a further subflow gets the next path. The second stage takes links without any residual: making room
 * on them is the allocator's part. O(n² · links) and, for the second stage, k shortest simple paths.
 */
public final class ResourcePool extends AbstractStrategy {
    /** A path that carries less than this part of the flow is left over from rounding. */
    private static final double ROUNDING = 1e-9;

    /** Makes the strategy. */
    public ResourcePool() {
        super("resource-pool", List.of(Disjointness.NONE), Set.of());
    }

    @Override
    public Set<PathInput> needs() {
        return Set.of(PathInput.COMPETITORS);
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        int inPool = request.k + request.used.size();
        explore(request, inPool, workspace, paths);
        if (!request.competitors.isEmpty() && paths.size() < inPool) {
            new PoolCandidates(request, inPool).addTo(paths, workspace);
        }
        request.used.forEach(paths::remove);
        paths.subList(Math.min(request.k, paths.size()), paths.size()).clear();
    }

    /** Takes a maximum flow apart: the widest path of it, less what that carries, and so on. */
    private static void explore(PathRequest request, int most, Workspace workspace, List<Path> paths) {
        PrunedGraph view = workspace.view;
        double value = workspace.dinic.flow(view.graph, request.residual, view.starts, view.startCount, view.ends, view.endCount);
        double[] flow = workspace.amounts(view.graph.arcCount());
        workspace.dinic.amounts(flow);
        view.residual = flow;
        while (paths.size() < most) {
            double width = workspace.widest.widest(workspace.single, view, Double.POSITIVE_INFINITY,
                    Math.max(Workspace.ANY, value * ROUNDING));
            if (width == 0 || !workspace.hops.find(view, width)) {
                break;
            }
            Path path = Path.trusted(view.graph, request.residual, workspace.hops.arcs, workspace.hops.length);
            for (int i = 0; i < path.hops(); i++) {
                flow[path.arc(i)] -= width;
            }
            paths.add(path);
        }
        view.residual = request.residual;
    }
}
