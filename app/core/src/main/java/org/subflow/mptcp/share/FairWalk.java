// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayList;
import java.util.List;

/**
 * The way from totals that are feasible to those that are max-min fair. Scheme:
 * <ol>
 * <li>{@link WaterFilling} says what is fair under the cuts there are;
 * <li>walk there in a straight line; if there is a wall on the way, its prices are one more cut: again;
 * <li>what is reached is fair under fewer limits than there are, and feasible: so it is fair.
 * </ol>
 *
 * <p>Where only one connection matters it is enough to be right up to its level, for the cut that stops it holds nobody
 * above: who is above need only have no less than that. They keep what they have, but for what the cuts forbid; and if
 * walls come one after the other they make way, more and more, as cuts found from the midst of what is feasible are deeper
 * (in-out separation, W. Ben-Ameur, J. Neto, 2007).
 */
final class FairWalk {
    /** Every connection matters. */
    static final int ALL = -1;
    private static final int MOST_WALLS = 20;
    private static final int MOST_WALLS_FOR_ONE = 30;
    /** What part of what is above the level is given up after the first wall; twice as much after each other. */
    private static final double FIRST_WAY = 0.02;
    private static final int MOST_LOCKS = 20;

    private final Rows rows;
    private final RateSimplex simplex;
    private final List<Cut> cuts = new ArrayList<>();
    private final RowPrices prices;
    private final double[] speed;

    FairWalk(Rows rows, RateSimplex simplex) {
        this.rows = rows;
        this.simplex = simplex;
        prices = new RowPrices(rows);
        speed = new double[rows.connections()];
    }

    /** Adds a cut of these rows, if it holds anybody. */
    void add(Cut cut) {
        if (cut.connection.length > 0) {
            cuts.add(cut);
        }
    }

    RateSimplex simplex() {
        return simplex;
    }

    /** Returns the cuts added and those found on the way. */
    List<Cut> cuts() {
        return cuts;
    }

    /**
     * Walks until totals are fair.
     *
     * @param own  bound of each connection of its own
     * @param whom the connection that matters, or {@link #ALL}
     * @return the totals reached, but for rounding: fair for whoever has no higher level than the one that matters; null if
     *     it did not come there
     */
    double[] converge(double[] own, int whom) {
        for (int walls = 0; walls < (whom == ALL ? MOST_WALLS : MOST_WALLS_FOR_ONE); walls++) {
            double[] target = new WaterFilling(rows, own, cuts).total;
            if (whom != ALL) {
                keepAbove(target[whom] / rows.weight[whom], walls, target);
            }
            Cut wall = walk(target);
            if (simplex.broken()) {
                return null;
            }
            if (wall == null) {
                System.arraycopy(target, 0, simplex.moving.total, 0, target.length);
                simplex.settle();
                return simplex.broken() ? null : target;
            }
            simplex.unlock();
            add(wall);
        }
        return null;
    }

    private void keepAbove(double level, int walls, double[] target) {
        double way = walls == 0 ? 0 : Math.min(1, FIRST_WAY * Math.scalb(1, walls - 1));
        for (int c = 0; c < target.length; c++) {
            double least = level * rows.weight[c];
            if (target[c] > least) {
                double now = simplex.moving.total[c];
                target[c] = Math.max(least, Math.min(target[c], now + way * (least - now)));
            }
        }
    }

    /** Walks towards a target; returns the wall on the way, or null if it went all the way or rounding made an end of it. */
    private Cut walk(double[] target) {
        Cut wall = null;
        for (int locks = 0; locks < MOST_LOCKS; locks++) {
            for (int c = 0; c < speed.length; c++) {
                speed[c] = target[c] - simplex.moving.total[c];
            }
            if (simplex.walk(speed, 1) || simplex.broken()) {
                return null;
            }
            wall = wall();
            if (forbidden(wall, target) > Tolerances.ROUNDING * wall.bound) {
                return wall;
            }
            simplex.lockWall();
        }
        return wall;
    }

    private Cut wall() {
        double largest = simplex.prices.largest();
        prices.clear();
        for (int i = 0; i < simplex.prices.rowCount; i++) {
            int r = simplex.prices.row[i];
            if (simplex.prices.price[r] > 0) {
                prices.set(r, simplex.prices.price[r] / largest);
            }
        }
        simplex.prices.clear();
        return Cut.of(rows, prices);
    }

    /** Returns by how much totals are beyond a cut. */
    private static double forbidden(Cut cut, double[] totals) {
        double beyond = -cut.bound;
        for (int i = 0; i < cut.connection.length; i++) {
            beyond += cut.factor[i] * totals[cut.connection[i]];
        }
        return beyond;
    }
}
