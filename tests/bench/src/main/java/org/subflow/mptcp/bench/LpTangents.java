// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Proportional fairness, max Σ log(rate), with linear programs. The logarithm lies below its tangents, so each program gives
 * an upper bound. Where its solution is too far above the logarithm, it adds a tangent (J. E. Kelley's cutting planes, 1960).
 *
 * <p>Tried in OR-tools' library (9.14), for 300 connections: the dual simplex of GLOP (1.3 s) and of Clp (1.4 s), Clp's primal
 * simplex (1.4 s), and HiGHS, which starts each program from scratch (3.5 s). The library has no conic solver;
 * {@link ConicProgram} is faster. This one needs no Python, and checks ours in the unit tests.
 */
final class LpTangents {
    /** Largest gap to the upper bound, as a mean of log(rate) over the connections: 0.1 % of the rate. */
    private static final double ACCURACY = 1e-3;
    private static final String SOLVER = "GLOP";
    private static final double NARROWEST = 1;
    private static final double WIDEST = 1024;
    private static final double EXACTNESS = 1e-6;

    private final SharingProblem problem;
    private final LpModel model;
    private final MPVariable[] utilities;

    /** Answers all problems with programs of their own. */
    static final class Peer implements ProportionalPeer {
        private final List<SharingProblem> problems = new ArrayList<>();
        private Answer answer;

        @Override
        public void add(SharingProblem problem) {
            problems.add(problem);
        }

        @Override
        public double solve(int number) {
            answer = LpTangents.solve(problems.get(number));
            return answer.limit();
        }

        @Override
        public Answer answer() {
            return answer;
        }

        @Override
        public void close() {
            // Each program is closed once it is solved.
        }
    }

    private LpTangents(SharingProblem problem, LpModel model) {
        this.problem = problem;
        this.model = model;
        this.utilities = model.solver.makeNumVarArray(problem.connectionCount(), -MPSolver.infinity(), MPSolver.infinity());
        model.solver.objective().setMaximization();
        for (int connection = 0; connection < utilities.length; connection++) {
            model.solver.objective().setCoefficient(utilities[connection], 1);
            for (double rate = NARROWEST; rate <= WIDEST; rate *= 2) {
                addTangent(connection, rate);
            }
        }
    }

    /** Solves until the solution is close enough to the upper bound. */
    private static ProportionalPeer.Answer solve(SharingProblem problem) {
        try (LpModel model = new LpModel(SOLVER, LpModel.Method.DUAL, problem)) {
            return new LpTangents(problem, model).solve();
        }
    }

    private ProportionalPeer.Answer solve() {
        while (true) {
            model.solve();
            double limit = model.solver.objective().value();
            double[] totals = new double[utilities.length];
            double reached = 0;
            for (int connection = 0; connection < totals.length; connection++) {
                totals[connection] = model.total(connection);
                reached += Math.log(totals[connection]);
            }
            if (limit - reached <= ACCURACY * problem.connectionCount()) {
                return new ProportionalPeer.Answer(reached, limit, EXACTNESS);
            }
            refine(totals);
        }
    }

    private void refine(double[] totals) {
        double[] values = new double[utilities.length];
        // Reads all values first: a change of the program discards them.
        for (int connection = 0; connection < values.length; connection++) {
            values[connection] = utilities[connection].solutionValue();
        }
        for (int connection = 0; connection < values.length; connection++) {
            if (values[connection] - Math.log(totals[connection]) > ACCURACY / 2) {
                addTangent(connection, totals[connection]);
            }
        }
    }

    /** Adds utility ≤ log(at) + (rate − at) / at, times {@code at}. */
    private void addTangent(int connection, double at) {
        model.atLeast(connection, -at, utilities[connection], at * (1 - Math.log(at)));
    }
}
