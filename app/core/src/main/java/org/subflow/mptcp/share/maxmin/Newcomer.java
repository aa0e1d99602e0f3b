// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * The max-min fair total of one connection that is appended to a solved problem, while another may leave. Scheme:
 * <ol>
 * <li>the cuts of the solved problem hold again, extended by the newcomer;
 * <li>{@link CuttingPlaneMaxMin} moves a copy of the simplex to totals that are fair up to the newcomer's level;
 * <li>the cuts prove the total. The answer counts if no connection is below its fair total by more than 10⁻⁶ of it.
 * </ol>
 * The solved problem stays as it is. The rates of connections above the newcomer's level, and the split over subflows, are
 * not computed.
 */
public final class Newcomer {
    private final MaxMinSolver solved;
    private final ScaledProblem extended;
    private final int newcomer;
    private final int leaving;

    private Newcomer(MaxMinSolver solved, ScaledProblem extended, int leaving) {
        this.solved = solved;
        this.extended = extended;
        this.newcomer = extended.connections() - 1;
        this.leaving = leaving;
    }

    /**
     * Computes the total of a newcomer.
     *
     * @param solved   the solver of the problem without the newcomer
     * @param extended the same problem with the newcomer as its last connection
     * @param leaving  the connection that leaves, or −1
     * @return its total in scaled units; not a number if the method did not converge or the newcomer has no bound
     */
    public static double total(MaxMinSolver solved, ScaledProblem extended, int leaving) {
        return new Newcomer(solved, extended, leaving).total();
    }

    private double total() {
        double[] own = Arrays.copyOf(solved.own(), extended.connections());
        own[newcomer] = MaxMinSolver.ownBound(extended, newcomer);
        if (own[newcomer] == Double.POSITIVE_INFINITY) {
            return Double.NaN;
        }
        if (leaving >= 0) {
            own[leaving] = 0;
        }
        CuttingPlaneMaxMin method = new CuttingPlaneMaxMin(extended, solved.simplex().copy(extended));
        addCuts(method);
        double[] fair = method.converge(own, newcomer);
        return fair == null ? Double.NaN : proved(method.simplex().solution.rate, fair);
    }

    /** Extends the cuts that hold in the solved problem by the newcomer. */
    private void addCuts(CuttingPlaneMaxMin method) {
        double[] price = new double[extended.rows()];
        for (int k = 0; k < solved.cuts().size(); k++) {
            if (solved.levels().level[k] > 0) {
                Cut cut = solved.cuts().get(k);
                method.add(cut.with(newcomer, cheapest(cut, price)));
            }
        }
    }

    /** Returns the price of the newcomer's cheapest subflow; {@code price} is all zeros, before and after. */
    private double cheapest(Cut cut, double[] price) {
        for (int i = 0; i < cut.row.length; i++) {
            price[cut.row[i]] = cut.price[i];
        }
        double least = Double.POSITIVE_INFINITY;
        for (int s = extended.first[newcomer]; s < extended.first[newcomer + 1]; s++) {
            double pays = 0;
            for (int i = extended.rowStart[s]; i < extended.rowStart[s + 1]; i++) {
                pays += price[extended.row[i]];
            }
            least = Math.min(least, pays);
        }
        for (int r : cut.row) {
            price[r] = 0;
        }
        return least;
    }

    /** Returns the newcomer's total; not a number if a connection is too far below its fair total. */
    private double proved(double[] rates, double[] fair) {
        extended.fit(rates);
        double[] totals = extended.totals(rates);
        boolean accepted = true;
        for (int c = 0; c < fair.length; c++) {
            accepted &= c == leaving || totals[c] >= (1 - MaxMinSolver.ACCEPTED) * fair[c];
        }
        return accepted ? totals[newcomer] : Double.NaN;
    }
}
