// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.share.alphafair.AlphaFair;
import org.subflow.mptcp.share.linear.ScaledProblem;

/** α-fair rates by prices: known answers, and what holds of all. */
class AlphaFairTest {
    private static final int SWEEPS = 300;

    /** One long connection over two links of capacity 1, and a short one on each: the long one has 1/(1 + 2^(1/α)). */
    @Test
    void aConnectionOverTwoLinksGetsLessWithASmallAlpha() {
        for (double alpha : new double[] {1, 2, 4, 12}) {
            SharingProblem.Builder problem = SharingProblem.builder(new double[] {1e9, 1e9});
            problem.connection().subflow(new int[] {0, 1});
            problem.connection().subflow(new int[] {0});
            problem.connection().subflow(new int[] {1});
            ScaledProblem scaled = ScaledProblemBuilder.reduced(problem.build());
            double[] bits = scaled.toBitsPerSecond(new AlphaFair(scaled, alpha).solve(SWEEPS).rates);
            assertEquals(1e9 / (1 + Math.pow(2, 1 / alpha)), bits[0], 1e4, "α = " + alpha);
            assertEquals(1e9, bits[0] + bits[1], 1e4);
        }
    }

    /** Two subflows over links of 1 and 3, beside a connection on the second: both totals are 2. */
    @Test
    void weightMovesToTheSubflowWithRoom() {
        SharingProblem.Builder problem = SharingProblem.builder(new double[] {1e9, 3e9});
        problem.connection().subflow(new int[] {0}).subflow(new int[] {1});
        problem.connection().subflow(new int[] {1});
        ScaledProblem scaled = ScaledProblemBuilder.reduced(problem.build());
        double[] bits = scaled.toBitsPerSecond(new AlphaFair(scaled, 1).solve(SWEEPS).rates);
        assertEquals(2e9, bits[0] + bits[1], 2e7);
        assertEquals(2e9, bits[2], 2e7);
    }

    @Property(tries = 300)
    void ratesAreFeasibleAndFinite(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int arcs,
                                   @ForAll @IntRange(min = 1, max = 20) int connections, @ForAll @IntRange(min = 1, max = 16) int alpha,
                                   @ForAll @IntRange(min = 1, max = 30) int sweeps) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        ScaledProblem scaled = ScaledProblemBuilder.reduced(problem);
        AlphaFair near = new AlphaFair(scaled, alpha).solve(sweeps);
        assertTrue(Arrays.stream(near.rates).allMatch(Double::isFinite), () -> Arrays.toString(near.rates));
        assertTrue(Arrays.stream(near.prices).allMatch(price -> price >= 0), () -> Arrays.toString(near.prices));
        assertTrue(Optimality.overload(problem, scaled.toBitsPerSecond(near.rates)) <= 1e-9);
    }
}
