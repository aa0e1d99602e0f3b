// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.share.Problems.MBPS;
import static org.subflow.mptcp.share.Problems.NONE;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What every allocator promises. */
abstract class AllocatorContract {
    private static final double EXACT = 1e-9;

    /** Returns the allocator under test. */
    abstract Allocator allocator();

    @Test
    void isFoundByItsName() {
        assertSame(allocator().getClass(), Allocators.byName(allocator().name()).getClass());
    }

    @Property(tries = 300)
    void keepsWithinCapacitiesAndCaps(@ForAll long seed, @ForAll @IntRange(min = 1, max = 25) int arcs,
                                      @ForAll @IntRange(max = 25) int connections) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        Allocation allocation = allocator().allocate(problem);
        assertTrue(Optimality.overload(problem, allocation.rates()) <= EXACT);
        for (int c = 0; c < connections; c++) {
            double sum = 0;
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                sum += allocation.rate(s);
            }
            assertEquals(sum, allocation.total(c), EXACT * sum);
        }
    }

    @Property(tries = 50)
    void givesTheSameAnswerTwice(@ForAll long seed, @ForAll @IntRange(min = 1, max = 25) int arcs,
                                 @ForAll @IntRange(max = 25) int connections) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        assertArrayEquals(allocator().allocate(problem).rates(), allocator().allocate(problem).rates());
    }

    @Test
    void givesEverythingToWhoIsAlone() {
        SharingProblem problem = SharingProblem.builder(10 * MBPS, 20 * MBPS).connection().subflow(0).subflow(1).build();
        assertArrayEquals(new double[] {10 * MBPS, 20 * MBPS}, allocator().allocate(problem).rates(), 1);
    }

    @Test
    void countsAnArcThatSiblingsShareOnce() {
        SharingProblem problem = SharingProblem.builder(10 * MBPS, 8 * MBPS, 8 * MBPS)
                .connection().subflow(0, 1).subflow(0, 2).build();
        assertEquals(10 * MBPS, allocator().allocate(problem).total(0), 10);
    }

    @Test
    void evensOutFigure1() {
        assertArrayEquals(new double[] {12 * MBPS, 12 * MBPS, 12 * MBPS},
                allocator().allocate(Problems.fig1(4, 10, 12, 10)).totals(), 1200);
        assertArrayEquals(new double[] {12 * MBPS, 12 * MBPS, 12 * MBPS},
                allocator().allocate(Problems.fig1(8, 10, 10, 8)).totals(), 1200);
    }

    @Test
    void answersTheEmptyProblem() {
        assertEquals(0, allocator().allocate(SharingProblem.builder().build()).rates().length);
        assertEquals(0, allocator().allocate(SharingProblem.builder(MBPS).build()).totals().length);
    }

    @Test
    void givesNothingOverAnArcWithoutCapacity() {
        SharingProblem problem = SharingProblem.builder(0, 10 * MBPS)
                .connection().subflow(0).subflow(0, 1)
                .connection().subflow(0, 1).subflow(1).build();
        assertArrayEquals(new double[] {0, 0, 0, 10 * MBPS}, allocator().allocate(problem).rates(), 1);
    }

    @Test
    void keepsToCaps() {
        SharingProblem problem = SharingProblem.builder(100 * MBPS, 7 * MBPS)
                .connection(1, 0).subflow(0)
                .connection(1, 5 * MBPS).subflow(0)
                .connection(1, NONE).subflow(0, 1)
                .connection(1, 3 * MBPS).subflow().build();
        assertArrayEquals(new double[] {0, 5 * MBPS, 7 * MBPS, 3 * MBPS}, allocator().allocate(problem).totals(), 1);
    }

    @Test
    void copesWithCapacitiesOfVeryDifferentSize() {
        SharingProblem problem = SharingProblem.builder(4e11, 1e5)
                .connection().subflow(0)
                .connection().subflow(0).subflow(1)
                .connection().subflow(1).build();
        Allocation allocation = allocator().allocate(problem);
        assertTrue(Optimality.overload(problem, allocation.rates()) <= EXACT);
        assertEquals(1e5, allocation.total(2), 10);
    }

    /** Routes of very many links, some of them shared: the planner meets them on large networks. */
    @Test
    void answersInTimeOnVeryLongRoutes() {
        int links = 200_000;
        double[] capacity = new double[links];
        Arrays.setAll(capacity, a -> (10 + a % 90) * MBPS);
        SharingProblem problem = SharingProblem.builder(capacity)
                .connection().subflow(IntStream.range(0, links).toArray())
                .connection().subflow(IntStream.range(links / 2, links).toArray())
                .connection(1, MBPS).subflow(IntStream.range(5, 10).toArray())
                .build();
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertArrayEquals(
                new double[] {5 * MBPS, 5 * MBPS, MBPS}, allocator().allocate(problem).totals(), 10));
    }
}
