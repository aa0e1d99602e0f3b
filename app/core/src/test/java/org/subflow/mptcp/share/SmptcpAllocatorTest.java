// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SmptcpAllocatorTest extends AllocatorContract {
    private static final int INSTANCES = 1000;

    @Override
    Allocator allocator() {
        return new SmptcpAllocator();
    }

    @Override
    boolean maximal() {
        return false;
    }

    /** How far the heuristic is from both exact allocators: reported, and bounded only by what optimality means. */
    @Test
    void reportsItsGapToTheExactAllocators() {
        double lowest = 0;
        double sum = 0;
        double mean = 0;
        int atOptimum = 0;
        for (int seed = 0; seed < INSTANCES; seed++) {
            SharingProblem problem = Problems.random(seed, 20, 12);
            double[] smptcp = allocator().allocate(problem).totals();
            double[] maxMin = new MaxMinAllocator().allocate(problem).totals();
            double[] proportional = new ProportionalAllocator().allocate(problem).totals();
            double behind = leastLevel(problem, maxMin, maxMin) - leastLevel(problem, smptcp, maxMin);
            double worse = meanLog(problem, proportional, smptcp);
            assertTrue(behind >= -1e-3, "better than max-min on " + seed);
            assertTrue(worse >= -1e-7, "better than proportional on " + seed + " by " + -worse);
            lowest += behind / Math.max(1, leastLevel(problem, maxMin, maxMin));
            mean += Math.exp(-worse);
            sum += total(smptcp) / Math.max(1, total(maxMin));
            atOptimum += distance(smptcp, maxMin) < 1e-6 ? 1 : 0;
        }
        System.out.printf("smptcp on %d random instances: lowest level %.1f %% below max-min, geometric mean %.1f %% below"
                        + " proportional, sum %.1f %% of max-min's, same rates as max-min on %.1f %%%n",
                INSTANCES, 100 * lowest / INSTANCES, 100 - 100 * mean / INSTANCES, 100 * sum / INSTANCES,
                100.0 * atOptimum / INSTANCES);
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

    private static double total(double[] totals) {
        double sum = 0;
        for (double t : totals) {
            sum += t;
        }
        return sum;
    }

    private static double distance(double[] one, double[] other) {
        double worst = 0;
        for (int c = 0; c < one.length; c++) {
            worst = Math.max(worst, Math.abs(one[c] - other[c]) / Math.max(1, other[c]));
        }
        return worst;
    }
}
