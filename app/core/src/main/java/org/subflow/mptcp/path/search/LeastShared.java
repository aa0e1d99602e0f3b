// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;

/**
 * Finds the path that has least in common with the siblings' paths, for use when no disjoint path exists.
 *
 * <p>The cost of a link is the number of siblings that use it, in either direction. The path with the smallest cost is
 * chosen. Ties go to the fewest hops, then to the largest residual bandwidth. Dijkstra's algorithm with that order: O((n +
 * links) log n).
 *
 * <p>If that path does not keep to the request's limits to delays, the best one within them is chosen, of those that {@code
 * CandidateList} has. If there is none, it is the one with the smallest delay. Nobody is left without a path by a limit. For
 * paths that are to be disjoint by groups, a link counts as used if one of its group is. Stateless.
 */
public final class LeastShared {
    private static final Comparator<Label> BEST_FIRST = Comparator
            .comparingLong((Label label) -> label.shared)
            .thenComparingInt(label -> label.hops)
            .thenComparing(Comparator.comparingDouble((Label label) -> label.residual).reversed())
            .thenComparingInt(label -> label.number);

    private static final Comparator<Label> SHORTEST_DELAY_FIRST =
            Comparator.comparingDouble((Label label) -> label.delay).thenComparing(BEST_FIRST);

    private LeastShared() {
    }

    /** A path to a node; its arcs are found by going back. */
    private static final class Label {
        private final int number;
        private final int node;
        private final int arc;
        private final Label before;
        private final long shared;
        private final int hops;
        private final double residual;
        private final double delay;

        private Label(int number, int node, int arc, Label before, long shared, double residual, double delay) {
            this.number = number;
            this.node = node;
            this.arc = arc;
            this.before = before;
            this.shared = shared;
            this.hops = before == null ? 0 : before.hops + 1;
            this.residual = residual;
            this.delay = delay;
        }

        private int[] arcs() {
            int[] arcs = new int[hops];
            Label label = this;
            for (int i = hops - 1; i >= 0; i--) {
                arcs[i] = label.arc;
                label = label.before;
            }
            return arcs;
        }
    }

    /**
     * Finds the path.
     *
     * @param request with sources, targets, the residual of each arc, and the siblings' paths as used paths. An arc without
     *                residual is not used. Other fields do not matter
     * @return the path; empty if none joins the two
     */
    public static Optional<Path> find(PathRequest request) {
        return find(request, false);
    }

    /**
     * Finds the path without regard to capacities: also over links that have none, or whose capacity nobody knows.
     *
     * @param request as for {@link #find(PathRequest)}; an arc without residual is used like any other
     * @return the path; empty if none joins the two
     */
    public static Optional<Path> findWithoutCapacity(PathRequest request) {
        return find(request, true);
    }

    private static Optional<Path> find(PathRequest request, boolean overAnyLink) {
        Graph graph = request.graph();
        int[] siblings = new int[graph.linkCount()];
        for (Path path : request.used()) {
            for (int i = 0; i < path.hops(); i++) {
                count(graph, path.arc(i) >> 1, request.disjointness().orElse(null) == Disjointness.SRLG, siblings);
            }
        }
        Optional<Path> best = find(request, overAnyLink, siblings, false);
        if (best.isPresent() && !request.limits().admits(best.get(), request.used())) {
            return Optional.of(within(request, siblings).orElseGet(() -> find(request, overAnyLink, siblings, true).get()));
        }
        return best;
    }

    private static void count(Graph graph, int used, boolean byGroups, int[] siblings) {
        if (!byGroups || graph.groups(used).length == 0) {
            siblings[used]++;
            return;
        }
        for (int group : graph.groups(used)) {
            for (int link : graph.members(group)) {
                siblings[link]++;
            }
        }
    }

    /** Returns the best path that keeps to the limits, of those listed. */
    private static Optional<Path> within(PathRequest request, int[] siblings) {
        try (Workspace workspace = Workspace.borrow()) {
            workspace.view.open(request, Disjointness.NONE);
            return CandidateList.of(workspace.view, request.limits()).stream()
                    .filter(path -> request.limits().admits(path, request.used()))
                    .min(Comparator.comparingLong((Path path) -> shared(path, siblings)).thenComparingInt(Path::hops)
                            .thenComparing(Comparator.comparingDouble(Path::residual).reversed()));
        }
    }

    private static long shared(Path path, int[] siblings) {
        return Arrays.stream(path.arcs()).mapToLong(arc -> siblings[arc >> 1]).sum();
    }

    private static Optional<Path> find(PathRequest request, boolean overAnyLink, int[] siblings, boolean byDelay) {
        Graph graph = request.graph();
        boolean[] settled = new boolean[graph.nodeCount()];
        PriorityQueue<Label> open = new PriorityQueue<>(byDelay ? SHORTEST_DELAY_FIRST : BEST_FIRST);
        int labels = 0;
        for (int source : request.sources()) {
            open.add(new Label(labels++, source, -1, null, 0, Double.POSITIVE_INFINITY, 0));
        }
        while (!open.isEmpty()) {
            Label best = open.poll();
            if (settled[best.node]) {
                continue;
            }
            settled[best.node] = true;
            if (request.isTarget(best.node)) {
                int[] arcs = best.arcs();
                return Optional.of(Path.trusted(graph, request.residuals(), arcs, arcs.length));
            }
            for (int i = graph.offset(best.node); i < graph.offset(best.node + 1); i++) {
                int arc = graph.out(i);
                int head = graph.head(arc);
                boolean usable = overAnyLink || request.residual(arc) > 0 && graph.capacity(arc) > 0;
                if (!settled[head] && usable) {
                    open.add(new Label(labels++, head, arc, best, best.shared + siblings[arc >> 1],
                                       Math.min(best.residual, request.residual(arc)),
                                       best.delay + Delays.of(graph, arc)));
                }
            }
        }
        return Optional.empty();
    }
}
