// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * Proportional fairness over connections: Σ w·log(rate) is as large as it can be. This is Eq. 4 of S-MPTCP, which
 * the paper calls
 * NP-hard; with routes given it is a concave program over linear constraints.
 *
 * <p>Scheme:
 * <ol>
 * <li>solve it by an interior-point method ({@link InteriorPoint});
 * <li>its row multipliers are Kelly's prices, the certificate: each connection below its cap gets weight ÷ price of its
 * cheapest subflow, and all of it on its cheapest subflows;
 * <li>totals are unique; of the splits over subflows that give them, take the one with the least sum of squares, as
 * {@link MaxMinAllocator} does: priced arcs are full in all of them, dearer subflows empty ({@link EvenSplit}).
 * </ol>
 * Goes on until rounding allows no smaller duality gap: below 10⁻⁶ of the sum of weights, and mostly near 10⁻⁹.
 * What was reached is {@link Allocation#epsilon}. O(r³/6 + size of A) per iteration for r arcs that may be full,
 * some 20 iterations.
 *
 * <p>F. Kelly, A. Maulloo, D. Tan, "Rate control for communication networks", 1998.
 */
public final class ProportionalAllocator implements Allocator {
    /** The name by which users choose it. */
    public static final String NAME = "proportional";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Allocation allocate(SharingProblem problem) {
        Rows rows = Rows.of(problem).withoutDominated();
        InteriorPoint solver = new InteriorPoint(rows);
        solver.solve();
        double[] rates = evened(rows, solver);
        rows.fit(rates);
        double[] bits = rows.toBitsPerSecond(rates);
        ArcPrices prices = prices(rows, solver);
        double gap = Optimality.proportionalGap(problem, Allocation.proportional(NAME, problem, bits, 0, prices));
        return Allocation.proportional(NAME, problem, bits, Math.max(0, gap), prices);
    }

    /** Returns the split of least squares with the same totals; the one given if rounding hides it. */
    private static double[] evened(Rows rows, InteriorPoint solver) {
        double[] totals = new double[rows.connections()];
        for (int s = 0; s < rows.subflows(); s++) {
            totals[rows.connectionOf[s]] += solver.bestRates[s];
        }
        EvenSplit split = new EvenSplit(rows, totals, solver.full, solver.empty, new double[rows.rows()]);
        return (split.fits() ? split.rates() : solver.bestRates).clone();
    }

    private static ArcPrices prices(Rows rows, InteriorPoint solver) {
        int[] all = new int[rows.rows()];
        Arrays.setAll(all, r -> r);
        double[] perBit = Arrays.stream(solver.bestPrices).map(p -> p / rows.scale).toArray();
        return ArcPrices.of(rows, all, perBit);
    }
}
