// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;

/**
 * The part of {@link WidestDisjoint} that spends what its two exact goals leave open on bandwidth: chooses path by path
 * the widest one that leaves room for as many more as are still needed.
 *
 * <p>The widest path may leave no room. Then the width to aim at is searched for between the widest path in a set that is
 * known to have room and the widest there is. At each width one path is tried, the one with the fewest hops: whether
 * another one of that width would leave room is not found out, as that question is hard.
 */
final class WidestFirst {
    private WidestFirst() {
    }

    /**
     * Adds paths to a list.
     *
     * @param workspace with the view open; changed
     * @param kind      link- or node-disjoint
     * @param narrowest the best smallest bottleneck, in bit/s
     * @param count     how many disjoint paths of that width there are, at least 1
     * @param paths     where to add exactly so many
     */
    static void search(Workspace workspace, Disjointness kind, double narrowest, int count, List<Path> paths) {
        for (int others = count - 1; others >= 0; others--) {
            Path path = choose(workspace, kind, narrowest, others);
            paths.add(path);
            workspace.view.close(path, kind);
        }
        shorten(workspace, kind, paths);
    }

    private static Path choose(Workspace workspace, Disjointness kind, double narrowest, int others) {
        double widest = workspace.widest.widest(workspace.flow, workspace.view, narrowest);
        Path path = workspace.shortest(widest);
        if (others == 0 || leavesRoom(workspace, kind, narrowest, others, path)) {
            return path;
        }
        return chooseNarrower(workspace, kind, narrowest, others, widest);
    }

    /** Says whether so many further paths of the best smallest bottleneck are disjoint from a path. */
    private static boolean leavesRoom(Workspace workspace, Disjointness kind, double narrowest, int others, Path path) {
        workspace.view.close(path, kind);
        boolean room = augment(workspace, kind, narrowest, others);
        workspace.view.reopen(path);
        return room;
    }

    private static boolean augment(Workspace workspace, Disjointness kind, double narrowest, int count) {
        workspace.flow.clear(workspace.view, kind == Disjointness.NODE);
        for (int i = 0; i < count; i++) {
            if (workspace.widest.augment(workspace.flow, narrowest, narrowest) == 0) {
                return false;
            }
        }
        return true;
    }

    private static Path chooseNarrower(Workspace workspace, Disjointness kind, double narrowest, int others,
                                       double tooWide) {
        augment(workspace, kind, narrowest, others + 1);
        Path best = workspace.decomposition.widest(workspace.flow);
        ThresholdSearch thresholds = workspace.thresholds;
        thresholds.begin(workspace.view, best.residual(), tooWide);
        while (thresholds.hasNext()) {
            double width = thresholds.next();
            Path path = workspace.shortest(width);
            if (leavesRoom(workspace, kind, narrowest, others, path)) {
                best = path;
                thresholds.raise(path.residual());
            } else {
                thresholds.lower(width);
            }
        }
        return best;
    }

    /** Shortens paths over what is open and what they use themselves, until none can be shortened. */
    private static void shorten(Workspace workspace, Disjointness kind, List<Path> paths) {
        for (boolean changed = true; changed;) {
            changed = false;
            for (int i = 0; i < paths.size(); i++) {
                Path path = paths.get(i);
                workspace.view.reopen(path);
                Path shorter = workspace.shortest(path.residual());
                if (shorter.hops() < path.hops()) {
                    paths.set(i, shorter);
                    changed = true;
                }
                workspace.view.close(paths.get(i), kind);
            }
        }
    }
}
