// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * The split is the least sum of squares if prices prove it: each subflow that is used has rate + what it pays = the same as
 * its siblings, no other would pay less, and only full rows have a price.
 */
class EvenSplitTest {
    private static final double EXACT = 1e-7;

    @Property(tries = 200)
    void isProvedByPrices(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int arcs,
                          @ForAll @IntRange(max = 60) int connections, @ForAll @IntRange(min = 50, max = 99) int percent) {
        assertProved(Problems.random(seed, arcs, connections), percent);
    }

    /** So many full rows that the equations are solved step by step. */
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

    /** Splits a part of what is max-min fair: that is feasible, and leaves some rows room. */
    private static void assertProved(SharingProblem problem, int percent) {
        Rows rows = Rows.of(problem);
        double[] fair = new MaxMinAllocator().allocate(problem).totals();
        double[] totals = new double[rows.connections()];
        Arrays.setAll(totals, c -> fair[rows.connectionInProblem[c]] / rows.scale * percent / 100);
        EvenSplit split = new EvenSplit(rows, totals, new boolean[rows.rows()], new boolean[rows.subflows()],
                new double[rows.rows()]);
        assertTrue(split.fits());
        assertPricesOfFullRowsAlone(rows, split);
        for (int c = 0; c < totals.length; c++) {
            assertLevel(rows, split, c, totals[c]);
        }
    }

    private static void assertPricesOfFullRowsAlone(Rows rows, EvenSplit split) {
        for (int r = 0; r < rows.rows(); r++) {
            double load = 0;
            for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
                load += split.rates()[rows.on[k]];
            }
            assertTrue(load <= rows.limit[r] * (1 + EXACT), "row " + r);
            assertTrue(split.prices()[r] >= 0);
            if (split.prices()[r] > 0) {
                assertEquals(1, load / rows.limit[r], EXACT, "row " + r);
            }
        }
    }

    private static void assertLevel(Rows rows, EvenSplit split, int c, double total) {
        double sum = 0;
        double level = 0;
        double cheapest = Double.POSITIVE_INFINITY;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            double pays = 0;
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                pays += split.prices()[rows.row[i]];
            }
            sum += split.rates()[s];
            level = Math.max(level, split.rates()[s] > 0 ? split.rates()[s] + pays : 0);
            cheapest = Math.min(cheapest, split.rates()[s] + pays);
        }
        assertEquals(total, sum, EXACT * total);
        assertEquals(level, cheapest, EXACT * level, "connection " + c);
    }
}
