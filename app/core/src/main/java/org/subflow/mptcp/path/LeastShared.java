// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Finds the path that has least in common with the siblings' paths, for use when no disjoint path exists.
 *
 * <p>The cost of a link is the number of siblings that use it, in either direction. The path with the smallest cost is
 * chosen. Ties go to the fewest hops, then to the largest residual bandwidth. Dijkstra's algorithm with that order: O((n +
 * links) log n). Stateless.
 */
public final class LeastShared {
    private static final Comparator<Label> BEST_FIRST = Comparator
            .comparingLong((Label label) -> label.shared)
            .thenComparingInt(label -> label.hops)
            .thenComparing(Comparator.comparingDouble((Label label) -> label.residual).reversed())
            .thenComparingInt(label -> label.number);

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

        private Label(int number, int node, int arc, Label before, long shared, double residual) {
            this.number = number;
            this.node = node;
            this.arc = arc;
            this.before = before;
            this.shared = shared;
            this.hops = before == null ? 0 : before.hops + 1;
            this.residual = residual;
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
        Graph graph = request.graph;
        int[] siblings = new int[graph.linkCount()];
        for (Path path : request.used) {
            for (int i = 0; i < path.hops(); i++) {
                siblings[path.arc(i) >> 1]++;
            }
        }
        boolean[] settled = new boolean[graph.nodeCount()];
        PriorityQueue<Label> open = new PriorityQueue<>(BEST_FIRST);
        int labels = 0;
        for (int source : request.sources) {
            open.add(new Label(labels++, source, -1, null, 0, Double.POSITIVE_INFINITY));
        }
        while (!open.isEmpty()) {
            Label best = open.poll();
            if (settled[best.node]) {
                continue;
            }
            settled[best.node] = true;
            if (PathRequest.contains(request.targets, best.node)) {
                int[] arcs = best.arcs();
                return Optional.of(Path.trusted(graph, request.residual, arcs, arcs.length));
            }
            for (int i = graph.offsets[best.node]; i < graph.offsets[best.node + 1]; i++) {
                int arc = graph.out[i];
                int head = graph.heads[arc];
                boolean usable = overAnyLink || request.residual[arc] > 0 && graph.capacities[arc] > 0;
                if (!settled[head] && usable) {
                    open.add(new Label(labels++, head, arc, best, best.shared + siblings[arc >> 1],
                                       Math.min(best.residual, request.residual[arc])));
                }
            }
        }
        return Optional.empty();
    }
}
