// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;

/**
 * The part of {@link WidestDisjoint} that spends what its two exact goals leave open on bandwidth: chooses path by path
 * the widest one that leaves room for as many more as are still needed, and of those one with the fewest hops.
 *
 * <p>The widest path may leave no room. Then the width to aim at is searched for between the widest path of a set that is
 * known to exist and the widest path there is. At each width one path is tried, the one with the fewest hops: whether
 * another one of that width would leave room is not found out, as that question is hard. Belongs to one
 * {@link Workspace}.
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
     * Adds paths to a list.
     *
     * @param disjointness      link- or node-disjoint
     * @param smallestBottleneck the best there is, in bit/s
     * @param widest            width of the widest path there is, in bit/s
     * @param count             how many disjoint paths of the smallest bottleneck there are, at least 1
     * @param paths             where to add exactly so many
     */
    void search(Disjointness disjointness, double smallestBottleneck, double widest, int count, List<Path> paths) {
        kind = disjointness;
        narrowest = smallestBottleneck;
        mayShorten = false;
        double width = widest;
        for (int others = count - 1; others >= 0; others--) {
            Path path = choose(width, others);
            paths.add(path);
            if (others > 0) {
                workspace.view.close(path, kind);
                // Nothing that is left can be wider than what was widest before.
                width = widest(width);
            }
        }
        if (mayShorten) {
            workspace.view.close(paths.get(count - 1), kind);
            shorten(paths);
        }
    }

    private double widest(double limit) {
        workspace.flow.clear(workspace.view, false);
        return workspace.widest.augment(workspace.flow, limit, narrowest);
    }

    private Path choose(double widest, int others) {
        Path path = workspace.shortest(widest);
        return others == 0 || leavesRoom(path, others) ? path : chooseNarrower(widest, others);
    }

    /** Says whether so many further paths of the best smallest bottleneck are disjoint from a path. */
    private boolean leavesRoom(Path path, int others) {
        workspace.view.close(path, kind);
        boolean room = augment(others);
        workspace.view.reopen(path);
        return room;
    }

    private boolean augment(int count) {
        workspace.flow.clear(workspace.view, kind == Disjointness.NODE);
        for (int i = 0; i < count; i++) {
            if (workspace.widest.augment(workspace.flow, narrowest, narrowest) == 0) {
                return false;
            }
        }
        return true;
    }

    private Path chooseNarrower(double tooWide, int others) {
        augment(others + 1);
        Path best = workspace.decomposition.widest(workspace.flow);
        // A path out of a flow goes where the augmentations went; all others have the fewest hops at their width.
        mayShorten = true;
        ThresholdSearch thresholds = workspace.thresholds;
        thresholds.begin(workspace.view, best.residual(), tooWide);
        while (thresholds.hasNext()) {
            double width = thresholds.next();
            Path path = workspace.shortest(width);
            if (leavesRoom(path, others)) {
                best = path;
                thresholds.raise(path.residual());
            } else {
                thresholds.lower(width);
            }
        }
        return best;
    }

    /** Shortens paths over what is open and what they use themselves, until none can be shortened. */
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
