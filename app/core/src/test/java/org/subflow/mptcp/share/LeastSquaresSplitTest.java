// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.split.LeastSquaresSplit;

/**
 * Prices prove that a split has the least sum of squares. Rate + price is the same for all subflows in use of a connection,
 * and not lower for the others; only full rows have a price.
 */
class LeastSquaresSplitTest {
    private static final double EXACT = 1e-7;

    @Property(tries = 200)
    void isProvedByPrices(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int arcs,
                          @ForAll @IntRange(max = 60) int connections, @ForAll @IntRange(min = 50, max = 99) int percent) {
        assertProved(Problems.random(seed, arcs, connections), percent);
    }

    /** With so many full rows, conjugate gradients solve the equations. */
    @Test
    void isProvedByPricesOnFatTrees() {
        for (int seed = 0; seed < 5; seed++) {
            assertProved(Problems.fatTree(8, 800, 3, false, seed), 97);
        }
    }

    @Test
    void isProvedByPricesOnUnevenCapacities() {
        for (int seed = 0; seed < 20; seed++) {
            assertProved(Problems.uneven(seed, 200, 500, 100 + 20 * seed), 95);
        }
    }

    @Test
    void endsWhateverTheTotals() {
        SharingProblem problem = SharingProblem.builder(1, 1).connection().subflow(0).subflow(1).connection().subflow(0).build();
        ScaledProblem scaled = ScaledProblemBuilder.of(problem);
        double[] odd = {0, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE, -1};
        for (double total : odd) {
            for (boolean isEmpty : new boolean[] {false, true}) {
                boolean[] empty = new boolean[scaled.subflows()];
                Arrays.fill(empty, isEmpty);
                assertTimeoutPreemptively(Duration.ofSeconds(5), () -> new LeastSquaresSplit(
                        scaled, new double[] {total, 0.5}, new boolean[scaled.rows()], empty, new double[scaled.rows()]));
            }
        }
    }

    @Test
    void nothingIsSplitIntoNothing() {
        SharingProblem problem = SharingProblem.builder(1, 1).connection().subflow(0).subflow(1).build();
        ScaledProblem scaled = ScaledProblemBuilder.of(problem);
        LeastSquaresSplit split = assertTimeoutPreemptively(Duration.ofSeconds(5), () -> new LeastSquaresSplit(
                scaled, new double[1], new boolean[scaled.rows()], new boolean[scaled.subflows()], new double[scaled.rows()]));
        assertArrayEquals(new double[2], split.rates());
        assertTrue(split.fits());
    }

    /** Splits a part of the max-min fair totals: this is feasible, and some rows are not full. */
    private static void assertProved(SharingProblem problem, int percent) {
        ScaledProblem scaled = ScaledProblemBuilder.of(problem);
        double[] fair = new MaxMinAllocator().allocate(problem).totals();
        double[] totals = new double[scaled.connections()];
        Arrays.setAll(totals, c -> fair[scaled.connectionInProblem[c]] / scaled.scale * percent / 100);
        LeastSquaresSplit split = new LeastSquaresSplit(scaled, totals, new boolean[scaled.rows()],
                new boolean[scaled.subflows()], new double[scaled.rows()]);
        assertTrue(split.fits());
        assertPricesOfFullRowsAlone(scaled, split);
        for (int c = 0; c < totals.length; c++) {
            assertLevel(scaled, split, c, totals[c]);
        }
    }

    private static void assertPricesOfFullRowsAlone(ScaledProblem scaled, LeastSquaresSplit split) {
        for (int r = 0; r < scaled.rows(); r++) {
            double load = 0;
            for (int k = scaled.onStart[r]; k < scaled.onStart[r + 1]; k++) {
                load += split.rates()[scaled.on[k]];
            }
            assertTrue(load <= scaled.limit[r] * (1 + EXACT), "row " + r);
            assertTrue(split.prices()[r] >= 0);
            if (split.prices()[r] > 0) {
                assertEquals(1, load / scaled.limit[r], EXACT, "row " + r);
            }
        }
    }

    private static void assertLevel(ScaledProblem scaled, LeastSquaresSplit split, int c, double total) {
        double sum = 0;
        double level = 0;
        double cheapest = Double.POSITIVE_INFINITY;
        for (int s = scaled.first[c]; s < scaled.first[c + 1]; s++) {
            double pays = 0;
            for (int i = scaled.rowStart[s]; i < scaled.rowStart[s + 1]; i++) {
                pays += split.prices()[scaled.row[i]];
            }
            sum += split.rates()[s];
            level = Math.max(level, split.rates()[s] > 0 ? split.rates()[s] + pays : 0);
            cheapest = Math.min(cheapest, split.rates()[s] + pays);
        }
        assertEquals(total, sum, EXACT * total);
        assertEquals(level, cheapest, EXACT * level, "connection " + c);
    }
}
