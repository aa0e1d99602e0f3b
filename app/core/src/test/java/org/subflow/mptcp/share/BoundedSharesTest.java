// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What bounded work leaves of max-min fairness: feasible rates, the smallest share, an error that is told. */
class BoundedSharesTest {
    private static final double ROUNDING = 1e-9;
    private static final int SEEDS = 400;
    /** Cuts alone do not solve it. */
    private static final SharingProblem LARGE = Problems.fatTree(8, 200, 3, false, 5);

    @Property(tries = 300)
    void ratesAreFeasibleAndTheSmallestIsAsNearAsTold(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int arcs,
                                                      @ForAll @IntRange(min = 1, max = 20) int connections,
                                                      @ForAll @IntRange(max = 500) int work) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        Allocation bounded = new MaxMinSession(work).allocate(problem);
        assertTrue(Optimality.overload(problem, bounded.rates()) <= ROUNDING);
        double best = smallest(problem, new MaxMinAllocator().allocate(problem));
        assertTrue(smallest(problem, bounded) >= best * (1 - bounded.epsilon()) * (1 - 1e-6),
                   () -> smallest(problem, bounded) + " of " + best + ", told " + bounded.epsilon());
    }

    private static double smallest(SharingProblem problem, Allocation allocation) {
        return IntStream.range(0, problem.connectionCount()).mapToDouble(c -> allocation.total(c) / problem.weight(c)).min().orElse(0);
    }

    /** Capacities of these differ much; there and where caps bind, few sweeps leave more. */
    @Test
    void sweepsGiveFeasibleRatesNearTheProportionalOnes() {
        int far = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            SharingProblem problem = Problems.random(seed, 1 + seed % 12, 1 + seed % 20);
            Allocation near = ProportionalAllocator.bySweeps(problem, ScaledProblemBuilder.reduced(problem));
            assertTrue(Optimality.overload(problem, near.rates()) <= ROUNDING);
            assertTrue(near.epsilon() < 0.5, () -> "gap " + near.epsilon());
            far += near.epsilon() > 0.03 ? 1 : 0;
        }
        assertTrue(far <= 0.03 * SEEDS, far + " of " + SEEDS);
        Allocation near = ProportionalAllocator.bySweeps(LARGE, ScaledProblemBuilder.reduced(LARGE));
        assertTrue(near.epsilon() < 0.01, () -> "gap " + near.epsilon());
    }

    @Test
    void withoutWorkTheSmallestShareIsNearlyTheBest() {
        Allocation exact = new MaxMinAllocator().allocate(LARGE);
        Allocation bounded = new MaxMinSession(0).allocate(LARGE);
        assertTrue(bounded.epsilon() > 0.01, "this needs the simplex");
        assertTrue(smallest(LARGE, bounded) >= 0.9 * smallest(LARGE, exact));
        assertEquals(sum(exact), sum(bounded), 0.1 * sum(exact));
    }

    private static double sum(Allocation allocation) {
        return Arrays.stream(allocation.totals()).sum();
    }

    @Test
    void theSameProblemHasTheSameAnswer() {
        assertArrayEquals(new MaxMinSession(100_000).allocate(LARGE).rates(), new MaxMinSession(100_000).allocate(LARGE).rates());
    }

    @Test
    void enoughWorkGivesTheExactAnswer() {
        assertArrayEquals(new MaxMinAllocator().allocate(LARGE).rates(), new MaxMinSession(MaxMinAllocator.MOST_WORK).allocate(LARGE).rates());
    }
}
