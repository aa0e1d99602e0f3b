// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathInput;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.search.CheapestDisjoint;
import org.subflow.mptcp.path.search.Workspace;

/**
 * Strategy {@code network-wide}: disjoint paths that leave all connections of the network the best shares.
 *
 * <p>It compares sets of paths by the shares that would follow ({@code ShareComparer}):
 * <ul>
 * <li>that of {@code widest-disjoint};</li>
 * <li>under each blend of prices, load and hops, the cheapest {@code k} disjoint paths, and the cheapest {@code k − 1} with a
 * further one beside them ({@link CheapestDisjoint});</li>
 * <li>that of {@code multiflow}.</li>
 * </ul>
 * All sets have as many paths as exist, at most {@code k}: no disjoint path is given up for a rate. The widest path comes
 * first; of equally wide ones, the one with fewer hops.
 *
 * <p>A comparer bounds the number of sets; the later ones are left out. A request without a comparer gets the paths of {@code
 * widest-disjoint}. O(blends · k · links · log n), and the comparison.
 */
public final class NetworkWide extends AbstractStrategy {
    /** Makes the strategy. */
    public NetworkWide() {
        super("network-wide", List.of(Disjointness.LINK, Disjointness.NODE, Disjointness.SRLG), Set.of());
    }

    @Override
    public Set<PathInput> needs() {
        return Set.of(PathInput.SHARES);
    }

    /** Returns {@code multiflow}, as {@code widest-disjoint} does. */
    @Override
    public Optional<PathStrategy> alternative() {
        return Optional.of(PathStrategies.named("multiflow"));
    }

    @Override
    Comparator<Path> order() {
        return WidestDisjoint.WIDEST_FIRST;
    }

    @Override
    void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths) {
        List<Path> widest = find("widest-disjoint", request, kind, request.k(), request.used());
        if (widest.isEmpty() || !request.shares().isPresent()) {
            paths.addAll(widest);
            return;
        }
        List<List<Path>> sets = candidates(request, kind, widest);
        paths.addAll(sets.get(sets.size() == 1 ? 0 : request.shares().get().best(sets)));
        paths.sort(WidestDisjoint.WIDEST_FIRST);
    }

    /** Returns the sets, without repetition; that of {@code widest-disjoint} is the first. */
    private static List<List<Path>> candidates(PathRequest request, Disjointness kind, List<Path> widest) {
        int most = widest.size();
        Map<Set<Path>, List<Path>> sets = new LinkedHashMap<>();
        sets.put(new HashSet<>(widest), widest);
        for (int blend = 0; blend < request.shares().get().blends() && sets.size() < request.shares().get().mostSets(); blend++) {
            double[] costs = request.shares().get().costs(blend);
            for (int count = most; count >= Math.max(1, most - 1); count--) {
                List<Path> set = new ArrayList<>(CheapestDisjoint.find(asking(request, kind, count, request.used()), kind, costs));
                List<Path> taken = new ArrayList<>(request.used());
                taken.addAll(set);
                if (set.size() < most) {
                    set.addAll(find("widest-disjoint", request, kind, most - set.size(), taken));
                }
                add(request, sets, most, set);
            }
        }
        add(request, sets, most, find("multiflow", request, kind, most, request.used()));
        return new ArrayList<>(sets.values());
    }

    /** Adds a set if it has as many paths as exist, and as long as one more may be compared. */
    private static void add(PathRequest request, Map<Set<Path>, List<Path>> sets, int most, List<Path> set) {
        if (set.size() == most && sets.size() < request.shares().get().mostSets()) {
            sets.putIfAbsent(new HashSet<>(set), set);
        }
    }

    private static List<Path> find(String strategy, PathRequest request, Disjointness kind, int count, List<Path> used) {
        return PathStrategies.named(strategy).findPaths(asking(request, kind, count, used)).paths();
    }

    /** Returns the request with another number of paths and other siblings. */
    private static PathRequest asking(PathRequest request, Disjointness kind, int count, List<Path> used) {
        return PathRequest.on(request.graph()).from(request.sources()).to(request.targets()).k(count).residual(request.residuals())
                .used(used).disjointness(kind).limits(request.limits()).build();
    }
}
