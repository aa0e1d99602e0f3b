// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathLimits;

/**
 * The simple paths of a view within a limit to delays, those with few hops first. All of them, if these are few enough. Partial
 * paths are extended in the order of their hops so far and the fewest hops that remain.
 */
final class CandidateList {
    /** Of paths, and of partial paths: some milliseconds of work, and enough for all paths of networks of 30 switches. */
    private static final int MOST_PATHS = 1024;
    private static final int MOST_PARTIAL = 1 << 17;

    private final PrunedGraph view;
    private final PathLimits limits;
    private final Delays delays;
    private final HopDistances hopsLeft = new HopDistances();
    private final List<Path> paths = new ArrayList<>();
    private final List<ArrayDeque<Partial>> byHops = new ArrayList<>();
    private int partial;

    /** A path from a source to a node. */
    private static final class Partial {
        private final Partial before;
        private final int arc;
        private final int node;
        private final int hops;
        private final double delay;

        private Partial(Partial before, int arc, int node, double delay) {
            this.before = before;
            this.arc = arc;
            this.node = node;
            this.hops = before == null ? 0 : before.hops + 1;
            this.delay = delay;
        }

        private boolean visits(int other) {
            for (Partial at = this; at != null; at = at.before) {
                if (at.node == other) {
                    return true;
                }
            }
            return false;
        }

        private int[] arcs() {
            int[] arcs = new int[hops];
            Partial at = this;
            for (int i = hops - 1; i >= 0; i--) {
                arcs[i] = at.arc;
                at = at.before;
            }
            return arcs;
        }
    }

    private CandidateList(PrunedGraph view, PathLimits limits) {
        this.view = view;
        this.limits = limits;
        this.delays = Delays.of(view);
        hopsLeft.measure(view);
    }

    /** Lists the paths of a view. */
    static List<Path> of(PrunedGraph view, PathLimits limits) {
        CandidateList list = new CandidateList(view, limits);
        list.search();
        return list.paths;
    }

    private void search() {
        for (int i = 0; i < view.startCount; i++) {
            add(new Partial(null, -1, view.starts[i], 0));
        }
        for (int hops = 0; hops < byHops.size(); hops++) {
            ArrayDeque<Partial> queue = byHops.get(hops);
            while (!queue.isEmpty() && paths.size() < MOST_PATHS && partial < MOST_PARTIAL) {
                extend(queue.poll());
            }
        }
    }

    private void add(Partial path) {
        if (hopsLeft.from(path.node) == HopDistances.NONE || !limits.admitsDelay(path.delay + delays.toTargets(path.node))) {
            return;
        }
        partial++;
        int hops = path.hops + hopsLeft.from(path.node);
        while (byHops.size() <= hops) {
            byHops.add(new ArrayDeque<>());
        }
        byHops.get(hops).add(path);
    }

    private void extend(Partial path) {
        if (view.isEnd(path.node)) {
            int[] arcs = path.arcs();
            Path found = view.path(arcs, arcs.length);
            if (limits.admitsDelay(found.delayMillis())) {
                paths.add(found);
            }
            return;
        }
        for (int i = view.graph.offset(path.node); i < view.graph.offset(path.node + 1); i++) {
            int arc = view.graph.out(i);
            int next = view.graph.neighbour(i);
            if (view.admits(arc, Workspace.ANY) && !path.visits(next)) {
                add(new Partial(path, arc, next, path.delay + Delays.of(view.graph, arc)));
            }
        }
    }
}
