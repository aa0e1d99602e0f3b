// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * Lexicographic max-min fairness over connections: the smallest level (rate ÷ weight) is as large as possible, then the
 * second smallest, and so on. What counts is the total of a connection; among the splits over subflows that give these
 * totals, the one with the least sum of squares is taken, which is unique and as even as the arcs allow.
 *
 * <p>With several subflows per connection, filling up single links is not enough, because a connection can make room by
 * moving to its other paths; the textbook method is one linear program per level, from scratch. Here, one sweep:
 * <ol>
 * <li>all levels rise from 0 together, and a simplex method moves rates between subflows so that loads stay within
 * limits ({@link RateSimplex}): a pivot where an arc fills up or a subflow runs empty. It begins with a guess of how
 * connections split in the end ({@link RoughSplit});
 * <li>where no pivot helps, the prices of arcs at hand prove it: Σ (price of the cheapest subflow)·rate ≤
 * Σ price·capacity, with equality. Connections that pay are held by this bottleneck and stop, as does who has reached
 * its cap; the others go on from there ({@link LevelRise});
 * <li>the levels at which they stop are computed once more from the bottlenecks alone, by {@link WaterFilling}: no
 * feasible rates can be fairer, so these are what the answer is measured by;
 * <li>the totals reached are split evenly ({@link EvenSplit}).
 * </ol>
 * For n full arcs, O(n² + size of A) per pivot; some 200 pivots for 100 connections, 800 for 1,000.
 *
 * <p>Exactness: mostly 10⁻¹¹, and hardly ever worse than 10⁻⁸; {@link Allocation#epsilon} says what was reached. An arc
 * with less than 10⁻¹² of the largest capacity counts as having none.
 *
 * <p>Reference: D. Bertsekas, R. Gallager, Data Networks, section 6.5, for max-min fairness and bottlenecks.
 */
public final class MaxMinAllocator implements Allocator {
    /** The name by which users choose it. */
    public static final String NAME = "max-min";

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
        return new MaxMinSession();
    }
}
