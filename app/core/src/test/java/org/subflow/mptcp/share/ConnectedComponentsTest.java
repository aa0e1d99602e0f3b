// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ConnectedComponentsTest {
    @Test
    void joinsThoseThatShareAnArcDirectlyOrNot() {
        SharingProblem problem = SharingProblem.builder(1, 1, 1, 1)
                .connection().subflow(0)
                .connection().subflow(3)
                .connection().subflow(1).subflow(2)
                .connection().subflow(0, 1)
                .connection()
                .build();
        ConnectedComponents components = ConnectedComponents.of(problem, new boolean[4]);
        assertEquals(3, components.count());
        assertArrayEquals(new int[] {0, 2, 3}, components.connections(0));
        assertArrayEquals(new int[] {1}, components.connections(1));
        assertArrayEquals(new int[] {4}, components.connections(2));
        assertEquals(0, ConnectedComponents.of(SharingProblem.builder(1).build(), new boolean[1]).count());
    }

    @Test
    void leavesRedundantArcsAsideAndKeepsConnectionsWithoutAnotherTogether() {
        SharingProblem problem = SharingProblem.builder(1, 1, 1)
                .connection().subflow(0)
                .connection().subflow(0, 1)
                .connection().subflow(2)
                .connection().subflow(1, 2)
                .build();
        ConnectedComponents components = ConnectedComponents.of(problem, new boolean[] {true, false, true});
        assertEquals(2, components.count());
        assertArrayEquals(new int[] {0, 2}, components.connections(0));
        assertArrayEquals(new int[] {1, 3}, components.connections(1));
    }

    @Property(tries = 100)
    void holdsEachConnectionOnceAndEachArcInOneComponent(@ForAll long seed, @ForAll @IntRange(max = 25) int connections) {
        SharingProblem problem = Problems.random(seed, 60, connections);
        ConnectedComponents components = ConnectedComponents.of(problem, new boolean[problem.arcCount()]);
        int[] times = new int[connections];
        int[] componentOfArc = new int[problem.arcCount()];
        Arrays.fill(componentOfArc, -1);
        for (int i = 0; i < components.count(); i++) {
            for (int c : components.connections(i)) {
                times[c]++;
                for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                    for (int arc : problem.route(s)) {
                        boolean elsewhere = componentOfArc[arc] >= 0 && componentOfArc[arc] != i;
                        assertFalse(elsewhere, "arc " + arc + " is in two components");
                        componentOfArc[arc] = i;
                    }
                }
            }
        }
        int[] once = new int[connections];
        Arrays.fill(once, 1);
        assertArrayEquals(once, times);
    }
}
