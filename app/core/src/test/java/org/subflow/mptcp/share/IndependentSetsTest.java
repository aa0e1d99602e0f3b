// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
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
        assertEquals(0, IndependentSets.of(SharingProblem.builder(1).build()).count());
    }

    @Property(tries = 100)
    void holdsEachConnectionOnceAndEachArcInOneSet(@ForAll long seed, @ForAll @IntRange(max = 25) int connections) {
        SharingProblem problem = Problems.random(seed, 60, connections);
        IndependentSets sets = IndependentSets.of(problem);
        int[] times = new int[connections];
        int[] setOfArc = new int[problem.arcCount()];
        Arrays.fill(setOfArc, -1);
        for (int set = 0; set < sets.count(); set++) {
            for (int c : sets.connections(set)) {
                times[c]++;
                for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                    for (int arc : problem.route(s)) {
                        assertTrue(setOfArc[arc] < 0 || setOfArc[arc] == set, "arc " + arc + " is in two sets");
                        setOfArc[arc] = set;
                    }
                }
            }
        }
        int[] once = new int[connections];
        Arrays.fill(once, 1);
        assertArrayEquals(once, times);
    }
}
