// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * Proportional fairness by linear programs alone: the logarithm is bounded by its tangents, with one more for each
 * connection where the last program had its rate (J. Kelley, 1960). Slow, and nothing in common with what it is to check.
 */
final class TangentPrograms {
    private static final double GAP = 1e-7;
    private static final int MOST_ROUNDS = 60;

    private final SharingProblem problem;
    private final boolean[] counts;
    private final double weights;
    private final ExpressionsBasedModel model = new ExpressionsBasedModel();
    private final Variable[] rate;
    private final Variable[] logarithm;
    private int tangents;

    /** What the weighted mean of log(rate in Mbit/s) can be at most, and what a solution reaches. */
    final double limit;
    final double reached;

    /**
     * Solves.
     *
     * @param counts who can send at all
     */
    TangentPrograms(SharingProblem problem, boolean[] counts) {
        this.problem = problem;
        this.counts = counts;
        rate = new Variable[problem.subflowCount()];
        logarithm = new Variable[problem.connectionCount()];
        double sum = 0;
        for (int c = 0; c < counts.length; c++) {
            sum += counts[c] ? problem.weight(c) : 0;
        }
        weights = sum;
        build();
        double best = Double.NEGATIVE_INFINITY;
        double bound = Double.POSITIVE_INFINITY;
        for (int round = 0; round < MOST_ROUNDS && bound - best > GAP; round++) {
            Optimisation.Result result = model.maximise();
            if (!result.getState().isOptimal()) {
                throw new AssertionError("linear program is " + result.getState());
            }
            bound = Math.min(bound, result.getValue() / weights);
            best = Math.max(best, tangentsAtSolution() / weights);
        }
        limit = bound;
        reached = best;
    }

    private void build() {
        Expression[] arc = new Expression[problem.arcCount()];
        for (int a = 0; a < arc.length; a++) {
            arc[a] = model.newExpression("arc" + a).upper(problem.capacity(a) / Problems.MBPS);
        }
        for (int c = 0; c < counts.length; c++) {
            Expression cap = model.newExpression("cap" + c);
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                rate[s] = model.newVariable("x" + s).lower(0);
                cap.set(rate[s], 1);
                for (int h = 0; h < problem.hops(s); h++) {
                    arc[problem.arc(s, h)].set(rate[s], 1);
                }
            }
            if (problem.cap(c) < Problems.NONE) {
                cap.upper(problem.cap(c) / Problems.MBPS);
            }
            if (counts[c]) {
                logarithm[c] = model.newVariable("log" + c).weight(problem.weight(c));
                for (double at = 0.01; at < 500; at *= 3) {
                    addTangent(c, at);
                }
            }
        }
    }

    /** Bounds the logarithm of a connection by the tangent at a rate in Mbit/s. */
    private void addTangent(int c, double at) {
        Expression tangent = model.newExpression("tangent" + tangents++).upper(Math.log(at) - 1);
        tangent.set(logarithm[c], 1);
        for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
            tangent.set(rate[s], -1 / at);
        }
    }

    /** Adds a tangent for each connection; returns the sum of w·log(rate) there. */
    private double tangentsAtSolution() {
        double value = 0;
        for (int c = 0; c < counts.length; c++) {
            if (counts[c]) {
                double total = 0;
                for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                    total += rate[s].getValue().doubleValue();
                }
                value += problem.weight(c) * Math.log(total);
                addTangent(c, Math.max(total, 1e-3));
            }
        }
        return value;
    }
}
