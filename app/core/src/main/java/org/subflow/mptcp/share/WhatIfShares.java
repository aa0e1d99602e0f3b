// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.maxmin.MaxMinSolver;
import org.subflow.mptcp.share.maxmin.Newcomer;

/**
 * Max-min fair shares that single connections of a problem would have over other paths, while the others keep their paths.
 *
 * <p>The present problem is solved once. Each answer starts from a copy of that solution: the connection is appended again
 * with the other paths, and the connection that it was leaves ({@link Newcomer}). If that gives no answer, which is rare,
 * the changed problem is solved from scratch. So it is where the present one takes too much work.
 *
 * <p>Answers are as exact as those of a bounded session of {@code max-min}. They come faster than from an {@link AllocationSession}, as nothing
 * but the one total is computed. For one thread at a time.
 */
public final class WhatIfShares {
    private static final int ABSENT = -1;

    private SharingProblem problem;
    private ProblemExtension extension;
    private MaxMinSolver solved;
    /** The number of each connection in the scaled problem. */
    private int[] numberOf;
    private int fromScratch;

    /**
     * Sets the present problem; to be called before {@link #share}. The solution of the last problem is the start for this
     * one. For the same problem, the call does nothing.
     *
     * @param present all connections, not null
     */
    public void now(SharingProblem present) {
        if (present == problem) {
            return;
        }
        extension = new ProblemExtension(present);
        ScaledProblem scaled = extension.base();
        MaxMinSolver before = solved;
        problem = present;
        solved = null;
        if (scaled.connections() > 0) {
            solved = before == null ? MaxMinSolver.withBasis(scaled, MaxMinAllocator.MOST_WORK)
                    : before.problem().equals(scaled) ? before : MaxMinSolver.withBasis(before, scaled, MaxMinAllocator.MOST_WORK);
        }
        numberOf = new int[present.connectionCount()];
        Arrays.fill(numberOf, ABSENT);
        for (int c = 0; c < scaled.connections(); c++) {
            numberOf[scaled.connectionInProblem[c]] = c;
        }
    }

    /**
     * Returns the share of one connection if it had other paths.
     *
     * @param connection the connection
     * @param cap        its cap then, bit/s; positive infinity for no limit
     * @param paths      the routes of its subflows then, each arc once per route; not null; if empty, its present routes
     * @return its total in bit/s
     * @throws IllegalArgumentException if it could send without limit
     */
    public double share(int connection, double cap, List<int[]> paths) {
        double share = solved == null || !solved.hasBasis() ? Double.NaN
                : fromSolution(connection, cap, paths.isEmpty() ? routes(connection) : paths);
        if (Double.isNaN(share)) {
            fromScratch++;
            return Allocators.standard().boundedSession().allocate(problem.with(connection, cap, paths)).total(connection);
        }
        return share;
    }

    /** Returns the number of answers that were computed from scratch. */
    int fromScratch() {
        return fromScratch;
    }

    private List<int[]> routes(int connection) {
        return IntStream.range(problem.firstSubflow(connection), problem.firstSubflow(connection + 1))
                .mapToObj(problem::route).collect(Collectors.toList());
    }

    /** Returns the share in bit/s; not a number if it has to be computed from scratch. */
    private double fromSolution(int connection, double cap, List<int[]> routes) {
        ScaledProblem extended = extension.with(problem.weight(connection), cap, routes);
        return extended == null ? 0 : Newcomer.total(solved, extended, numberOf[connection]) * extended.scale;
    }
}
