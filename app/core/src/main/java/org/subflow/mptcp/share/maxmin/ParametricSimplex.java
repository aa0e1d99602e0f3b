// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.RowPrices;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * A parametric simplex method: rates of subflows follow the totals of connections as these move in a straight line.
 *
 * <p>Rates and slacks are the {@link BasicSolution} of a {@link GubBasis}. They move in proportion to the totals until one
 * of them reaches 0 and leaves the basis. Its line of the simplex tableau gives prices of rows. The variable with the
 * largest gain by these prices enters: a nonbasic subflow that is cheaper than the key of its connection, or the slack of a
 * tight row. If no variable has a gain, the prices prove that the totals cannot move further: they have hit a bottleneck.
 *
 * <p>A nonbasic subflow carries nothing, or a constant part of its connection's total ({@link #startWith}). In the second
 * case it is superbasic, as in B. Murtagh, M. Saunders, "Large-scale linearly constrained optimization", 1978: it may enter
 * to rise or to fall. Nonbasic subflows block no step, so good parts save pivots.
 *
 * <p>No objective distinguishes bases. Where many rates and slacks are 0 at once, the method could cycle without moving.
 * Then it perturbs these values until {@link #recompute} computes all of them anew.
 *
 * <p>A pivot is O(n² + entries of the priced rows) for n tight rows. Scaled units. Working state; not thread-safe.
 */
final class ParametricSimplex {
    /** A smaller gain is no safe pivot. */
    private static final double LEAST_GAIN = 1e-7;
    /** A nonbasic subflow begins without a smaller part of the total: taking it back would cost a pivot. */
    private static final double LEAST_PART = 0.03;
    /** With a larger error in W·W⁻¹, a step of Newton's method may not improve the inverse. */
    private static final double MOST_ERROR = 0.5;
    private static final int MOST_DEGENERATE_STEPS = 40;
    private static final int RECOMPUTE_AFTER = 64;
    /** After fewer pivots than this, a move in another direction recomputes speeds but not rates. */
    private static final int RECOMPUTE_FOR_NEW_SPEEDS = 16;
    private static final int PIVOTS_PER_UNKNOWN = 50;
    private static final int NONE = -1;

    final GubBasis basis;
    /** Totals, rates, fixed variables, and at a bottleneck the variable that can fall no further. */
    final BasicSolution solution;
    /** At a bottleneck, the prices that prove it. */
    final RowPrices prices;

    private final ScaledProblem problem;
    private int enteringRow;
    private int enteringSubflow;
    private double gain;
    /** Scratch: a line and a column of the tableau. */
    private double[] pivotRow = new double[16];
    private double[] column = new double[16];
    private long pivots;
    private final long mostPivots;
    private final long mostWork;
    private long work;
    private int sinceRecomputed;
    private int degenerateSteps;
    /** Whether rates and slacks are those of the totals, not perturbed. */
    private boolean recomputed;
    private boolean failed;

    /**
     * Begins with totals of 0; the first subflow of each connection is its key.
     *
     * @param mostWork gives up after so many multiplications, roughly
     */
    ParametricSimplex(ScaledProblem problem, long mostWork) {
        this(problem, new GubBasis(problem), mostWork);
    }

    private ParametricSimplex(ScaledProblem problem, GubBasis basis, long mostWork) {
        this.problem = problem;
        this.mostWork = mostWork;
        this.basis = basis;
        solution = new BasicSolution(problem, basis);
        prices = new RowPrices(problem);
        mostPivots = PIVOTS_PER_UNKNOWN * (problem.subflows() + problem.rows() + 1L);
    }

    /**
     * Returns an independent copy for a problem that begins with the same connections, subflows and rows. No variable is
     * fixed in it; new connections have totals of 0, split evenly.
     */
    ParametricSimplex copy(ScaledProblem more) {
        ParametricSimplex copy = new ParametricSimplex(more, basis.copy(more), mostWork);
        System.arraycopy(solution.total, 0, copy.solution.total, 0, solution.total.length);
        System.arraycopy(solution.part, 0, copy.solution.part, 0, solution.part.length);
        for (int c = solution.total.length; c < more.connections(); c++) {
            copy.splitEvenly(c);
        }
        return copy;
    }

    private void splitEvenly(int c) {
        int from = problem.first[c];
        int to = problem.first[c + 1];
        Arrays.fill(solution.part, from + 1, to, 1.0 / (to - from));
    }

    /** Frees all fixed variables. */
    void unfix() {
        Arrays.fill(solution.fixedSubflow, false);
        Arrays.fill(solution.fixedRow, false);
    }

    /** At a bottleneck, fixes the variable that can fall no further, so that it limits no step. */
    void fixBlocking() {
        if (solution.blockingSubflow == NONE) {
            solution.fixedRow[solution.blockingRow] = true;
        } else {
            solution.fixedSubflow[solution.blockingSubflow] = true;
        }
    }

    /** Begins with connections split over their subflows in the given parts; to be called before the first move. */
    void startWith(double[] parts) {
        for (int c = 0; c < basis.key.length; c++) {
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                basis.key[c] = parts[s] > parts[basis.key[c]] ? s : basis.key[c];
                solution.part[s] = parts[s] > LEAST_PART ? parts[s] : 0;
            }
            solution.part[basis.key[c]] = 0;
        }
    }

    /** Tells whether rounding, pivots or work ended the computation; rates and totals are then meaningless. */
    boolean failed() {
        return failed;
    }

    /** Tells whether work ended the computation. */
    boolean isExhausted() {
        return failed && work > mostWork;
    }

    /** Returns the number of pivots so far; an improvement of the inverse counts as one per tight row. */
    long pivots() {
        return pivots;
    }

    /**
     * Moves totals by {@code most} times {@code speeds}, or as far as the first bottleneck.
     *
     * @return whether totals moved by all of that; if not, {@link #prices} must be cleared before the next move
     */
    boolean moveTotals(double[] speeds, double most) {
        System.arraycopy(speeds, 0, solution.totalSpeed, 0, speeds.length);
        if (sinceRecomputed < RECOMPUTE_FOR_NEW_SPEEDS && recomputed) {
            solution.recomputeSpeeds();
        } else {
            recompute();
        }
        // Each connection that reaches its cap is such a move: of thousands, they take more than pivots do.
        work += problem.row.length;
        failed |= work > mostWork;
        double remaining = most;
        while (!failed) {
            double length = solution.ratioTest(remaining);
            if (length == Double.POSITIVE_INFINITY) {
                failed = true;
                return false;
            }
            solution.advance(length);
            remaining -= length;
            if (solution.blockingRow == NONE && solution.blockingSubflow == NONE) {
                return true;
            }
            if (work > mostWork) {
                failed = true;
                return false;
            }
            perturbIfDegenerate(length);
            if (!pivot()) {
                return false;
            }
        }
        return false;
    }

    /** Computes rates, slacks and their speeds anew from totals; improves the inverse if it is too inexact. */
    void recompute() {
        sinceRecomputed = 0;
        recomputed = true;
        if (!solution.recompute()) {
            // Refining costs as much as a pivot on each row.
            pivots += basis.size;
            work += (long) basis.size * basis.size * basis.size;
            failed |= !(basis.refine() < MOST_ERROR);
            solution.recompute();
        }
    }

    private void perturbIfDegenerate(double length) {
        degenerateSteps = length > BasicSolution.PERTURBATION ? 0 : degenerateSteps + 1;
        if (degenerateSteps == MOST_DEGENERATE_STEPS) {
            degenerateSteps = 0;
            sinceRecomputed = 0;
            recomputed = false;
            solution.perturb();
        }
    }

    /** Exchanges the variable that reached 0 for the one with the largest gain; returns false if none has a gain. */
    private boolean pivot() {
        failed |= ++pivots > mostPivots;
        work += (long) basis.size * basis.size + problem.subflows();
        if (solution.blockingSubflow != NONE && !makeWorking(solution.blockingSubflow)) {
            stopAtZero(problem.connectionOf[solution.blockingSubflow]);
            return true;
        }
        price();
        choose();
        if (gain == 0) {
            refinePrices();
            choose();
        }
        if (gain == 0) {
            return false;
        }
        prices.clear();
        column = basis.fit(column);
        if (enteringSubflow == NONE) {
            basis.columnOfSlack(enteringRow, column);
        } else {
            solution.enter(enteringSubflow);
            basis.columnOfSubflow(enteringSubflow, column);
        }
        solution.changeSpeeds(enteringRow, enteringSubflow, gain, column);
        exchange();
        if (++sinceRecomputed >= RECOMPUTE_AFTER) {
            recompute();
        }
        return true;
    }

    /** Sets the prices of rows to the tableau line of the variable that reached 0. */
    private void price() {
        pivotRow = basis.fit(pivotRow);
        double sign = 1;
        if (solution.blockingSubflow == NONE) {
            basis.rowOfSlack(solution.blockingRow, pivotRow);
            sign = -1;
            prices.set(solution.blockingRow, 1);
        } else {
            basis.rowOfSubflow(solution.blockingSubflow, pivotRow);
        }
        for (int i = 0; i < basis.size; i++) {
            if (Math.abs(pivotRow[i]) > Tolerances.ROUNDING) {
                prices.set(basis.tight[i], sign * pivotRow[i]);
            }
        }
    }

    /**
     * Makes a subflow a working subflow. If it is a key, the working sibling with the largest rate becomes the key.
     *
     * @return false if it is a key without a working sibling
     */
    private boolean makeWorking(int subflow) {
        int c = problem.connectionOf[subflow];
        if (basis.key[c] != subflow) {
            return true;
        }
        int largest = NONE;
        for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
            boolean larger = largest == NONE || solution.rate[s] > solution.rate[largest];
            if (larger && basis.isWorking(s) && !solution.fixedSubflow[s]) {
                largest = s;
            }
        }
        if (largest != NONE) {
            basis.swapKey(largest);
        }
        return largest != NONE;
    }

    private void stopAtZero(int c) {
        solution.total[c] = 0;
        solution.totalSpeed[c] = 0;
        recompute();
    }

    /**
     * Chooses the entering variable, the one with the largest {@link #gain} per unit. The gain is 0 if there is none, and
     * below 0 if a superbasic subflow enters to fall.
     */
    private void choose() {
        gain = 0;
        enteringRow = NONE;
        enteringSubflow = chooseSubflow();
        if (enteringSubflow != NONE) {
            gain = prices.pays[basis.key[problem.connectionOf[enteringSubflow]]] - prices.pays[enteringSubflow];
        }
        double most = Math.max(LEAST_GAIN, Math.abs(gain));
        for (int i = 0; i < prices.rowCount; i++) {
            int r = prices.row[i];
            if (-prices.price[r] > most && !solution.fixedRow[r]) {
                most = -prices.price[r];
                gain = most;
                enteringRow = r;
                enteringSubflow = NONE;
            }
        }
    }

    /** Returns the nonbasic subflow with the largest gain, or −1. Local copies of fields make this hot loop faster. */
    private int chooseSubflow() {
        double[] pays = prices.pays;
        double[] part = solution.part;
        boolean[] fixed = solution.fixedSubflow;
        int[] first = problem.first;
        int[] key = basis.key;
        int payers = prices.payers();
        double most = LEAST_GAIN;
        int chosen = NONE;
        for (int i = 0; i < payers; i++) {
            int c = prices.payer[i];
            double keyPays = pays[key[c]];
            for (int s = first[c]; s < first[c + 1]; s++) {
                double saving = keyPays - pays[s];
                if (Math.abs(saving) > most && (saving > 0 || part[s] > 0) && !fixed[s] && !basis.isWorking(s)) {
                    most = Math.abs(saving);
                    chosen = s;
                }
            }
        }
        return chosen;
    }

    /** Corrects rounding in the prices: each working subflow costs what its key costs, the leaving one 1 more. */
    private void refinePrices() {
        column = basis.fit(column);
        for (int p = 0; p < basis.size; p++) {
            int s = basis.working[p];
            int key = basis.key[problem.connectionOf[s]];
            column[p] = (s == solution.blockingSubflow ? 1 : 0) + prices.pays[key] - prices.pays[s];
        }
        pivotRow = basis.fit(pivotRow);
        basis.solveTransposed(column, pivotRow);
        double[] refined = prices.price.clone();
        for (int i = 0; i < basis.size; i++) {
            refined[basis.tight[i]] += pivotRow[i];
        }
        prices.setAll(refined);
    }

    private void exchange() {
        if (solution.blockingSubflow == NONE) {
            if (enteringSubflow == NONE) {
                basis.exchangeRow(solution.blockingRow, enteringRow, pivotRow);
            } else {
                basis.grow(solution.blockingRow, enteringSubflow, pivotRow, column, gain);
            }
        } else if (enteringSubflow == NONE) {
            basis.shrink(enteringRow, solution.blockingSubflow, column);
        } else {
            basis.exchangeSubflow(solution.blockingSubflow, enteringSubflow, column);
        }
    }
}
