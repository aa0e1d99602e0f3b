// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.ShareComparer;

/** Compares nothing: draws the costs of arcs from a seed, calls a set of a given place the best, and keeps what it was asked. */
final class DrawnCosts implements ShareComparer {
    static final int MOST_SETS = 5;
    private static final int BLENDS = 4;
    private static final int MOST_COST = 5;

    final List<List<Path>> asked = new ArrayList<>();
    private final Graph graph;
    private final int best;

    /** Calls the set of that place the best, or the last one if there are fewer. */
    DrawnCosts(Graph graph, int best) {
        this.graph = graph;
        this.best = best;
    }

    @Override
    public int mostSets() {
        return MOST_SETS;
    }

    @Override
    public int blends() {
        return BLENDS;
    }

    @Override
    public double[] costs(int blend) {
        return new Random(blend).ints(graph.arcCount(), 0, MOST_COST).asDoubleStream().toArray();
    }

    @Override
    public int best(List<List<Path>> sets) {
        asked.clear();
        asked.addAll(sets);
        return Math.min(best, sets.size() - 1);
    }
}
