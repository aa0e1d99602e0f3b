// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class SmptcpAllocatorTest extends AllocatorContract {
    private static final int INSTANCES = 1000;
    /** Percentage points. */
    private static final double FIGURE = 0.1;

    @Override
    Allocator allocator() {
        return new SmptcpAllocator();
    }

    /** The instances are fixed, so a change of these figures is a change of the heuristic. */
    @Test
    void staysAtItsGapToTheExactAllocatorsWithWeightsCapsAndDeadArcs() {
        assertGaps(63.6, 49.2, 98.4, 0.4, seed -> Problems.random(seed, 20, 12));
    }

    @Test
    void staysAtItsGapToTheExactAllocatorsOnInstancesAsInThePaper() {
        assertGaps(94.0, 77.1, 99.2, 0.0, seed -> Problems.plain(seed, 20, 12));
    }

    /**
     * Compares with both exact allocators; no instance may be better than optimal.
     *
     * @param belowMaxMin       mean gap of the lowest level to max-min, percent
     * @param belowProportional mean gap of the geometric mean to proportional, percent
     * @param sumOfMaxMin       mean sum of rates, percent of that of max-min
     * @param sameAsMaxMin      instances with the rates of max-min, percent
     */
    private void assertGaps(double belowMaxMin, double belowProportional, double sumOfMaxMin, double sameAsMaxMin,
                            LongFunction<SharingProblem> instances) {
        double lowest = 0;
        double sum = 0;
        double mean = 0;
        int atOptimum = 0;
        for (int seed = 0; seed < INSTANCES; seed++) {
            SharingProblem problem = instances.apply(seed);
            double[] smptcp = allocator().allocate(problem).totals();
            double[] maxMin = new MaxMinAllocator().allocate(problem).totals();
            double[] proportional = new ProportionalAllocator().allocate(problem).totals();
            double fair = leastLevel(problem, maxMin, maxMin);
            double behind = fair - leastLevel(problem, smptcp, maxMin);
            double worse = meanLog(problem, proportional, smptcp);
            assertTrue(behind >= -1e-6 * fair, "better than max-min on " + seed);
            assertTrue(worse >= -1e-6, "better than proportional on " + seed + " by " + -worse);
            lowest += behind / fair;
            mean += Math.exp(-worse);
            sum += Arrays.stream(smptcp).sum() / Arrays.stream(maxMin).sum();
            atOptimum += distance(smptcp, maxMin) < 1e-6 ? 1 : 0;
        }
        assertEquals(belowMaxMin, 100 * lowest / INSTANCES, FIGURE, "lowest level below max-min, percent");
        assertEquals(belowProportional, 100 - 100 * mean / INSTANCES, FIGURE, "geometric mean below proportional, percent");
        assertEquals(sumOfMaxMin, 100 * sum / INSTANCES, FIGURE, "sum of max-min's, percent");
        assertEquals(sameAsMaxMin, 100.0 * atOptimum / INSTANCES, FIGURE, "same rates as max-min, percent");
    }

    /** Lowest rate ÷ weight among those who can send. */
    private static double leastLevel(SharingProblem problem, double[] totals, double[] reference) {
        double least = Double.POSITIVE_INFINITY;
        for (int c = 0; c < totals.length; c++) {
            least = reference[c] > 0 ? Math.min(least, totals[c] / problem.weight(c)) : least;
        }
        return least;
    }

    /** Weighted mean of log(better ÷ other) over those who can send; a connection without anything counts as 1 bit/s. */
    private static double meanLog(SharingProblem problem, double[] better, double[] other) {
        double sum = 0;
        double weights = 0;
        for (int c = 0; c < better.length; c++) {
            if (better[c] > 0) {
                sum += problem.weight(c) * Math.log(better[c] / Math.max(1, other[c]));
                weights += problem.weight(c);
            }
        }
        return weights > 0 ? sum / weights : 0;
    }

    private static double distance(double[] one, double[] other) {
        double worst = 0;
        for (int c = 0; c < one.length; c++) {
            worst = Math.max(worst, Math.abs(one[c] - other[c]) / Math.max(1, other[c]));
        }
        return worst;
    }
}
