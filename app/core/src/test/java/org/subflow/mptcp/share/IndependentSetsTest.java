// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class IndependentSetsTest {
    @Test
    void joinsThoseThatShareAnArcDirectlyOrNot() {
        SharingProblem problem = SharingProblem.builder(1, 1, 1, 1)
                .connection().subflow(0)
                .connection().subflow(3)
                .connection().subflow(1).subflow(2)
                .connection().subflow(0, 1)
                .connection()
                .build();
        IndependentSets sets = IndependentSets.of(problem);
        assertEquals(3, sets.count());
        assertArrayEquals(new int[] {0, 2, 3}, sets.connections(0));
        assertArrayEquals(new int[] {1}, sets.connections(1));
        assertArrayEquals(new int[] {4}, sets.connections(2));
        assertArrayEquals(new int[] {0, 1}, sets.touching(3, 2));
        assertArrayEquals(new int[0], IndependentSets.of(SharingProblem.builder(1).build()).touching(0));
    }

    @Property(tries = 100)
    void givesTogetherWhatTheWholeGives(@ForAll long seed, @ForAll @IntRange(max = 25) int connections) {
        SharingProblem problem = Problems.random(seed, 60, connections);
        IndependentSets sets = IndependentSets.of(problem);
        double[] rates = new double[problem.subflowCount()];
        for (int set = 0; set < sets.count(); set++) {
            sets.spread(set, new MaxMinAllocator().allocate(sets.problem(set)), rates);
        }
        double[] whole = new MaxMinAllocator().allocate(problem).rates();
        for (int s = 0; s < whole.length; s++) {
            assertEquals(whole[s], rates[s], 1e-6 * whole[s] + 10, "subflow " + s);
        }
    }
}
