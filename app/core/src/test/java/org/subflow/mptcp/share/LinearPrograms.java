// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.Optional;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;
import org.ojalgo.type.context.NumberContext;

/**
 * Max-min fairness as textbooks compute it: one linear program per level, and one per connection to see who is stopped.
 *
 * <p>The result of one program is a limit in the next, which is infeasible if rounding made the result too high. So the
 * programs allow for a small slack, and for a larger one if that is not enough. One answer of ojAlgo in some thousands
 * violates its own program; such a program is solved by another algorithm. If that fails too, there is no answer.
 */
final class LinearPrograms {
    private static final double SAME = 1e-7;
    private static final double LEAST_SLACK = 1e-9;
    private static final double MOST_SLACK = 2e-7;
    private static final Boolean[] WAYS = {null, true, false};
    private static final NumberContext FEASIBLE = NumberContext.of(8);

    private LinearPrograms() {
    }

    /** Returns the max-min fair total of each connection in bit/s; nothing if the solver fails. */
    static Optional<double[]> maxMin(SharingProblem problem) {
        int connections = problem.connectionCount();
        double[] fixed = new double[connections];
        Arrays.fill(fixed, Double.NaN);
        while (Arrays.stream(fixed).anyMatch(Double::isNaN)) {
            double level = solve(problem, fixed, -1, 0);
            if (Double.isNaN(level)) {
                return Optional.empty();
            }
            boolean[] stopped = new boolean[connections];
            boolean some = false;
            for (int c = 0; c < connections; c++) {
                if (Double.isNaN(fixed[c])) {
                    double most = solve(problem, fixed, c, level);
                    if (Double.isNaN(most)) {
                        return Optional.empty();
                    }
                    stopped[c] = most <= problem.weight(c) * level * (1 + SAME) + SAME;
                    some |= stopped[c];
                }
            }
            if (!some) {
                return Optional.empty();
            }
            for (int c = 0; c < connections; c++) {
                fixed[c] = stopped[c] ? problem.weight(c) * level : fixed[c];
            }
        }
        return Optional.of(Arrays.stream(fixed).map(mbps -> mbps * Problems.MBPS).toArray());
    }

    /**
     * Maximises the common level of all that are not fixed, or one connection's total with all others at the level.
     *
     * @return not a number if there is no answer that holds
     */
    private static double solve(SharingProblem problem, double[] fixed, int one, double level) {
        for (double slack = LEAST_SLACK; slack <= MOST_SLACK; slack *= 10) {
            for (Boolean sparse : WAYS) {
                ExpressionsBasedModel model = model(problem, fixed, one, level, slack);
                model.options.sparse = sparse;
                Optimisation.Result result = model.maximise();
                if (result.getState().isOptimal() && model.validate(result, FEASIBLE)) {
                    return result.getValue();
                }
            }
        }
        return Double.NaN;
    }

    private static ExpressionsBasedModel model(SharingProblem problem, double[] fixed, int one, double level, double slack) {
        ExpressionsBasedModel model = new ExpressionsBasedModel();
        Variable objective = model.newVariable("objective").lower(0).weight(1);
        Variable[] rate = new Variable[problem.subflowCount()];
        for (int s = 0; s < rate.length; s++) {
            rate[s] = model.newVariable("x" + s).lower(0);
        }
        Expression[] arc = new Expression[problem.arcCount()];
        for (int a = 0; a < arc.length; a++) {
            arc[a] = model.newExpression("arc" + a).upper(problem.capacity(a) / Problems.MBPS);
        }
        for (int c = 0; c < fixed.length; c++) {
            Expression total = model.newExpression("total" + c);
            Expression cap = model.newExpression("cap" + c);
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                total.set(rate[s], 1);
                cap.set(rate[s], 1);
                for (int h = 0; h < problem.hops(s); h++) {
                    arc[problem.arc(s, h)].set(rate[s], 1);
                }
            }
            if (problem.cap(c) < Problems.NONE) {
                cap.upper(problem.cap(c) / Problems.MBPS);
            }
            if (!Double.isNaN(fixed[c])) {
                total.lower(fixed[c] * (1 - slack));
            } else if (c == one) {
                total.set(objective, -1);
                total.lower(0);
            } else if (one >= 0) {
                total.lower(problem.weight(c) * level * (1 - slack));
            } else {
                total.set(objective, -problem.weight(c));
                total.lower(0);
            }
        }
        return model;
    }
}
