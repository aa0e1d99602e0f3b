// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import org.subflow.mptcp.share.maxmin.MaxMinSolver;

/**
 * Lexicographic max-min fairness over connections: the smallest level (rate ÷ weight) is as large as possible, then the
 * second smallest, and so on. Only the total of a connection counts. Of all splits with these totals, the allocator takes
 * the one with the least sum of squares. It is unique, and as even as the arcs allow.
 *
 * <p>{@link org.subflow.mptcp.share.maxmin} describes the method. Where ends are the bottlenecks, an answer is a few times O(size of
 * A). Elsewhere it takes pivots, O(n² + size of A) each for n full arcs.
 *
 * <p>{@link Allocation#epsilon} states the error of an answer: mostly 10⁻¹¹, and 10⁻⁷ where capacities differ much. On
 * very large problems, rounding can make the basis of the simplex method singular. Of three problems with 10,000 connections
 * on random capacities, one had an error of 0.5. An arc with less than 10⁻¹² of the largest capacity counts as absent.
 *
 * <p>In a {@link #boundedSession} the work of the simplex is bounded. An answer then takes some tenths of a second at most with
 * a thousand connections. Where it is approximate, the smallest shares are within some per cent of exact ones. The error is that of the worst connection.
 *
 * <p>D. Bertsekas, R. Gallager, "Data Networks", section 6.5.
 */
final class MaxMinAllocator implements Allocator {
    /** The name by which users choose it. */
    static final String NAME = "max-min";
    /** Bound on the work of a component, in multiplications of the simplex: a few tenths of a second. */
    static final long MOST_WORK = 300_000_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Allocation allocate(SharingProblem problem) {
        return session().allocate(problem);
    }

    @Override
    public AllocationSession session() {
        return new MaxMinSession(MaxMinSolver.NO_BOUND);
    }

    @Override
    public AllocationSession boundedSession() {
        return new MaxMinSession(MOST_WORK);
    }
}
