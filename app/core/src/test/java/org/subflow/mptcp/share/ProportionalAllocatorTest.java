// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.share.Problems.MBPS;

import java.time.Duration;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ProportionalAllocatorTest extends MaximalAllocatorContract {
    private static final double CERTIFIED = 1e-6;

    @Override
    Allocator allocator() {
        return new ProportionalAllocator();
    }

    @Property(tries = 500)
    void isCertifiedByPrices(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int arcs,
                             @ForAll @IntRange(max = 60) int connections) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        Allocation allocation = allocator().allocate(problem);
        assertEquals(0, Optimality.proportionalGap(problem, allocation), CERTIFIED);
        assertTrue(allocation.epsilon() <= CERTIFIED);
    }

    @Property(tries = 60)
    void agreesWithLinearProgramsOfTangents(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int arcs,
                                            @ForAll @IntRange(min = 1, max = 10) int connections) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        double[] totals = allocator().allocate(problem).totals();
        boolean[] counts = new boolean[connections];
        double ours = 0;
        double weights = 0;
        for (int c = 0; c < connections; c++) {
            counts[c] = totals[c] > 0;
            ours += counts[c] ? problem.weight(c) * Math.log(totals[c] / MBPS) : 0;
            weights += counts[c] ? problem.weight(c) : 0;
        }
        Assume.that(weights > 0);
        TangentPrograms peer = new TangentPrograms(problem, counts);
        assertTrue(ours / weights <= peer.limit + CERTIFIED, "above what is possible");
        assertTrue(ours / weights >= peer.reached - CERTIFIED, "below what is possible");
    }

    @Test
    void givesAThirdOfTheLineToWhoNeedsBothLinks() {
        assertArrayEquals(new double[] {MBPS / 3, 2 * MBPS / 3, 2 * MBPS / 3},
                allocator().allocate(Problems.line()).totals(), 1);
    }

    @Test
    void pricesTheLineAsKellyDoes() {
        ArcPrices prices = allocator().allocate(Problems.line()).prices().orElseThrow();
        assertArrayEquals(new int[] {0, 1}, prices.arcs());
        assertArrayEquals(new double[] {1.5 / MBPS, 1.5 / MBPS}, prices.arcPrices(), 1e-12);
    }

    @Test
    void weighsLogarithms() {
        SharingProblem problem = SharingProblem.builder(9 * MBPS)
                .connection(2, Problems.NONE).subflow(0).connection().subflow(0).build();
        assertArrayEquals(new double[] {6 * MBPS, 3 * MBPS}, allocator().allocate(problem).totals(), 1);
    }

    @Test
    void isCertifiedOnFatTrees() {
        for (boolean hosts : new boolean[] {true, false}) {
            for (int seed = 1; seed < 6; seed++) {
                assertCertified(Problems.fatTree(8, 60 * seed, 3, hosts, seed));
            }
        }
    }

    @Test
    void isCertifiedOnUnevenCapacities() {
        for (int seed = 0; seed < 10; seed++) {
            assertCertified(Problems.uneven(seed, 200, 500, 60 + 10 * seed));
        }
    }

    private void assertCertified(SharingProblem problem) {
        Allocation allocation = allocator().allocate(problem);
        assertEquals(0, Optimality.proportionalGap(problem, allocation), CERTIFIED);
        assertEquals(0, Optimality.overload(problem, allocation.rates()), 1e-12);
    }

    /** Where the split of 1,000 connections' totals once went round in circles for ten seconds. */
    @Test
    void answersInTimeWhereManySplitsArePossible() {
        for (int seed : new int[] {1, 3}) {
            SharingProblem problem = Problems.fatTree(8, 1000, 3, false, seed);
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertCertified(problem));
        }
    }

    @Test
    void statesAFiniteErrorAtAbsurdSizes() {
        double[] sizes = {Double.MIN_VALUE, 1e-300, 1e-20, 1, 1e10, 1e160, 1e300};
        for (double capacity : sizes) {
            for (double other : sizes) {
                for (double weight : sizes) {
                    for (double cap : new double[] {Problems.NONE, weight}) {
                        assertFinite(SharingProblem.builder(capacity, other)
                                .connection(weight, cap).subflow(0).subflow(1)
                                .connection(1 / (1 + weight), Problems.NONE).subflow(0).connection().subflow(1).build());
                    }
                }
            }
        }
    }

    private void assertFinite(SharingProblem problem) {
        Allocation allocation = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> allocator().allocate(problem));
        assertTrue(allocation.epsilon() >= 0 && allocation.epsilon() < Double.POSITIVE_INFINITY,
                   "an error of " + allocation.epsilon());
        assertEquals(0, Optimality.overload(problem, allocation.rates()), 1e-9);
    }
}
