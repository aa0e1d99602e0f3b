// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;

/**
 * Chooses paths that keep to limits of delay, or are disjoint by shared-risk link groups. It is for strategies whose own search
 * does not do so.
 *
 * <p>Both problems are NP-hard for two disjoint paths already. Li, McCormick and Simchi-Levi (1990) show it for a bound on the
 * length of each, Hu (2003) for groups. So this is a bounded search:
 * <ol>
 * <li>The strategy searches without the arcs that no path within the limit can take. If its answer keeps to all limits, it
 * stays. Then it is as good as without limits, and exact where the strategy is.</li>
 * <li>Otherwise up to 1,024 simple paths within the limit are listed ({@link CandidateList}). The strategy's own paths that are
 * within it join them. Two paths conflict if they share what they must not, or if their delays differ by too much. So a set
 * without conflicts is a clique.</li>
 * <li>It takes the largest such set, of those the one whose worst path is best in the strategy's order. That is the widest
 * narrowest path for strategies that compare bandwidth. For the others it is the fewest hops of the longest path.</li>
 * </ol>
 * The answer is exact in the number of paths and in the worst of them under two conditions. All simple paths within the limit
 * are listed, and the search for cliques ends within a million steps. On larger networks it may miss paths. One path alone is the
 * best of those listed. Stateless.
 */
public final class ConstrainedPaths {
    private static final int MOST_STEPS = 1_000_000;

    private final PathRequest request;
    private final Disjointness kind;
    private final List<Path> candidates;
    private final BitSet[] compatible;
    private int steps;

    private ConstrainedPaths(PathRequest request, Disjointness kind, List<Path> candidates) {
        this.request = request;
        this.kind = kind;
        this.candidates = candidates;
        this.compatible = new BitSet[candidates.size()];
        findConflicts();
    }

    /** Says whether paths keep to a request's limits, and to a kind of disjointness if that is by groups. */
    public static boolean areWithin(PathRequest request, Disjointness kind, List<Path> paths) {
        if (request.limits().isNone() && kind != Disjointness.SRLG) {
            return true;
        }
        List<Path> before = new ArrayList<>(request.used());
        for (Path path : paths) {
            if (!request.limits().admits(path, before) || kind == Disjointness.SRLG && meets(request.graph(), path, before)) {
                return false;
            }
            before.add(path);
        }
        return true;
    }

    private static boolean meets(Graph graph, Path path, List<Path> others) {
        BitSet own = Disjointness.SRLG.elements(graph, path);
        return others.stream().anyMatch(other -> own.intersects(Disjointness.SRLG.elements(graph, other)));
    }

    /**
     * Finds paths.
     *
     * @param request  what is asked
     * @param kind     the kind of disjointness
     * @param view     opened for this request; what a search has closed since is open again afterwards
     * @param answer   the strategy's answer, which need not keep to the limits
     * @param order    the strategy's, the best path first
     * @param repeats  whether, without disjointness, a path may come several times, and a sibling's again
     * @return paths that keep to the limits, in that order; empty if there are none
     */
    public static List<Path> find(PathRequest request, Disjointness kind, PrunedGraph view, List<Path> answer,
                                  Comparator<Path> order, boolean repeats) {
        List<Path> kept = keptOf(request, kind, answer);
        if (!kept.isEmpty() && (kind == Disjointness.NONE || kind == Disjointness.ZONE)) {
            return kept;
        }
        view.open(request, kind);
        List<Path> candidates = CandidateList.of(view, request.limits());
        answer.stream().filter(path -> !candidates.contains(path)).forEach(candidates::add);
        candidates.removeIf(path -> !request.limits().admits(path, request.used()));
        candidates.sort(order.thenComparingDouble(Path::delayMillis));
        if (kind == Disjointness.NONE || kind == Disjointness.ZONE) {
            boolean again = kind == Disjointness.NONE && repeats;
            candidates.removeIf(path -> !again && request.used().contains(path));
            return candidates.isEmpty() ? List.of() : Collections.nCopies(again ? request.k() : 1, candidates.get(0));
        }
        List<Path> found = new ConstrainedPaths(request, kind, candidates).largest(kept.size());
        return found.size() >= kept.size() ? found : kept;
    }

    /** Returns those of an answer that keep to the limits beside those before them. */
    private static List<Path> keptOf(PathRequest request, Disjointness kind, List<Path> answer) {
        List<Path> kept = new ArrayList<>();
        for (Path path : answer) {
            kept.add(path);
            if (!areWithin(request, kind, kept)) {
                kept.remove(kept.size() - 1);
            }
        }
        return kept;
    }

    private void findConflicts() {
        BitSet[] elements = new BitSet[candidates.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = kind.elements(request.graph(), candidates.get(i));
            compatible[i] = new BitSet(elements.length);
            for (int j = 0; j < i; j++) {
                if (request.limits().admitsBoth(candidates.get(i).delayMillis(), candidates.get(j).delayMillis())
                        && !elements[i].intersects(elements[j])) {
                    compatible[i].set(j);
                    compatible[j].set(i);
                }
            }
        }
    }

    /** Returns the largest set that has at least so many paths, at most {@code k}; of those the one whose worst is best. */
    private List<Path> largest(int least) {
        for (int size = Math.min(request.k(), candidates.size()); size >= Math.max(1, least); size--) {
            for (int worst = size - 1; worst < candidates.size() && steps < MOST_STEPS; worst++) {
                BitSet better = (BitSet) compatible[worst].clone();
                better.clear(worst, candidates.size());
                List<Path> found = new ArrayList<>();
                if (completes(better, size - 1, found)) {
                    found.add(candidates.get(worst));
                    return found;
                }
            }
        }
        return List.of();
    }

    /** Finds so many candidates among some that are compatible with each other, the best first, and adds them. */
    private boolean completes(BitSet among, int needed, List<Path> found) {
        if (needed == 0) {
            return true;
        }
        int left = among.cardinality();
        for (int i = among.nextSetBit(0); i >= 0 && left >= needed && steps++ < MOST_STEPS; i = among.nextSetBit(i + 1)) {
            BitSet rest = (BitSet) among.clone();
            rest.and(compatible[i]);
            rest.clear(0, i + 1);
            found.add(candidates.get(i));
            if (completes(rest, needed - 1, found)) {
                return true;
            }
            found.remove(found.size() - 1);
            left--;
        }
        return false;
    }
}
