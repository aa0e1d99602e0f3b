// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;
import org.subflow.mptcp.share.SharingProblem;

/**
 * A sharing problem as a linear program for a solver in OR-tools' library: a rate for each subflow, A·x ≤ b, in Mbit/s so that
 * numbers are near 1. The caller adds the objective. Connections have weight 1 and no cap here.
 *
 * <p>One solver serves all calls of {@link #solve}, so that each starts from the last basis.
 */
final class LpModel implements AutoCloseable {
    private static final double MEGABIT = 1e6;

    final MPSolver solver;
    private final MPSolverParameters parameters;
    private final SharingProblem problem;
    private final MPVariable[] rates;

    /** The simplex. */
    enum Method {
        /** Faster if a limit is loosened between two solutions. */
        PRIMAL,
        /** Faster if limits are added between two solutions. */
        DUAL;

        /** The library must be loaded before. */
        private int swigValue() {
            return (this == PRIMAL ? MPSolverParameters.LpAlgorithmValues.PRIMAL : MPSolverParameters.LpAlgorithmValues.DUAL)
                    .swigValue();
        }
    }

    /**
     * Makes the model.
     *
     * @param solver  name of a solver in OR-tools' library
     * @param method  of the simplex
     * @param problem connections and capacities
     */
    LpModel(String solver, Method method, SharingProblem problem) {
        Loader.loadNativeLibraries();
        this.problem = problem;
        this.parameters = new MPSolverParameters();
        parameters.setIntegerParam(MPSolverParameters.IntegerParam.LP_ALGORITHM, method.swigValue());
        // Presolve would run again for each solution, and takes longer than it saves.
        parameters.setIntegerParam(MPSolverParameters.IntegerParam.PRESOLVE,
                MPSolverParameters.PresolveValues.PRESOLVE_OFF.swigValue());
        this.solver = MPSolver.createSolver(solver);
        this.rates = this.solver.makeNumVarArray(problem.subflowCount(), 0, MPSolver.infinity());
        MPConstraint[] arcs = new MPConstraint[problem.arcCount()];
        for (int subflow = 0; subflow < rates.length; subflow++) {
            for (int hop = 0; hop < problem.hops(subflow); hop++) {
                int arc = problem.arc(subflow, hop);
                if (arcs[arc] == null) {
                    arcs[arc] = this.solver.makeConstraint(-MPSolver.infinity(), problem.capacity(arc) / MEGABIT);
                }
                arcs[arc].setCoefficient(rates[subflow], 1);
            }
        }
    }

    /** Adds {@code Σ rates of a connection + factor·variable ≥ least} and returns it. */
    MPConstraint atLeast(int connection, double factor, MPVariable variable, double least) {
        MPConstraint constraint = solver.makeConstraint(least, MPSolver.infinity());
        for (int subflow = problem.firstSubflow(connection); subflow < problem.firstSubflow(connection + 1); subflow++) {
            constraint.setCoefficient(rates[subflow], 1);
        }
        constraint.setCoefficient(variable, factor);
        return constraint;
    }

    /** Solves the program as it is now. A solver sometimes fails from the last basis; then it starts from scratch. */
    void solve() {
        MPSolver.ResultStatus status = solver.solve(parameters);
        if (status != MPSolver.ResultStatus.OPTIMAL) {
            solver.reset();
            status = solver.solve(parameters);
        }
        if (status != MPSolver.ResultStatus.OPTIMAL) {
            throw new IllegalStateException("the solver says " + status);
        }
    }

    /** Returns the rate of a connection in the last solution, in Mbit/s. */
    double total(int connection) {
        double total = 0;
        for (int subflow = problem.firstSubflow(connection); subflow < problem.firstSubflow(connection + 1); subflow++) {
            total += rates[subflow].solutionValue();
        }
        return total;
    }

    @Override
    public void close() {
        solver.delete();
    }
}
