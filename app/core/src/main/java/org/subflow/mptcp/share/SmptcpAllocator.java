// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.smptcp.SmptcpHeuristic;

/**
 * The allocation heuristic of S-MPTCP: water flows from full containers to a new one until their levels agree.
 *
 * <p>Y. Liu et al., "Improve MPTCP with SDN: From the perspective of resource pooling", section 3.2, Algorithms 2 to 4. The
 * scheme and our reading of the paper are in {@link org.subflow.mptcp.share.smptcp}.
 *
 * <p>O(n · size of A) per connection processed, and every arrival may process all n connections: seconds for a thousand
 * connections. It serves comparison.
 */
final class SmptcpAllocator implements Allocator {
    /** The name by which users choose it. */
    static final String NAME = "smptcp";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Allocation allocate(SharingProblem problem) {
        ScaledProblem scaled = ScaledProblemBuilder.of(problem);
        SmptcpHeuristic heuristic = new SmptcpHeuristic(scaled);
        for (int c = 0; c < scaled.connections(); c++) {
            heuristic.arrive(c);
        }
        double[] rates = heuristic.rates();
        scaled.fit(rates);
        return Allocation.uncertified(NAME, problem, scaled.toBitsPerSecond(rates));
    }
}
