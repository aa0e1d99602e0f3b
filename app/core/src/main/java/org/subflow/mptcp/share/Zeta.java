// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.List;

/**
 * ζ: the largest rate that a connection could reach, the controller's estimate of eMPTCP (its rule for asking for more
 * paths compares the rate that the host sees with it).
 *
 * <p>Two readings: {@link #available} holds everybody else at the expected throughput; {@link #fair} is, in addition, no
 * more than the connection's max-min fair share if it used all its paths, so that nobody is called to take what is due to
 * others. Rates in bit/s. Immutable.
 */
public final class Zeta {
    private final double available;
    private final double fair;

    private Zeta(double available, double fair) {
        this.available = available;
        this.fair = fair;
    }

    /** Finds the largest flow between the end points of one connection; supplied by whoever knows the graph. */
    @FunctionalInterface
    public interface MaxFlow {
        /**
         * Returns the value of a largest flow.
         *
         * @param capacities capacity of each arc in bit/s, not negative, numbered as in the problem
         * @return its value in bit/s
         */
        double value(double[] capacities);
    }

    /**
     * Works ζ out.
     *
     * @param problem    all connections, not null
     * @param rates      expected throughput of every subflow in bit/s, not null
     * @param connection the connection in question
     * @param access     the most that its access links carry in bit/s, positive infinity if its arcs include them
     * @param maxFlow    the largest flow between its end points, not null
     * @param paths      the routes of all paths that it could use, not null; if empty, those it has
     * @return both readings; neither is above the connection's cap
     */
    public static Zeta of(SharingProblem problem, double[] rates, int connection, double access, MaxFlow maxFlow,
                          List<int[]> paths) {
        return of(problem, rates, connection, access, maxFlow, paths, Allocators.standard().session());
    }

    /**
     * Works ζ out for one of many connections, or again and again.
     *
     * @param session a session of {@link Allocators#standard()} for ζ alone, in which the last answer is the next one's start
     * @return as the other method would
     */
    public static Zeta of(SharingProblem problem, double[] rates, int connection, double access, MaxFlow maxFlow,
                          List<int[]> paths, AllocationSession session) {
        double limit = Math.min(access, problem.cap(connection));
        double available = Math.min(limit, maxFlow.value(residualWithout(problem, rates, connection)));
        SharingProblem all = withPaths(problem, connection, limit, paths);
        double share = session.allocate(all).total(connection);
        return new Zeta(available, Math.min(available, share));
    }

    /** Returns what the others leave of each arc in bit/s; measured other traffic is one of them, or off the capacity. */
    static double[] residualWithout(SharingProblem problem, double[] rates, int connection) {
        double[] others = rates.clone();
        for (int s = problem.firstSubflow(connection); s < problem.firstSubflow(connection + 1); s++) {
            others[s] = 0;
        }
        double[] residual = problem.loads(others);
        for (int a = 0; a < residual.length; a++) {
            residual[a] = Math.max(0, problem.capacity(a) - residual[a]);
        }
        return residual;
    }

    private static SharingProblem withPaths(SharingProblem problem, int connection, double limit, List<int[]> paths) {
        double[] capacities = new double[problem.arcCount()];
        for (int a = 0; a < capacities.length; a++) {
            capacities[a] = problem.capacity(a);
        }
        SharingProblem.Builder builder = SharingProblem.builder(capacities);
        for (int c = 0; c < problem.connectionCount(); c++) {
            builder.connection(problem.weight(c), c == connection ? limit : problem.cap(c));
            if (c == connection && !paths.isEmpty()) {
                paths.forEach(builder::subflow);
            } else {
                for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                    builder.subflow(problem.subflowCap(s), problem.route(s));
                }
            }
        }
        return builder.build();
    }

    /** Returns the most that the connection could reach while all others keep their expected throughput, in bit/s. */
    public double available() {
        return available;
    }

    /** Returns the smaller of {@link #available} and the max-min fair share over all its paths, in bit/s. */
    public double fair() {
        return fair;
    }
}
