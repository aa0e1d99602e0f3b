// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.maxmin.Cut;
import org.subflow.mptcp.share.maxmin.MaxMinSolver;

/**
 * Max-min fair shares of successive versions of a problem. Each connected component is solved on its own. The answer for an
 * unchanged component stands; that for a changed component begins with what is known of the last one.
 */
final class MaxMinSession implements AllocationSession {
    private final long mostWork;
    private Map<ScaledProblem, MaxMinSolver> last = Map.of();
    private int solved;

    /** Starts a session; {@code mostWork} bounds the work for each component, see {@link MaxMinSolver#of}. */
    MaxMinSession(long mostWork) {
        this.mostWork = mostWork;
    }

    @Override
    public Allocation allocate(SharingProblem problem) {
        List<ScaledProblem> components = components(problem);
        Map<ScaledProblem, MaxMinSolver> before = new HashMap<>(last);
        last = Map.of();
        Map<ScaledProblem, MaxMinSolver> now = new HashMap<>();
        for (ScaledProblem component : components) {
            MaxMinSolver same = before.remove(component);
            if (same != null) {
                now.put(component, same);
            }
        }
        for (ScaledProblem component : components) {
            now.computeIfAbsent(component, missing -> solve(missing, before));
        }
        last = now;
        return report(problem, components);
    }

    /** Returns the number of components solved so far. */
    int solved() {
        return solved;
    }

    private static List<ScaledProblem> components(SharingProblem problem) {
        boolean[] redundant = RedundantArcs.of(problem);
        ConnectedComponents connected = ConnectedComponents.of(problem, redundant);
        ScaledProblemBuilder builder = new ScaledProblemBuilder(problem, redundant);
        List<ScaledProblem> components = new ArrayList<>();
        for (int i = 0; i < connected.count(); i++) {
            ScaledProblem component = builder.part(connected.connections(i)).withoutDominated();
            if (component.connections() > 0) {
                components.add(component);
            }
        }
        return components;
    }

    private MaxMinSolver solve(ScaledProblem component, Map<ScaledProblem, MaxMinSolver> before) {
        solved++;
        ScaledProblem nearest = nearest(component, before);
        return nearest == null ? MaxMinSolver.of(component, mostWork) : MaxMinSolver.after(before.remove(nearest), component, mostWork);
    }

    /** Returns the largest earlier component that has an arc in common with the given one, or null. */
    private static ScaledProblem nearest(ScaledProblem component, Map<ScaledProblem, MaxMinSolver> before) {
        ScaledProblem nearest = null;
        for (ScaledProblem other : before.keySet()) {
            boolean larger = nearest == null || other.connections() > nearest.connections();
            if (larger && other.sharesArc(component)) {
                nearest = other;
            }
        }
        return nearest;
    }

    private Allocation report(SharingProblem problem, List<ScaledProblem> components) {
        double[] rates = new double[problem.subflowCount()];
        int[] bottleneckOf = new int[problem.connectionCount()];
        Arrays.fill(bottleneckOf, Allocation.NO_BOTTLENECK);
        List<Bottleneck> bottlenecks = new ArrayList<>();
        double epsilon = 0;
        for (ScaledProblem component : components) {
            MaxMinSolver solver = last.get(component);
            double[] scaled = solver.rates();
            for (int s = 0; s < scaled.length; s++) {
                rates[component.subflowInProblem[s]] = scaled[s] * component.scale;
            }
            reportBottlenecks(component, solver, bottlenecks, bottleneckOf);
            epsilon = Math.max(epsilon, solver.shortfall());
        }
        return Allocation.maxMin(MaxMinAllocator.NAME, problem, rates, epsilon, bottlenecks, bottleneckOf);
    }

    /** Adds the bottlenecks of a component; the solver's problem has the same numbers but perhaps other names. */
    private static void reportBottlenecks(ScaledProblem component, MaxMinSolver solver, List<Bottleneck> bottlenecks,
                                          int[] bottleneckOf) {
        int[] indexOfCut = new int[solver.cuts().size()];
        Arrays.fill(indexOfCut, Allocation.NO_BOTTLENECK);
        for (int c = 0; c < component.connections(); c++) {
            double level = solver.level(c) * component.scale;
            int k = solver.cutOf(c);
            if (solver.fillsItsRoutes(c)) {
                bottleneckOf[component.connectionInProblem[c]] = bottlenecks.size();
                bottlenecks.add(new Bottleneck(level, ownRoutes(component, c)));
            } else if (k != MaxMinSolver.NO_CUT) {
                if (indexOfCut[k] == Allocation.NO_BOTTLENECK) {
                    Cut cut = solver.cuts().get(k);
                    indexOfCut[k] = bottlenecks.size();
                    bottlenecks.add(new Bottleneck(level, ArcPrices.of(component, cut.row, cut.price)));
                }
                bottleneckOf[component.connectionInProblem[c]] = indexOfCut[k];
            }
        }
    }

    private static ArcPrices ownRoutes(ScaledProblem component, int c) {
        int[] row = MaxMinSolver.narrowestRows(component, c);
        double[] price = new double[row.length];
        Arrays.fill(price, 1);
        return ArcPrices.of(component, row, price);
    }
}
