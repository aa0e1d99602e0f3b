// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Max-min fair shares that single connections of a problem would have over other paths, while all others keep theirs.
 *
 * <p>The problem as it is, is solved once. Each answer goes on from a copy of where that ended, which it leaves as it is:
 * <ol>
 * <li>the connection is appended once more, with the other paths;
 * <li>it rises while the one that it was falls to 0, and the others give way as is fair up to its level
 * ({@link FairWalk});
 * <li>cuts prove what is reached. If it is off by more than 10⁻⁶ of that, which is rare, or walls were too many, the answer
 * is worked out from scratch.
 * </ol>
 * As exact as {@code max-min}: mostly 10⁻¹¹. The rates of others above the level, and the split over subflows, are of no
 * concern here; nor need those who leave and come back be moved one after the other. That makes it faster than to allocate
 * again ({@link AllocationSession}). For one thread at a time.
 */
public final class WhatIfShares {
    private static final int ABSENT = -1;

    private SharingProblem problem;
    private RowsAppender appender;
    private MaxMinSolver solved;
    /** The number of each connection in the rows. */
    private int[] numberOf;
    private int fromScratch;

    /**
     * Takes the problem as it is now: to be called before anything is asked. What was worked out of the last one is used as
     * far as this is like it, and if it is the same nothing is done.
     *
     * @param present who sends over what, not null
     */
    public void now(SharingProblem present) {
        if (present == problem) {
            return;
        }
        RowsCompiler compiler = new RowsCompiler(present);
        appender = new RowsAppender(compiler.all(), compiler.nothing());
        Rows rows = appender.rows();
        MaxMinSolver before = solved;
        problem = present;
        solved = null;
        if (rows.connections() > 0) {
            solved = before == null ? MaxMinSolver.of(rows)
                    : before.rows().equals(rows) ? before : MaxMinSolver.after(before, rows);
        }
        numberOf = new int[present.connectionCount()];
        Arrays.fill(numberOf, ABSENT);
        for (int c = 0; c < rows.connections(); c++) {
            numberOf[rows.connectionInProblem[c]] = c;
        }
    }

    /**
     * Returns the share of one connection if it had other paths.
     *
     * @param connection the connection
     * @param cap        the most that it could send then, bit/s; positive infinity for no limit
     * @param paths      the routes of its subflows then, arcs of the problem, each once; not null; if empty, those it has
     * @return its total in bit/s
     * @throws IllegalArgumentException if it could send without limit
     */
    public double share(int connection, double cap, List<int[]> paths) {
        double share = solved == null ? Double.NaN
                : fromWhatIs(connection, cap, paths.isEmpty() ? routes(connection) : paths);
        if (Double.isNaN(share)) {
            fromScratch++;
            return Allocators.standard().allocate(problem.with(connection, cap, paths)).total(connection);
        }
        return share;
    }

    /** Returns how many answers were worked out from scratch so far. */
    int fromScratch() {
        return fromScratch;
    }

    private List<int[]> routes(int connection) {
        return IntStream.range(problem.firstSubflow(connection), problem.firstSubflow(connection + 1))
                .mapToObj(problem::route).collect(Collectors.toList());
    }

    /** Returns what {@link #share} does; not a number if it could not be done. */
    private double fromWhatIs(int connection, double cap, List<int[]> routes) {
        Rows rows = appender.with(problem.weight(connection), cap, routes);
        if (rows == null) {
            return 0;
        }
        int newcomer = rows.connections() - 1;
        int leaving = numberOf[connection];
        double[] own = Arrays.copyOf(solved.own(), rows.connections());
        own[newcomer] = MaxMinSolver.ownBound(rows, newcomer);
        if (own[newcomer] == Double.POSITIVE_INFINITY) {
            return Double.NaN;
        }
        if (leaving != ABSENT) {
            own[leaving] = 0;
        }
        FairWalk walk = new FairWalk(rows, solved.simplex().copy(rows));
        addCuts(rows, newcomer, walk);
        double[] fair = walk.converge(own, newcomer);
        return fair == null ? Double.NaN : certified(rows, walk.simplex().moving.rate, fair, leaving);
    }

    /** Lets the cuts that hold now hold for the newcomer too. */
    private void addCuts(Rows rows, int newcomer, FairWalk walk) {
        double[] price = new double[rows.rows()];
        for (int k = 0; k < solved.cuts().size(); k++) {
            if (solved.levels().level[k] > 0) {
                Cut cut = solved.cuts().get(k);
                walk.add(cut.with(newcomer, cheapest(rows, newcomer, cut, price)));
            }
        }
    }

    /** Returns what the cheapest subflow of a connection pays; {@code price} is all zeros, before and after. */
    private static double cheapest(Rows rows, int c, Cut cut, double[] price) {
        for (int i = 0; i < cut.row.length; i++) {
            price[cut.row[i]] = cut.price[i];
        }
        double least = Double.POSITIVE_INFINITY;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            double pays = 0;
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                pays += price[rows.row[i]];
            }
            least = Math.min(least, pays);
        }
        for (int r : cut.row) {
            price[r] = 0;
        }
        return least;
    }

    /** Returns the total of the last connection in bit/s; not a number if somebody is too far below what is fair. */
    private static double certified(Rows rows, double[] rates, double[] fair, int leaving) {
        rows.fit(rates);
        double[] totals = new double[fair.length];
        for (int s = 0; s < rates.length; s++) {
            totals[rows.connectionOf[s]] += rates[s];
        }
        boolean good = true;
        for (int c = 0; c < fair.length; c++) {
            good &= c == leaving || totals[c] >= (1 - MaxMinSolver.GOOD) * fair[c];
        }
        return good ? totals[fair.length - 1] * rows.scale : Double.NaN;
    }
}
