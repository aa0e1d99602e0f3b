// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * The parts in which connections split over their subflows in the last version of a problem. Most parts change little from one
 * version to the next, so {@link ProgressiveFilling} needs fewer pivots than with the guess of an {@link InitialSplit}. As with
 * that, the answer does not depend on them.
 *
 * <p>Two connections are the same if their subflows have the same routes in the same order, however many connections come or go
 * before them. A new connection begins with even parts. O(size of both versions) if connections are not reordered.
 */
final class LastSplit {
    /** The part of its connection's total that each subflow carries. */
    final double[] part;

    private final ScaledProblem before;
    private final ScaledProblem after;

    LastSplit(MaxMinSolver last, ScaledProblem problem) {
        before = last.problem();
        after = problem;
        part = new double[after.subflows()];
        int next = 0;
        for (int c = 0; c < after.connections(); c++) {
            int old = next;
            while (old < before.connections() && !hasSameRoutes(old, c)) {
                old++;
            }
            double sum = 0;
            if (old < before.connections()) {
                System.arraycopy(last.rates(), before.first[old], part, after.first[c], after.first[c + 1] - after.first[c]);
                sum = Arrays.stream(part, after.first[c], after.first[c + 1]).sum();
                next = old + 1;
            }
            for (int s = after.first[c]; s < after.first[c + 1]; s++) {
                part[s] = sum > 0 ? part[s] / sum : 1.0 / (after.first[c + 1] - after.first[c]);
            }
        }
    }

    private boolean hasSameRoutes(int old, int c) {
        int count = before.first[old + 1] - before.first[old];
        boolean same = count == after.first[c + 1] - after.first[c];
        for (int k = 0; same && k < count; k++) {
            same = after.sameRoute(after.first[c] + k, before, before.first[old] + k);
        }
        return same;
    }
}
