// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import org.subflow.mptcp.share.alphafair.AlphaFair;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.proportional.InteriorPoint;
import org.subflow.mptcp.share.split.LeastSquaresSplit;

/**
 * Proportional fairness over connections: Σ w·log(rate) is as large as possible. This is Eq. 4 of S-MPTCP, which that paper
 * calls NP-hard; for given routes it is a concave program with linear constraints.
 *
 * <p>Scheme:
 * <ol>
 * <li>an interior-point method solves the program ({@link org.subflow.mptcp.share.proportional});
 * <li>its row multipliers are Kelly's prices, the certificate: a connection below its cap has rate = weight ÷ price of its
 * cheapest subflow, and sends over its cheapest subflows only;
 * <li>totals are unique; of all splits with these totals, the one with the least sum of squares is taken, as by
 * {@link MaxMinAllocator}.
 * </ol>
 * The method continues until rounding allows no smaller duality gap: below 10⁻⁶ of the sum of weights, and mostly near
 * 10⁻⁹. {@link Allocation#epsilon} states the gap. O(r³/6 + size of A) per iteration for r arcs that may be full, some 20
 * iterations. Where capacities or weights are so large or small that double precision has no solution, each subflow gets an
 * equal part of its narrowest arc, and the gap is a rough but finite bound.
 *
 * <p>A {@link #boundedSession} approximates the solution where many arcs may be full ({@link AlphaFair}). The gap is about 1 % then.
 *
 * <p>F. Kelly, A. Maulloo, D. Tan, "Rate control for communication networks", 1998.
 */
final class ProportionalAllocator implements Allocator {
    /** The name by which users choose it. */
    static final String NAME = "proportional";
    private static final double MOST_OVERLOAD = 1e-9;
    /** Bound on the arcs for which {@link #boundedSession} solves the program: that takes a few tenths of a second. */
    private static final int MOST_ROWS = 600;
    /** Of the approximation. On a 16-ary fat tree with 1,000 connections over random paths, they leave a gap of .7 %. */
    private static final int SWEEPS = 200;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Allocation allocate(SharingProblem problem) {
        return byInteriorPoint(problem, ScaledProblemBuilder.reduced(problem));
    }

    private static Allocation byInteriorPoint(SharingProblem problem, ScaledProblem scaled) {
        InteriorPoint solver = new InteriorPoint(scaled);
        solver.solve();
        return answer(problem, scaled, evened(scaled, solver.bestRates, solver.full, solver.empty), solver.bestPrices);
    }

    @Override
    public AllocationSession boundedSession() {
        return this::allocateInBoundedWork;
    }

    private Allocation allocateInBoundedWork(SharingProblem problem) {
        ScaledProblem scaled = ScaledProblemBuilder.reduced(problem);
        return scaled.rows() <= MOST_ROWS ? byInteriorPoint(problem, scaled) : bySweeps(problem, scaled);
    }

    static Allocation bySweeps(SharingProblem problem, ScaledProblem scaled) {
        AlphaFair near = new AlphaFair(scaled, 1).solve(SWEEPS);
        double worth = 0;
        for (int r = 0; r < near.prices.length; r++) {
            worth += near.prices[r] * scaled.limit[r];
        }
        for (int c = 0; c < near.capPrices.length; c++) {
            worth += near.capPrices[c] > 0 ? near.capPrices[c] * scaled.cap[c] : 0;
        }
        // The dual is smallest where the prices are worth the weights.
        double factor = worth > 0 ? Arrays.stream(scaled.weight).sum() / worth : 1;
        double[] prices = Arrays.stream(near.prices).map(price -> price * factor).toArray();
        return answer(problem, scaled, evened(scaled, near.rates, new boolean[scaled.rows()], new boolean[near.rates.length]), prices);
    }

    private static Allocation answer(SharingProblem problem, ScaledProblem scaled, double[] rates, double[] rowPrices) {
        scaled.fit(rates);
        double[] bits = scaled.toBitsPerSecond(rates);
        ArcPrices prices = prices(scaled, rowPrices);
        double gap = Optimality.proportionalGap(problem, Allocation.proportional(NAME, problem, bits, 0, prices));
        boolean isSolved = gap < Double.POSITIVE_INFINITY && Optimality.overload(problem, bits) < MOST_OVERLOAD;
        return isSolved ? Allocation.proportional(NAME, problem, bits, Math.max(0, gap), prices) : EqualParts.of(problem, NAME);
    }

    /** Returns the least-squares split of the solution's totals; the solution itself if rounding prevents that split. */
    private static double[] evened(ScaledProblem scaled, double[] solution, boolean[] full, boolean[] empty) {
        double[] noPrices = new double[scaled.rows()];
        LeastSquaresSplit split = new LeastSquaresSplit(scaled, scaled.totals(solution), full, empty, noPrices);
        return (split.fits() ? split.rates() : solution).clone();
    }

    private static ArcPrices prices(ScaledProblem scaled, double[] rowPrices) {
        int[] all = new int[scaled.rows()];
        Arrays.setAll(all, r -> r);
        double[] perBit = Arrays.stream(rowPrices).map(p -> p / scaled.scale).toArray();
        return ArcPrices.of(scaled, all, perBit);
    }
}
