// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What an allocator promises in addition if it uses up all capacity. */
abstract class MaximalAllocatorContract extends AllocatorContract {
    @Property(tries = 300)
    void leavesNoSubflowThatCouldGrowAlone(@ForAll long seed, @ForAll @IntRange(min = 1, max = 25) int arcs,
                                           @ForAll @IntRange(max = 25) int connections) {
        SharingProblem problem = Problems.random(seed, arcs, connections);
        Allocation allocation = allocator().allocate(problem);
        double[] load = problem.loads(allocation.rates());
        for (int c = 0; c < connections; c++) {
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                assertTrue(cannotGrow(problem, allocation, load, c, s), "subflow " + s + " of connection " + c);
            }
        }
    }

    private static boolean cannotGrow(SharingProblem problem, Allocation allocation, double[] load, int c, int s) {
        // A proportional optimum is flat: a gap of 10^-9 leaves rates that are right to some 10^-5.
        double nearly = 1 - 1e-4;
        if (allocation.total(c) >= nearly * problem.cap(c)) {
            return true;
        }
        for (int h = 0; h < problem.hops(s); h++) {
            if (load[problem.arc(s, h)] >= nearly * problem.capacity(problem.arc(s, h))) {
                return true;
            }
        }
        return false;
    }
}
