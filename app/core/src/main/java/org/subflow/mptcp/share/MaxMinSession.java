// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Max-min fair shares of one version of a problem after the other. Connections that share arcs, directly or not, are solved
 * together ({@link IndependentSets}); where nothing has changed, the last answer stands; where something has, the
 * simplex goes on from it.
 */
final class MaxMinSession implements AllocationSession {
    private Map<Rows, MaxMinSolver> last = Map.of();
    private int solved;

    @Override
    public Allocation allocate(SharingProblem problem) {
        List<Rows> parts = parts(problem);
        Map<Rows, MaxMinSolver> before = new HashMap<>(last);
        last = Map.of();
        Map<Rows, MaxMinSolver> now = new HashMap<>();
        for (Rows rows : parts) {
            MaxMinSolver same = before.remove(rows);
            if (same != null) {
                now.put(rows, same);
            }
        }
        for (Rows rows : parts) {
            now.computeIfAbsent(rows, missing -> solve(missing, before));
        }
        last = now;
        return report(problem, parts);
    }

    /** Returns how many sets were solved so far, anew or from where a version of them had been. */
    int solved() {
        return solved;
    }

    private static List<Rows> parts(SharingProblem problem) {
        IndependentSets sets = IndependentSets.of(problem);
        RowsCompiler compiler = new RowsCompiler(problem);
        List<Rows> parts = new ArrayList<>();
        for (int set = 0; set < sets.count(); set++) {
            Rows rows = compiler.part(sets.connections(set)).withoutDominated();
            if (rows.connections() > 0) {
                parts.add(rows);
            }
        }
        return parts;
    }

    private MaxMinSolver solve(Rows rows, Map<Rows, MaxMinSolver> before) {
        solved++;
        Rows nearest = nearest(rows, before);
        return nearest == null ? MaxMinSolver.of(rows) : MaxMinSolver.after(before.remove(nearest), rows);
    }

    /** Returns the largest of those that have an arc in common with the given, or null. */
    private static Rows nearest(Rows rows, Map<Rows, MaxMinSolver> before) {
        Rows nearest = null;
        for (Rows other : before.keySet()) {
            boolean larger = nearest == null || other.connections() > nearest.connections();
            if (larger && other.sharesArc(rows)) {
                nearest = other;
            }
        }
        return nearest;
    }

    private Allocation report(SharingProblem problem, List<Rows> parts) {
        double[] rates = new double[problem.subflowCount()];
        int[] bottleneckOf = new int[problem.connectionCount()];
        Arrays.fill(bottleneckOf, Allocation.NO_BOTTLENECK);
        List<Bottleneck> bottlenecks = new ArrayList<>();
        double epsilon = 0;
        for (Rows rows : parts) {
            MaxMinSolver solver = last.get(rows);
            solver.report(rows, rates, bottlenecks, bottleneckOf);
            epsilon = Math.max(epsilon, solver.shortfall());
        }
        return Allocation.maxMin(MaxMinAllocator.NAME, problem, rates, epsilon, bottlenecks, bottleneckOf);
    }
}
