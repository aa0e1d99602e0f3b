// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * The rates that are the same in every split of given totals. From a basic solution, all other splits differ by nonbasic subflows
 * that are not empty and by slacks of tight rows that are not full. A rate that follows none of these is known.
 *
 * <p>In a bottleneck that holds connections with as many equations as subflows in use, all are known. A
 * {@link org.subflow.mptcp.share.split.LeastSquaresSplit} would take long to find just these.
 */
final class KnownRates {
    /** Entries of the tableau up to this are rounding: others are 10⁻³ and more. */
    private static final double ROUNDING = 1e-10;
    /** Per tight row. Where more is free, little is known, and the split finds it soon. */
    private static final int MOST_DIRECTIONS = 4;

    final boolean[] known;
    final double[] rates;

    private final ScaledProblem problem;
    private final GubBasis basis;
    private double[] column = {};

    /**
     * Finds known rates.
     *
     * @param simplex at the totals
     * @param full    rows that are full in every split
     * @param empty   subflows that are empty in every split
     */
    KnownRates(ScaledProblem problem, ParametricSimplex simplex, boolean[] full, boolean[] empty) {
        this.problem = problem;
        this.basis = simplex.basis;
        known = empty.clone();
        rates = new double[empty.length];
        column = basis.fit(column);
        if (directions(full, empty) <= MOST_DIRECTIONS * basis.size) {
            Arrays.fill(known, true);
            follow(full, empty);
            for (int s = 0; s < known.length; s++) {
                known[s] |= empty[s];
                rates[s] = known[s] && !empty[s] ? Math.max(0, simplex.solution.rate[s]) : 0;
            }
        }
    }

    private int directions(boolean[] full, boolean[] empty) {
        int count = 0;
        for (int s = 0; s < empty.length; s++) {
            count += isFree(s, empty) ? 1 : 0;
        }
        for (int i = 0; i < basis.size; i++) {
            count += full[basis.tight[i]] ? 0 : 1;
        }
        return count;
    }

    private boolean isFree(int subflow, boolean[] empty) {
        return !empty[subflow] && !basis.isWorking(subflow) && basis.key[problem.connectionOf[subflow]] != subflow;
    }

    private void follow(boolean[] full, boolean[] empty) {
        for (int s = 0; s < empty.length; s++) {
            if (isFree(s, empty)) {
                basis.columnOfSubflow(s, column);
                free(s);
                markFollowing();
            }
        }
        for (int i = 0; i < basis.size; i++) {
            if (!full[basis.tight[i]]) {
                basis.columnOfSlack(basis.tight[i], column);
                markFollowing();
            }
        }
    }

    private void markFollowing() {
        for (int p = 0; p < basis.size; p++) {
            if (Math.abs(column[p]) > ROUNDING) {
                free(basis.working[p]);
            }
        }
    }

    private void free(int subflow) {
        known[subflow] = false;
        known[basis.key[problem.connectionOf[subflow]]] = false;
    }
}
