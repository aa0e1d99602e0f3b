// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.share.Problems.NONE;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SharingProblemTest {
    @Test
    void keepsWhatItWasGiven() {
        double[] capacities = {1, 2, 3};
        SharingProblem problem = SharingProblem.builder(capacities)
                .connection(2, 7).subflow(2, 0).subflow(1)
                .connection().subflow(1).build();
        capacities[0] = 99;
        assertEquals(3, problem.arcCount());
        assertEquals(2, problem.connectionCount());
        assertEquals(3, problem.subflowCount());
        assertEquals(1, problem.capacity(0));
        assertEquals(2, problem.weight(0));
        assertEquals(7, problem.cap(0));
        assertEquals(NONE, problem.cap(1));
        assertEquals(2, problem.firstSubflow(1));
        assertEquals(3, problem.firstSubflow(2));
        assertArrayEquals(new int[] {2, 0}, problem.route(0));
    }

    @Test
    void equalsOneOfTheSameNumbers() {
        SharingProblem problem = SharingProblem.builder(1, 2).connection(2, 7).subflow(1, 0).build();
        SharingProblem same = SharingProblem.builder(1, 2).connection(2, 7).subflow(1, 0).build();
        assertEquals(problem, same);
        assertEquals(problem.hashCode(), same.hashCode());
        for (SharingProblem other : List.of(SharingProblem.builder(1, 3).connection(2, 7).subflow(1, 0).build(),
                                            SharingProblem.builder(1, 2).connection(3, 7).subflow(1, 0).build(),
                                            SharingProblem.builder(1, 2).connection(2, 8).subflow(1, 0).build(),
                                            SharingProblem.builder(1, 2).connection(2, 7).subflow(0, 1).build(),
                                            SharingProblem.builder(1, 2).connection(2, 7).subflow(1).subflow(0).build())) {
            assertNotEquals(problem, other);
        }
        assertNotEquals(problem, null);
    }

    @Test
    void addsUpWhatSubflowsOfOneConnectionPutOnAnArc() {
        SharingProblem problem = SharingProblem.builder(9, 9).connection().subflow(0).subflow(0, 1).build();
        assertArrayEquals(new double[] {5, 3}, problem.loads(new double[] {2, 3}));
    }

    @Test
    void growsBeyondItsFirstArrays() {
        SharingProblem.Builder builder = SharingProblem.builder(new double[50]);
        for (int c = 0; c < 100; c++) {
            builder.connection(1 + c, NONE).subflow(c % 50, (c + 1) % 50).subflow((c + 2) % 50);
        }
        SharingProblem problem = builder.build();
        assertEquals(200, problem.subflowCount());
        assertEquals(100, problem.weight(99));
        assertArrayEquals(new int[] {49, 0}, problem.route(198));
    }

    @Test
    void saysWhatIsWrong() {
        refuses("capacity of arc 1", () -> SharingProblem.builder(1, -1));
        refuses("capacity of arc 0", () -> SharingProblem.builder(Double.NaN));
        refuses("capacity of arc 0", () -> SharingProblem.builder(NONE));
        refuses("weight of connection 0", () -> SharingProblem.builder(1).connection(0, 1));
        refuses("weight of connection 0", () -> SharingProblem.builder(1).connection(Double.NaN, 1));
        refuses("cap of connection 0", () -> SharingProblem.builder(1).connection(1, -1));
        refuses("cap of connection 0", () -> SharingProblem.builder(1).connection(1, Double.NaN));
        refuses("crosses arc 3", () -> SharingProblem.builder(1).connection().subflow(3));
        refuses("crosses arc 0 twice", () -> SharingProblem.builder(1).connection().subflow(0, 0));
        refuses("crosses no arc", () -> SharingProblem.builder(1).connection().subflow().build());
        refuses("crosses no arc", () -> SharingProblem.builder(1).connection().subflow().connection());
        assertThrows(IllegalStateException.class, () -> SharingProblem.builder(1).subflow(0));
    }

    private static void refuses(String part, Executable executable) {
        String message = assertThrows(IllegalArgumentException.class, executable).getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void namesTheAllocatorsThereAre() {
        assertEquals("max-min", Allocators.standard().name());
        assertEquals(List.of("max-min", "proportional", "smptcp"), Allocators.names());
        refuses("max-min, proportional, smptcp", () -> Allocators.byName("fairest"));
    }
}
