// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.subflow.mptcp.share.Problems.MBPS;
import static org.subflow.mptcp.share.Problems.NONE;

import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RedundantArcsTest {
    /** Nothing changes, by linear programs, if redundant arcs have a thousand times their capacity. */
    @Property(tries = 60)
    void limitsNobody(@ForAll long seed, @ForAll @IntRange(min = 2, max = 12) int arcs,
                      @ForAll @IntRange(min = 1, max = 8) int connections) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        boolean[] redundant = RedundantArcs.of(problem);
        double[] wider = new double[problem.arcCount()];
        Arrays.setAll(wider, a -> redundant[a] ? 1000 * problem.capacity(a) : problem.capacity(a));
        Optional<double[]> with = LinearPrograms.maxMin(problem);
        Optional<double[]> without = LinearPrograms.maxMin(copy(problem, wider));
        Assume.that(with.isPresent() && without.isPresent());
        for (int c = 0; c < connections; c++) {
            assertEquals(with.get()[c], without.get()[c], 1e-5 * with.get()[c] + 10, "connection " + c);
        }
    }

    private static SharingProblem copy(SharingProblem problem, double[] capacities) {
        SharingProblem.Builder builder = SharingProblem.builder(capacities);
        for (int c = 0; c < problem.connectionCount(); c++) {
            builder.connection(problem.weight(c), problem.cap(c));
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                builder.subflow(problem.route(s));
            }
        }
        return builder.build();
    }

    @Test
    void areWiderThanAllThatCapsAndOtherArcsLetThrough() {
        SharingProblem problem = SharingProblem.builder(100 * MBPS, 10 * MBPS, 16 * MBPS, 15 * MBPS, 30 * MBPS)
                .connection().subflow(0, 1)
                .connection(1, 5 * MBPS).subflow(0, 2, 3).subflow(0, 2)
                .connection(1, 10 * MBPS).subflow(2, 3)
                .connection(1, 31 * MBPS).subflow(0, 4)
                .build();
        assertArrayEquals(new boolean[] {true, false, true, false, false}, RedundantArcs.of(problem));
    }

    /** The narrowest arc of a connection without a cap is never redundant, whatever lies beside it. */
    @Test
    void leaveOneOfTwoEqualArcs() {
        SharingProblem problem = SharingProblem.builder(10 * MBPS, 10 * MBPS).connection(1, NONE).subflow(0, 1).build();
        assertArrayEquals(new boolean[] {false, false}, RedundantArcs.of(problem));
    }

    /** Where demands are far below capacities, nothing is left to solve: each has what it demands, evenly split. */
    @Test
    void leaveNothingToSolveWhereDemandsAreSmall() {
        SharingProblem tree = Problems.fatTree(8, 300, 3, false, 7);
        SharingProblem.Builder builder = SharingProblem.builder(capacities(tree));
        for (int c = 0; c < 300; c++) {
            builder.connection(1, 3 * MBPS);
            for (int s = tree.firstSubflow(c); s < tree.firstSubflow(c + 1); s++) {
                builder.subflow(tree.route(s));
            }
        }
        SharingProblem problem = builder.build();
        assertEquals(0, ScaledProblemBuilder.reduced(problem).rows());
        for (String name : new String[] {MaxMinAllocator.NAME, ProportionalAllocator.NAME}) {
            double[] rates = Allocators.byName(name).allocate(problem).rates();
            double[] even = new double[rates.length];
            Arrays.fill(even, MBPS);
            assertArrayEquals(even, rates, 1, name);
        }
    }

    private static double[] capacities(SharingProblem problem) {
        double[] capacities = new double[problem.arcCount()];
        Arrays.setAll(capacities, problem::capacity);
        return capacities;
    }
}
