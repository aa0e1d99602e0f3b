// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;

/** Reference answers by exhaustive search on small graphs, with a second, direct definition of disjointness. */
public final class BruteForce {
    private BruteForce() {
    }

    /** Returns every simple path that a request admits: with residual, no terminal in between, disjoint from used ones. */
    static List<Path> allPaths(PathRequest request, Disjointness kind) {
        List<Path> all = new ArrayList<>();
        for (int source : Arrays.stream(request.sources()).distinct().toArray()) {
            boolean[] seen = new boolean[request.graph().nodeCount()];
            for (int terminal : request.sources()) {
                seen[terminal] = true;
            }
            extend(request, source, seen, new ArrayList<>(), all);
        }
        all.removeIf(path -> request.used().stream().anyMatch(used -> !areDisjoint(request, path, used, kind)));
        return all;
    }

    private static void extend(PathRequest request, int node, boolean[] seen, List<Integer> arcs, List<Path> all) {
        Graph graph = request.graph();
        if (Arrays.stream(request.targets()).anyMatch(target -> target == node)) {
            all.add(Path.of(graph, arcs.stream().mapToInt(Integer::intValue).toArray()));
            return;
        }
        for (int i = 0; i < graph.degree(node); i++) {
            int arc = graph.arcFrom(node, i);
            int head = graph.head(arc);
            if (request.residual(arc) > 0 && !seen[head]) {
                seen[head] = true;
                arcs.add(arc);
                extend(request, head, seen, arcs, all);
                arcs.remove(arcs.size() - 1);
                seen[head] = false;
            }
        }
    }

    /** Says whether two paths are disjoint under a kind of disjointness. */
    static boolean areDisjoint(PathRequest request, Path a, Path b, Disjointness kind) {
        if (kind == Disjointness.NONE) {
            return true;
        }
        for (int arc : a.arcs()) {
            if (b.usesLink(Graph.linkOf(arc))) {
                return false;
            }
        }
        if (kind == Disjointness.SRLG) {
            return groups(request.graph(), a).stream().noneMatch(groups(request.graph(), b)::contains);
        }
        if (kind == Disjointness.LINK) {
            return true;
        }
        Set<Integer> between = inBetween(a);
        Set<Integer> taken = inBetween(b);
        if (between.stream().anyMatch(v -> contains(b.nodes(), v)) || taken.stream().anyMatch(v -> contains(a.nodes(), v))) {
            return false;
        }
        return kind == Disjointness.NODE || !areNeighbours(request.graph(), between, taken);
    }

    private static boolean areNeighbours(Graph graph, Set<Integer> these, Set<Integer> those) {
        return these.stream().anyMatch(v -> those.stream().anyMatch(w -> graph.arcBetween(v, w) >= 0));
    }

    private static Set<Integer> groups(Graph graph, Path path) {
        Set<Integer> groups = new HashSet<>();
        for (int arc : path.arcs()) {
            Arrays.stream(graph.groups(Graph.linkOf(arc))).forEach(groups::add);
        }
        return groups;
    }

    private static Set<Integer> inBetween(Path path) {
        Set<Integer> nodes = new HashSet<>();
        for (int i = 1; i < path.hops(); i++) {
            nodes.add(path.node(i));
        }
        return nodes;
    }

    static boolean contains(int[] nodes, int node) {
        return Arrays.stream(nodes).anyMatch(v -> v == node);
    }

    static double residual(PathRequest request, Path path) {
        return Arrays.stream(path.arcs()).mapToDouble(request::residual).min().orElseThrow();
    }

    /** Returns the largest number of disjoint paths, at most {@code k}. */
    public static int mostPaths(PathRequest request, Disjointness kind) {
        List<Path> all = allPaths(request, kind);
        int count = 0;
        while (count < request.k() && best(request, kind, all, count + 1, set -> 0) > Double.NEGATIVE_INFINITY) {
            count++;
        }
        return count;
    }

    /** Returns the largest possible smallest residual bottleneck of so many disjoint paths, in bit/s. */
    public static double widestBottleneck(PathRequest request, Disjointness kind, int count) {
        return best(request, kind, allPaths(request, kind), count,
                set -> set.stream().mapToDouble(path -> residual(request, path)).min().orElseThrow());
    }

    /** Returns the fewest hops that so many disjoint paths of at least some residual bottleneck can have. */
    static int fewestHops(PathRequest request, Disjointness kind, int count, double bottleneck) {
        List<Path> all = allPaths(request, kind);
        all.removeIf(path -> residual(request, path) < bottleneck);
        return (int) -best(request, kind, all, count, set -> -set.stream().mapToInt(Path::hops).sum());
    }

    /** Returns the best value of a set of so many disjoint paths; negative infinity if there is no such set. */
    static double best(PathRequest request, Disjointness kind, List<Path> all, int count,
                       ToDoubleFunction<List<Path>> value) {
        return best(request, kind, all, 0, count, new ArrayList<>(), value);
    }

    private static double best(PathRequest request, Disjointness kind, List<Path> all, int from, int count,
                               List<Path> chosen, ToDoubleFunction<List<Path>> value) {
        if (chosen.size() == count) {
            return value.applyAsDouble(chosen);
        }
        double best = Double.NEGATIVE_INFINITY;
        for (int i = from; i < all.size(); i++) {
            Path next = all.get(i);
            if (chosen.stream().allMatch(path -> areDisjoint(request, path, next, kind))) {
                chosen.add(next);
                best = Math.max(best, best(request, kind, all, i + 1, count, chosen, value));
                chosen.remove(chosen.size() - 1);
            }
        }
        return best;
    }
}
