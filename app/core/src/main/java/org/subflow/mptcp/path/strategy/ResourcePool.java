// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathInput;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.Workspace;

/**
 * Strategy {@code resource-pool}: the paths of a maximum flow on the residual bandwidth. If they carry less than the mean
 * throughput, paths whose connections have most above the mean follow.
 *
 * <p>S-MPTCP, section 3.1, Algorithm 1. First, Dinic's algorithm finds a maximum flow on the residual network. The paper speaks
 * of "further processing". Here the flow is decomposed into at most k paths, the widest first. There may be several maximum
 * flows, and one that divides itself has narrow paths. So the k widest paths, one after the other, are taken unless they carry
 * less. The second stage runs while
 * the capacity of the chosen paths is below the mean throughput of the other connections. It adds the candidate with the
 * largest {@code oset} (Eq. 3, {@link PoolCandidates}). Corrections to the published algorithm:
 * <ul>
 * <li>without other connections the mean is a division by 0; here there is no second stage then;</li>
 * <li>the same path can be added without end; here a chosen path is no candidate any more;</li>
 * <li>all paths of the graph are candidates, exponentially many; here only the shortest are;</li>
 * <li>the sum of the paths' capacities counts a common link more than once; here the maximum flow of their union counts;</li>
 * <li>it has no other end; here it stops at k paths beside the siblings', or without a candidate.</li>
 * </ul>
 * The paths are not disjoint in general. Paths of living siblings belong to the pool, too. The maximum flow is what they leave
 * when each carries as much as it can, so that a further subflow gets the next path. The second stage uses links without residual bandwidth, too:
 * there the allocator redistributes the shares. O(n² · links) and, for the second stage, k shortest simple paths.
 */
public final class ResourcePool extends AbstractStrategy {
    /** A path that carries less than this part of the flow is a rounding error. */
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
    Comparator<Path> order() {
        return WidestDisjoint.WIDEST_FIRST;
    }

    @Override
    boolean repeats() {
        return false;
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        int inPool = request.k() + request.used().size();
        paths.addAll(request.used());
        explore(request, inPool, workspace, paths);
        if (!request.competitors().isEmpty() && paths.size() < inPool) {
            new PoolCandidates(request, inPool).addTo(paths, workspace);
        }
        request.used().forEach(paths::remove);
        paths.subList(Math.min(request.k(), paths.size()), paths.size()).clear();
    }

    /** Adds paths beside those in the pool: the widest, one after the other, or those of a maximum flow if these carry more. */
    private static void explore(PathRequest request, int most, Workspace workspace, List<Path> paths) {
        double[] left = beside(paths, workspace.view().openPart(request.residuals()));
        double value = workspace.maximumFlow(left);
        double least = Math.max(Workspace.ANY, value * ROUNDING);
        List<Path> ofFlow = new ArrayList<>();
        List<Path> widest = new ArrayList<>();
        double carried = takeApart(workspace.amounts(), most - paths.size(), least, workspace, ofFlow);
        double wide = takeApart(left.clone(), most - paths.size(), least, workspace, widest);
        paths.addAll(carried > wide * (1 + ROUNDING) ? ofFlow : widest);
    }

    /** Takes the widest path, subtracts it, and repeats; returns what the paths carry, bit/s. */
    private static double takeApart(double[] amounts, int most, double least, Workspace workspace, List<Path> paths) {
        double carried = 0;
        Path path = paths.size() < most ? workspace.widest(amounts, least) : null;
        while (path != null) {
            carried += take(path, amounts);
            paths.add(path);
            path = paths.size() < most ? workspace.widest(amounts, least) : null;
        }
        return carried;
    }

    /** Subtracts from its arcs what a path can carry, and returns that, bit/s. */
    private static double take(Path path, double[] amounts) {
        double width = Double.POSITIVE_INFINITY;
        for (int i = 0; i < path.hops(); i++) {
            width = Math.min(width, amounts[path.arc(i)]);
        }
        for (int i = 0; i < path.hops(); i++) {
            amounts[path.arc(i)] -= width;
        }
        return width;
    }

    /** Returns what paths leave when each carries as much as it can, bit/s by arc. */
    private static double[] beside(List<Path> paths, double[] residual) {
        if (paths.isEmpty()) {
            return residual;
        }
        double[] left = residual.clone();
        for (Path path : paths) {
            take(path, left);
        }
        return left;
    }
}
