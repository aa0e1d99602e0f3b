// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.List;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;

/**
 * The heuristic of {@code widest-disjoint} for the preference {@code rate}, among sets of paths that meet its two exact goals. It
 * chooses path by path the widest one that leaves as many more disjoint paths as are needed. Ties go to the fewest hops.
 *
 * <p>The widest path may leave too few further paths. Then a binary search finds the width, between the widest path of a
 * known set and the widest path of the graph. At each width it tries one path, the one with the fewest hops. It does not try
 * other paths of that width, because that problem is hard. Belongs to one {@link Workspace}.
 */
final class WidestFirst {
    private final Workspace workspace;
    private Disjointness kind;
    private double narrowest;
    private boolean mayShorten;

    WidestFirst(Workspace workspace) {
        this.workspace = workspace;
    }

    /**
     * Adds paths to a list. Starts from the workspace's flow: as many disjoint paths of the smallest bottleneck.
     *
     * @param disjointness      link- or node-disjoint
     * @param smallestBottleneck the largest smallest bottleneck of so many disjoint paths, in bit/s
     * @param widest            width of the widest path there is, in bit/s
     * @param paths             where to add exactly as many as the flow has
     */
    void search(Disjointness disjointness, double smallestBottleneck, double widest, List<Path> paths) {
        kind = disjointness;
        narrowest = smallestBottleneck;
        mayShorten = false;
        int count = workspace.flow.size;
        double width = widest;
        for (int others = count - 1; others >= 0; others--) {
            Path path = choose(width, others);
            paths.add(path);
            if (others > 0) {
                workspace.view.close(path, kind);
                // No remaining path can be wider than the widest one before.
                width = widest(width);
            }
        }
        if (mayShorten) {
            workspace.view.close(paths.get(count - 1), kind);
            shorten(paths);
        }
    }

    private double widest(double limit) {
        return workspace.widest.widest(workspace.single, workspace.view, limit, narrowest);
    }

    private Path choose(double widest, int others) {
        Path path = workspace.shortest(widest);
        return others == 0 || leavesRoom(path, others) ? path : chooseNarrower(widest, path, others);
    }

    /**
     * Says whether so many further paths of the best smallest bottleneck are disjoint from a path. If so, the flow then holds
     * at least so many of them; otherwise it is unchanged.
     */
    private boolean leavesRoom(Path path, int others) {
        DisjointFlow flow = workspace.flow;
        flow.save();
        flow.removeCrossing(path);
        if (flow.size >= others) {
            return true;
        }
        workspace.view.close(path, kind);
        double width = narrowest;
        while (width > 0 && flow.size < others) {
            width = workspace.widest.augment(flow, narrowest, narrowest);
        }
        workspace.view.reopen(path);
        if (width == 0) {
            flow.restore();
        }
        return width > 0;
    }

    private Path chooseNarrower(double tooWide, Path noRoom, int others) {
        DisjointFlow flow = workspace.flow;
        flow.save();
        Path best = workspace.decomposition.widest(flow);
        flow.restore();
        flow.remove(best);
        // A path from a flow follows the augmentations, so it may be long; all others have the fewest hops at their width.
        mayShorten = true;
        ThresholdSearch thresholds = workspace.thresholds;
        Path failed = noRoom;
        thresholds.begin(workspace.view, best.residual(), tooWide);
        while (thresholds.hasNext()) {
            double width = thresholds.next();
            Path path = workspace.shortest(width);
            // One path often has the fewest hops at several widths.
            if (!path.equals(failed) && leavesRoom(path, others)) {
                best = path;
                thresholds.raise(path.residual());
            } else {
                failed = path;
                thresholds.lower(width);
            }
        }
        return best;
    }

    /** Shortens paths over open arcs and their own arcs, until none can be shortened. */
    private void shorten(List<Path> paths) {
        for (boolean changed = true; changed;) {
            changed = false;
            for (int i = 0; i < paths.size(); i++) {
                Path path = paths.get(i);
                workspace.view.reopen(path);
                Path shortest = workspace.shortest(path.residual());
                if (shortest.hops() < path.hops()) {
                    paths.set(i, shortest);
                    changed = true;
                }
                workspace.view.close(paths.get(i), kind);
            }
        }
    }
}
