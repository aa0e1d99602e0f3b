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
 * <p>The present problem is solved once. Often that tells enough: see {@link #shareUpTo}. Otherwise, an answer starts from a copy of
 * that solution: the connection is appended again with the other paths, and the connection that it was leaves ({@link Newcomer}).
 * That takes a simplex, which is made when it is first asked for. If it gives no answer, which is rare, the changed problem is solved
 * from scratch. So it is where the present one takes too much work.
 *
 * <p>Answers are as exact as those of a bounded session of {@code max-min}. They come faster than from an {@link AllocationSession}, as nothing
 * but the one total is computed. For one thread at a time.
 */
public final class WhatIfShares {
    private static final int ABSENT = -1;
    /** An answer that is so much of the bound needs no simplex. */
    private static final double NEARLY = 0.99;
    /** Of the present solution, relative: larger errors prove nothing. */
    private static final double MOST_ERROR = 1e-6;

    private SharingProblem problem;
    private ScaledProblem scaled;
    private MaxMinSolver solved;
    /** What the solution leaves; and the lowest level at which each connection has a part in a bottleneck, scaled. */
    private Residual fair;
    private double[] waitedFor;
    private boolean isFair;
    /** Whether a simplex takes too much work: it has a move for each connection that reaches its cap. */
    private boolean isTooLarge;
    /** Null until an answer needs it. */
    private ProblemExtension extension;
    /** The number of each connection in the scaled problem. */
    private int[] numberOf;
    private int fromScratch;
    private int fromSimplex;

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
        MaxMinSolver before = solved;
        problem = present;
        scaled = ScaledProblemBuilder.reduced(present);
        extension = null;
        solved = null;
        if (scaled.connections() > 0) {
            solved = before == null ? MaxMinSolver.of(scaled, MaxMinAllocator.MOST_WORK)
                    : before.problem().equals(scaled) ? before : MaxMinSolver.after(before, scaled, MaxMinAllocator.MOST_WORK);
        }
        fair = Residual.of(present, solved == null ? new double[present.subflowCount()] : scaled.toBitsPerSecond(solved.rates()));
        waitedFor = solved == null ? new double[0] : solved.lowestBottlenecks();
        isTooLarge = (long) scaled.connections() * scaled.row.length > MaxMinAllocator.MOST_WORK;
        isFair = solved == null || solved.shortfall() <= MOST_ERROR;
        numberOf = new int[present.connectionCount()];
        Arrays.fill(numberOf, ABSENT);
        for (int c = 0; c < scaled.connections(); c++) {
            numberOf[scaled.connectionInProblem[c]] = c;
        }
    }

    /**
     * Returns the share of one connection if it had other paths, or a bound if that is less.
     *
     * <p>Let the connection be in no bottleneck with a level below b, and let the paths hold r beside what the others have. Then its
     * share is at least min(b, r). For if it were less, another would have more than now, and wait below b. It is in a
     * bottleneck without this connection, so somebody there would have lost, at a lower level. Max-min fairness allows that only
     * if one at a still lower level had gained, and so on without end. No simplex is needed if the bound is no more than that.
     *
     * @param most the bound, bit/s
     * @return the share in bit/s, as for {@link #share}, or the bound; or min(b, r), if that is less by 1 % at most, or a simplex takes
     *         too much work
     */
    double shareUpTo(double most, int connection, double cap, List<int[]> paths) {
        double bound = Math.min(most, cap);
        int number = numberOf[connection];
        double level = number == ABSENT ? Double.POSITIVE_INFINITY : waitedFor[number] * problem.weight(connection) * scaled.scale;
        double least = Math.min(level, fair.over(paths.isEmpty() ? routes(connection) : paths, connection));
        boolean isEnough = isTooLarge || isFair && least >= NEARLY * bound;
        return Math.min(bound, isEnough ? least : share(connection, cap, paths));
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
        if (extension == null) {
            extension = new ProblemExtension(problem, scaled);
            solved = solved == null || solved.hasBasis() ? solved
                    : MaxMinSolver.withBasis(solved, scaled, MaxMinAllocator.MOST_WORK);
        }
        fromSimplex++;
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

    /** Returns the number of answers that needed a simplex, or were computed from scratch. */
    int fromSimplex() {
        return fromSimplex;
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
