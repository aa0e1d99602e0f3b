// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPVariable;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Max-min fairness by the textbook method, one linear program for each level. It raises the rate of all connections that are
 * not fixed as far as possible. A connection whose limit has a price cannot get more in any solution, so it is fixed there.
 */
final class GlopWaterFilling {
    /** Prices add up to 1; GLOP's tolerances are below this. */
    private static final double NO_PRICE = 1e-6;

    private GlopWaterFilling() {
    }

    /** Returns the rate of each connection in Mbit/s. */
    static double[] totals(SharingProblem problem) {
        try (GlopModel model = GlopModel.primal(problem)) {
            MPVariable level = model.solver.makeNumVar(0, Double.POSITIVE_INFINITY, "level");
            model.solver.objective().setCoefficient(level, 1);
            model.solver.objective().setMaximization();
            MPConstraint[] atLeastLevel = new MPConstraint[problem.connectionCount()];
            for (int connection = 0; connection < atLeastLevel.length; connection++) {
                atLeastLevel[connection] = model.atLeast(connection, -1, level, 0);
            }
            double[] totals = new double[atLeastLevel.length];
            for (int remaining = totals.length; remaining > 0;) {
                model.solve();
                remaining -= fix(atLeastLevel, level, totals);
            }
            return totals;
        }
    }

    /** Fixes the connections that cannot get more; returns how many. */
    private static int fix(MPConstraint[] atLeastLevel, MPVariable level, double[] totals) {
        double reached = level.solutionValue();
        boolean[] priced = new boolean[totals.length];
        int fixed = 0;
        // Reads all prices first: a change of the program discards them.
        for (int connection = 0; connection < totals.length; connection++) {
            priced[connection] = totals[connection] == 0 && Math.abs(atLeastLevel[connection].dualValue()) > NO_PRICE;
        }
        for (int connection = 0; connection < totals.length; connection++) {
            if (priced[connection]) {
                atLeastLevel[connection].setCoefficient(level, 0);
                atLeastLevel[connection].setLb(reached);
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
