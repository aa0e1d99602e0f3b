// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.List;

/**
 * Max-min fair totals of the next version of a problem, from where the sweep over the last one ended.
 *
 * <p>The cuts that held then hold again, for whom is there now: where to go from there see {@link FairWalk}.
 */
final class Resumption {
    private final Rows rows;
    private final FairWalk walk;
    private final RowPrices prices;
    private final double[] splitPrices;

    private Resumption(Rows rows, RateSimplex simplex) {
        this.rows = rows;
        walk = new FairWalk(rows, simplex);
        prices = new RowPrices(rows);
        splitPrices = new double[rows.rows()];
    }

    /**
     * Goes on from a version that differs in some connections or their weights and caps.
     *
     * @param before what solved the last version; its simplex is of no use afterwards
     * @param own    bound of each connection of its own
     * @return null if it could not be done
     */
    static Resumption of(MaxMinSolver before, Rows rows, double[] own) {
        Match match = new Match(before.rows(), rows);
        if (before.simplex().broken() || !match.sameLimits() || 2 * match.found < rows.connections()
                || !retire(before.simplex(), match)) {
            return null;
        }
        RateSimplex simplex = RateSimplex.after(before.simplex(), rows, match);
        if (simplex == null) {
            return null;
        }
        Resumption resumption = new Resumption(rows, simplex);
        for (int k = 0; k < before.cuts().size(); k++) {
            if (before.levels().level[k] > 0) {
                resumption.takeOver(before.cuts().get(k), match);
            }
        }
        for (int r = 0; r < match.newRow.length; r++) {
            if (match.newRow[r] >= 0) {
                resumption.splitPrices[match.newRow[r]] = before.split().prices()[r];
            }
        }
        return resumption.walk.converge(own, FairWalk.ALL) == null ? null : resumption;
    }

    /** Returns the prices by which the last version was split. */
    double[] splitPrices() {
        return splitPrices;
    }

    RateSimplex simplex() {
        return walk.simplex();
    }

    List<Cut> cuts() {
        return walk.cuts();
    }

    /** Takes those who are gone out of the old version. */
    private static boolean retire(RateSimplex before, Match match) {
        before.unlock();
        double[] speed = new double[match.stays.length];
        boolean some = false;
        for (int c = 0; c < speed.length; c++) {
            speed[c] = match.stays[c] ? 0 : -before.moving.total[c];
            some |= !match.stays[c];
        }
        if (some && !before.walk(speed, 1)) {
            return false;
        }
        for (int c = 0; c < speed.length; c++) {
            if (!match.stays[c]) {
                before.expel(c);
            }
        }
        return true;
    }

    private void takeOver(Cut old, Match match) {
        prices.clear();
        for (int i = 0; i < old.row.length; i++) {
            int r = match.newRow[old.row[i]];
            if (r < 0) {
                return;
            }
            prices.set(r, old.price[i]);
        }
        walk.add(Cut.of(rows, prices));
    }
}
