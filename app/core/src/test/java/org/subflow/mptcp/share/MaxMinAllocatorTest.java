// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.share.Problems.MBPS;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class MaxMinAllocatorTest extends MaximalAllocatorContract {
    private static final double CERTIFIED = 1e-6;

    @Override
    Allocator allocator() {
        return new MaxMinAllocator();
    }

    @Property(tries = 500)
    void isCertifiedByBottlenecks(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int arcs,
                                  @ForAll @IntRange(max = 60) int connections) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        Allocation allocation = allocator().allocate(problem);
        assertEquals(0, Optimality.maxMinDeviation(problem, allocation), CERTIFIED);
        assertTrue(allocation.epsilon() <= 1e-7);
    }

    @Property(tries = 60)
    void agreesWithLinearPrograms(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int arcs,
                                  @ForAll @IntRange(max = 10) int connections) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        Optional<double[]> answer = LinearPrograms.maxMin(problem);
        Assume.that(answer.isPresent());
        double[] expected = answer.orElseThrow();
        double[] actual = allocator().allocate(problem).totals();
        for (int c = 0; c < connections; c++) {
            assertEquals(expected[c], actual[c], 1e-5 * expected[c] + 10, "connection " + c);
        }
    }

    @Test
    void isCertifiedOnFatTrees() {
        for (boolean hosts : new boolean[] {true, false}) {
            for (int connections : new int[] {60, 400}) {
                assertCertified(Problems.fatTree(8, connections, 3, hosts, 7));
            }
        }
    }

    /** Where many certificates are possible and some have prices that differ by five orders of magnitude. */
    @Test
    void isCertifiedOnHalfFullFatTrees() {
        for (int seed : new int[] {0, 16, 105, 134, 175, 182}) {
            for (int connections : new int[] {100, 200, 260}) {
                assertCertified(Problems.fatTree(8, connections, 3, false, seed));
            }
        }
    }

    @Test
    void isCertifiedOnUnevenCapacities() {
        for (int seed = 0; seed < 30; seed++) {
            assertCertified(Problems.uneven(seed, 200, 500, 60 + 3 * seed));
        }
    }

    private void assertCertified(SharingProblem problem) {
        Allocation allocation = allocator().allocate(problem);
        assertEquals(0, Optimality.maxMinDeviation(problem, allocation), CERTIFIED);
        assertEquals(0, Optimality.overload(problem, allocation.rates()), 1e-12);
        assertTrue(allocation.epsilon() <= CERTIFIED);
    }

    @Test
    void answersInTimeOnUnevenCapacities() {
        SharingProblem problem = Problems.uneven(1, 200, 500, 500);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertCertified(problem));
    }

    /** From 1 kbit/s to 1 Tbit/s. */
    @Property(tries = 200)
    void isCertifiedOnCapacitiesOverNineOrdersOfMagnitude(@ForAll long seed) {
        Random random = new Random(seed);
        int arcs = 4 + random.nextInt(20);
        SharingProblem.Builder problem = SharingProblem.builder(
                random.doubles(arcs).map(exponent -> 1e3 * Math.pow(10, 9 * exponent)).toArray());
        for (int c = 0; c < 2 * arcs; c++) {
            problem.connection();
            for (int s = random.nextInt(3); s >= 0; s--) {
                problem.subflow(random.ints(0, arcs).distinct().limit(1 + random.nextInt(3)).toArray());
            }
        }
        assertCertified(problem.build());
    }

    @Test
    void sharesTwoPathsAmongTenThousandConnections() {
        SharingProblem.Builder problem = SharingProblem.builder(1000 * MBPS, 400 * MBPS, 1000 * MBPS, 1000 * MBPS);
        for (int c = 0; c < 10_000; c++) {
            problem.connection().subflow(0, 1).subflow(2, 3);
        }
        SharingProblem all = problem.build();
        for (Allocation allocation : List.of(allocator().allocate(all), allocator().boundedSession().allocate(all))) {
            assertTrue(allocation.epsilon() <= CERTIFIED);
            assertEquals(0.14 * MBPS, Arrays.stream(allocation.totals()).min().orElseThrow(), 1);
            assertEquals(0.14 * MBPS, Arrays.stream(allocation.totals()).max().orElseThrow(), 1);
        }
    }

    @Test
    void halvesTheLine() {
        assertArrayEquals(new double[] {0.5 * MBPS, 0.5 * MBPS, 0.5 * MBPS},
                allocator().allocate(Problems.line()).totals(), 1e-3);
    }

    @Test
    void weighsLevels() {
        SharingProblem problem = SharingProblem.builder(9 * MBPS)
                .connection(2, Problems.NONE).subflow(0).connection().subflow(0).build();
        assertArrayEquals(new double[] {6 * MBPS, 3 * MBPS}, allocator().allocate(problem).totals(), 1e-3);
    }

    @Test
    void movesAConnectionAsideForOneThatCannotMove() {
        SharingProblem problem = SharingProblem.builder(10 * MBPS, 10 * MBPS)
                .connection().subflow(0).subflow(1)
                .connection().subflow(0).build();
        Allocation allocation = allocator().allocate(problem);
        assertArrayEquals(new double[] {0, 10 * MBPS, 10 * MBPS}, allocation.rates(), 1e-3);
        Bottleneck bottleneck = allocation.bottlenecks().get(allocation.bottleneckOf(0));
        assertEquals(10 * MBPS, bottleneck.level(), 1e-3);
        assertArrayEquals(new int[] {0, 1}, bottleneck.prices().arcs());
    }

    @Test
    void splitsEvenlyWhereArcsAllow() {
        SharingProblem problem = SharingProblem.builder(12 * MBPS, 10 * MBPS, 10 * MBPS, 2 * MBPS)
                .connection().subflow(0, 1).subflow(0, 2).subflow(0, 3).build();
        assertArrayEquals(new double[] {5 * MBPS, 5 * MBPS, 2 * MBPS}, allocator().allocate(problem).rates(), 1e-3);
    }
}
