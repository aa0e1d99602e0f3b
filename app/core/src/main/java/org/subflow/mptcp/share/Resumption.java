// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayList;
import java.util.List;

/**
 * Max-min fair totals of the next version of a problem, from where the sweep over the last one ended.
 *
 * <p>The cuts that held then hold again, for whom is there now. Scheme:
 * <ol>
 * <li>{@link WaterFilling} says what is fair under the cuts there are;
 * <li>walk there in a straight line; if there is a wall on the way, its prices are one more cut: again;
 * <li>what is reached is fair under fewer limits than there are, and feasible: so it is fair.
 * </ol>
 */
final class Resumption {
    private static final int MOST_WALLS = 20;

    private final Rows rows;
    private final RateSimplex simplex;
    private final List<Cut> cuts = new ArrayList<>();
    private final RowPrices prices;
    private final double[] splitPrices;
    private int walls;

    private Resumption(Rows rows, RateSimplex simplex) {
        this.rows = rows;
        this.simplex = simplex;
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
        return resumption.converge(own) ? resumption : null;
    }

    /** Returns the prices by which the last version was split. */
    double[] splitPrices() {
        return splitPrices;
    }

    RateSimplex simplex() {
        return simplex;
    }

    List<Cut> cuts() {
        return cuts;
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
        addCut();
    }

    private void addCut() {
        Cut cut = Cut.of(rows, prices);
        if (cut.connection.length > 0) {
            cuts.add(cut);
        }
    }

    private boolean converge(double[] own) {
        double[] speed = new double[rows.connections()];
        while (walls < MOST_WALLS) {
            double[] fair = new WaterFilling(rows, own, cuts).total;
            for (int c = 0; c < speed.length; c++) {
                speed[c] = fair[c] - simplex.moving.total[c];
            }
            if (simplex.walk(speed, 1)) {
                System.arraycopy(fair, 0, simplex.moving.total, 0, fair.length);
                simplex.settle();
                return !simplex.broken();
            }
            if (simplex.broken()) {
                return false;
            }
            walls++;
            double largest = simplex.prices.largest();
            prices.clear();
            for (int i = 0; i < simplex.prices.rowCount; i++) {
                int r = simplex.prices.row[i];
                if (simplex.prices.price[r] > 0) {
                    prices.set(r, simplex.prices.price[r] / largest);
                }
            }
            simplex.prices.clear();
            addCut();
        }
        return false;
    }
}
