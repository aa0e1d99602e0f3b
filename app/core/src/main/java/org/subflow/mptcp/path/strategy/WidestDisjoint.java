// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathInput;
import org.subflow.mptcp.path.PathOption;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.Preference;
import org.subflow.mptcp.path.search.Workspace;

/**
 * Strategy {@code widest-disjoint}, the default: as many disjoint paths as exist, at most {@code k}. Of all such sets it takes
 * one whose narrowest path is as wide as possible. Both are exact.
 *
 * <p>Sheu et al. call the problem NP-complete and build a heuristic ({@link KMaxMin}). The result they cite (Li, McCormick,
 * Simchi-Levi 1990) is about the <em>length</em> of the longer path. The bottleneck, with end points in common, depends on a
 * threshold. {@code j} disjoint paths of width B exist if and only if a flow of {@code j} units fits on the arcs of at least
 * that width. A binary search over thresholds is not needed: each step takes the widest augmenting path
 * ({@code WidestAugmentation}). A flow that fits at B fits at every smaller threshold. There it is maximal unless an
 * augmenting path is that wide. So the smallest width so far is the best possible for that many paths. O(k · (n + links) ·
 * log n).
 *
 * <p>Several sets of paths may be optimal. Among them it chooses
 * <ul>
 * <li>with {@link Preference#RATE}, the default, path by path the largest bottleneck that leaves enough further paths of the
 * best smallest bottleneck. Ties go to the fewest hops. Then each path is shortened where that costs no bandwidth. The exact
 * choice is hard in general, so this is a heuristic ({@code WidestFirst});</li>
 * <li>with {@link Preference#HOPS}, the fewest hops of all paths together. Their arcs are at least as wide as the best smallest
 * bottleneck. It is exact, by successive shortest paths ({@code CheapestAugmentation}).</li>
 * </ul>
 * The widest path comes first; of equally wide ones, the one with fewer hops.
 *
 * <p>With limits to delays, or disjoint by shared-risk link groups ({@code srlg}), the problem is NP-hard. The answer is exact
 * in count and smallest bottleneck if the unlimited answer keeps to the limits, or the network is small: {@code
 * ConstrainedPaths}.
 */
public final class WidestDisjoint extends AbstractStrategy {
    /** The widest path first; of equally wide ones, the one with fewer hops. */
    public static final Comparator<Path> WIDEST_FIRST =
            Comparator.comparingDouble(Path::residual).reversed().thenComparingInt(Path::hops);

    private final Set<PathInput> needs;

    /** Makes the strategy. */
    public WidestDisjoint() {
        this("widest-disjoint", Set.of(PathOption.EXACT, PathOption.PREFER), Set.of());
    }

    private WidestDisjoint(String name, Set<PathOption> options, Set<PathInput> needs) {
        super(name, List.of(Disjointness.LINK, Disjointness.NODE, Disjointness.SRLG), options);
        this.needs = needs;
    }

    /**
     * Makes strategy {@code network-wide}: disjoint paths that leave all connections of the network the best shares. Its own paths
     * are those of {@code widest-disjoint}. Placement compares them with other sets, by the shares that would follow.
     */
    static WidestDisjoint networkWide() {
        return new WidestDisjoint("network-wide", Set.of(), Set.of(PathInput.SHARES));
    }

    @Override
    public Set<PathInput> needs() {
        return needs;
    }

    /**
     * Returns {@code multiflow}, whose paths have few hops. On a full network the widest path is often long and takes bandwidth
     * from many connections.
     */
    @Override
    public Optional<PathStrategy> alternative() {
        return Optional.of(PathStrategies.named("multiflow"));
    }

    @Override
    Comparator<Path> order() {
        return WIDEST_FIRST;
    }

    @Override
    void search(PathRequest request, Disjointness asked, Workspace workspace, List<Path> paths) {
        // By groups there is no flow: see ConstrainedPaths, which takes this answer if it is disjoint by groups, too.
        Disjointness kind = asked == Disjointness.SRLG ? Disjointness.LINK : asked;
        workspace.widestDisjoint(kind, request.k(), request.preference().orElse(Preference.RATE), paths);
        paths.sort(WIDEST_FIRST);
    }
}
