// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathOption;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.search.ConstrainedPaths;
import org.subflow.mptcp.path.search.Workspace;

/** Base of all strategies: it refuses requests that a strategy cannot answer, and lends a {@link Workspace}. */
abstract class AbstractStrategy implements PathStrategy {
    private final String name;
    private final List<Disjointness> disjointness;
    private final Set<PathOption> options;

    AbstractStrategy(String name, List<Disjointness> disjointness, Set<PathOption> options) {
        this.name = name;
        this.disjointness = disjointness;
        this.options = options;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<Disjointness> disjointness() {
        return disjointness;
    }

    @Override
    public final Set<PathOption> options() {
        return options;
    }

    @Override
    public final PathSet findPaths(PathRequest request) {
        Disjointness kind = request.disjointness().orElse(disjointness.get(0));
        if (!disjointness.contains(kind)) {
            throw new IllegalArgumentException("strategy " + name + " cannot find " + kind + "-disjoint paths; "
                    + capabilities());
        }
        refuse(request.m().isPresent(), PathOption.M);
        refuse(request.exact(), PathOption.EXACT);
        refuse(request.preference().isPresent(), PathOption.PREFER);
        List<Path> paths = new ArrayList<>(Math.min(request.k(), 16));
        try (Workspace workspace = Workspace.borrow()) {
            workspace.view().open(request, kind);
            search(request, kind, workspace, paths);
            if (!ConstrainedPaths.areWithin(request, kind, paths)
                    || paths.isEmpty() && !(request.limits().isNone() && kind != Disjointness.SRLG)) {
                paths = ConstrainedPaths.find(request, kind, workspace.view(), paths, order(), repeats());
            }
        }
        return new PathSet(paths, kind);
    }

    /** Returns which of two paths this strategy prefers, the better one first; by default the one with fewer hops. */
    Comparator<Path> order() {
        return Comparator.comparingInt(Path::hops);
    }

    /** Says whether a strategy that promises no disjointness gives a path again: several times, or a sibling's. */
    boolean repeats() {
        return true;
    }

    /**
     * Searches.
     *
     * @param request   what is asked
     * @param kind      one of {@link #disjointness()}
     * @param workspace with the view open for this request
     * @param paths     where to add the paths found
     */
    abstract void search(PathRequest request, Disjointness kind, Workspace workspace, List<Path> paths);

    private String capabilities() {
        return disjointness.contains(Disjointness.NONE)
                ? "it promises no disjointness: leave that out, or take widest-disjoint"
                : "it can do " + PathStrategies.join(disjointness);
    }

    private void refuse(boolean asked, PathOption option) {
        if (asked && !options.contains(option)) {
            List<String> others = PathStrategies.namesWith(option);
            throw new IllegalArgumentException("strategy " + name + " has no option " + option + "; only "
                    + PathStrategies.join(others) + (others.size() == 1 ? " has it" : " have it"));
        }
    }
}
