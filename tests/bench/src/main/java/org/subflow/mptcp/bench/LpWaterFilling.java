// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPVariable;
import java.util.Arrays;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Max-min fairness by the textbook method, one linear program for each level. It raises the rate of all connections that are
 * not fixed as far as possible. A connection whose limit has a price cannot get more in any solution, so it is fixed there.
 *
 * <p>Tried in OR-tools' library (9.14), all for 1,000 connections on a fat tree with k = 8: Clp's primal simplex is the fastest
 * (1.2 s). Its dual simplex took 1.7 s, its presolve before each program 1.4 s, its barrier over 25 s. GLOP's primal simplex
 * took 4.0 s, its dual 5.9 s. HiGHS starts each program from scratch, and answers through this library with the rows' values in
 * place of their prices. SCIP has no prices. PDLP is not exact enough, and calls later levels infeasible.
 *
 * <p>One solver serves all levels, and each level starts from the basis of the one before. From one answer to the next this
 * gains nothing, as the last basis is that of the highest level: after an arrival, Clp took 2.0 s. A program kept for each level
 * gained nothing either: with 400 connections Clp's primal took 0.9 s in place of 0.5 s, and its dual called a level infeasible. With
 * 200, GLOP's dual took 0.2 s, as Clp from scratch. The Java library cannot set a basis.
 */
final class LpWaterFilling {
    private static final String SOLVER = "CLP";
    /**
     * A price below this part of the largest one may be rounding, and the connection may get more. With 1e-6 in absolute terms,
     * three of 1,000 connections were fixed at 0.6 of their rates. A true price that is left out is found at the next level.
     */
    private static final double NO_PRICE = 1e-3;
    /**
     * What a fixed connection may lose, in Mbit/s: limits that are met by rounding alone can become infeasible. Later levels gain
     * by it, on uneven capacities many times as much: with 1e-7 a thousand connections were off by up to 1e-4 of their rates,
     * with 1e-9 by 3e-5.
     */
    private static final double SLACK = 1e-9;
    private static final int NOBODY = -1;

    private LpWaterFilling() {
    }

    /** Returns the rate of each connection in Mbit/s. */
    static double[] totals(SharingProblem problem) {
        return fill(problem, NOBODY);
    }

    /** Returns the rate of one connection in Mbit/s; goes no further than its level. */
    static double total(SharingProblem problem, int connection) {
        return fill(problem, connection)[connection];
    }

    /** Returns the rates in Mbit/s, at least up to that of one connection; not a number beyond. */
    private static double[] fill(SharingProblem problem, int last) {
        try (LpModel model = new LpModel(SOLVER, LpModel.Method.PRIMAL, problem)) {
            MPVariable level = model.solver.makeNumVar(0, Double.POSITIVE_INFINITY, "level");
            model.solver.objective().setCoefficient(level, 1);
            model.solver.objective().setMaximization();
            MPConstraint[] atLeastLevel = new MPConstraint[problem.connectionCount()];
            for (int connection = 0; connection < atLeastLevel.length; connection++) {
                atLeastLevel[connection] = model.atLeast(connection, -1, level, 0);
            }
            double[] totals = new double[atLeastLevel.length];
            Arrays.fill(totals, Double.NaN);
            for (int remaining = totals.length; remaining > 0 && (last == NOBODY || Double.isNaN(totals[last]));) {
                model.solve();
                remaining -= fix(atLeastLevel, level, totals);
            }
            return totals;
        }
    }

    /** Fixes the connections that cannot get more; returns how many. */
    private static int fix(MPConstraint[] atLeastLevel, MPVariable level, double[] totals) {
        double reached = level.solutionValue();
        double[] prices = new double[totals.length];
        int fixed = 0;
        // Reads all prices first: a change of the program discards them.
        for (int connection = 0; connection < totals.length; connection++) {
            prices[connection] = Double.isNaN(totals[connection]) ? Math.abs(atLeastLevel[connection].dualValue()) : 0;
        }
        double least = NO_PRICE * Arrays.stream(prices).max().orElse(0);
        for (int connection = 0; connection < totals.length; connection++) {
            if (prices[connection] > least) {
                atLeastLevel[connection].setCoefficient(level, 0);
                atLeastLevel[connection].setLb(reached - SLACK);
                totals[connection] = reached;
                fixed++;
            }
        }
        if (fixed == 0) {
            throw new IllegalStateException("no limit has a price at level " + reached + " Mbit/s");
        }
        return fixed;
    }
}
