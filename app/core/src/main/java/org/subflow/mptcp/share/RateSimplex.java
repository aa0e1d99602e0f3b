// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * Rates of subflows that follow the totals of connections as these move along a straight line: a parametric simplex
 * method.
 *
 * <p>Rates and slacks ({@link MovingRates}) are those of a {@link RouteBasis}, so they move in proportion to the totals
 * until one of them comes down to 0. That one leaves the basis, and what relieves it most per unit enters: an idle
 * subflow that pays less than the key of its connection, or the slack of a tight row, by the prices that the leaving
 * one's equation puts on rows. If nothing relieves it, these prices prove that the totals can go no further: the walk is
 * at a wall.
 *
 * <p>An idle subflow carries nothing, or a fixed part of its connection's total as it was given at first ({@link #spread}).
 * In the second case it may enter the basis to fall as well as to rise. What is idle blocks nothing, so the nearer these
 * parts are to those of the end, the fewer pivots: superbasic variables, as in B. Murtagh, M. Saunders, "Large-scale
 * linearly constrained optimization", 1978.
 *
 * <p>There is no objective, so any basis is as good as another. Where many rates and slacks are 0 at once the walk could
 * turn in circles without moving: then each 0 is lifted by a trifle of its own, until {@link #settle} computes all of
 * them anew.
 *
 * <p>A pivot is O(n² + entries of the priced rows) for n tight rows. Scaled units. Working state; not thread-safe.
 */
final class RateSimplex {
    /** What relieves by less than this per unit is no safe pivot. */
    private static final double LEAST_GAIN = 1e-7;
    /** A part of a total below this is not worth a pivot to take it back. */
    private static final double LEAST_PART = 0.03;
    private static final double BROKEN = 0.5;
    private static final int STANDSTILL = 40;
    private static final int SETTLE_AFTER = 64;
    /** After fewer pivots than this a walk in another direction computes speeds anew, but not rates. */
    private static final int SETTLE_FOR_TURN = 16;
    private static final int PIVOTS_PER_UNKNOWN = 50;
    private static final int NONE = -1;

    final RouteBasis basis;
    /** Totals, rates, what neither enters nor blocks, and at a wall what can fall no further. */
    final MovingRates moving;
    /** At a wall, the proof. */
    final RowPrices prices;

    private final Rows rows;
    private int enteringRow;
    private int enteringSubflow;
    private double gain;
    /** Scratch: per tight row, per extra subflow. */
    private double[] change = new double[16];
    private double[] fall = new double[16];
    private long pivots;
    private int sinceSettled;
    private int standing;
    /** Whether rates and slacks are those of the totals. */
    private boolean settled;
    private boolean broken;

    /** Begins with totals of 0, each connection with the first of its subflows as key. */
    RateSimplex(Rows rows) {
        this(rows, new RouteBasis(rows));
    }

    private RateSimplex(Rows rows, RouteBasis basis) {
        this.rows = rows;
        this.basis = basis;
        moving = new MovingRates(rows, basis);
        prices = new RowPrices(rows);
    }

    /**
     * Goes on in the next version of a problem with the same limits, where newcomers have totals of 0, spread evenly.
     *
     * @param before where those who are gone have been expelled; of no use afterwards
     * @return null if a tight row is not there any more
     */
    static RateSimplex after(RateSimplex before, Rows rows, Match match) {
        RouteBasis basis = RouteBasis.after(before.basis, rows, match);
        if (basis == null) {
            return null;
        }
        RateSimplex simplex = new RateSimplex(rows, basis);
        for (int c = 0; c < simplex.moving.total.length; c++) {
            int old = match.oldConnection[c];
            simplex.moving.total[c] = old < 0 ? 0 : before.moving.total[old];
            if (old < 0) {
                simplex.spreadEvenly(c);
            }
        }
        for (int s = 0; s < before.moving.part.length; s++) {
            if (match.newSubflow[s] >= 0) {
                simplex.moving.part[match.newSubflow[s]] = before.moving.part[s];
            }
        }
        return simplex;
    }

    /**
     * Returns a copy that goes on beside this one, in rows that begin with the same connections, subflows and rows, and
     * with nothing locked; newcomers have totals of 0, spread evenly.
     */
    RateSimplex copy(Rows more) {
        RateSimplex copy = new RateSimplex(more, basis.copy(more));
        System.arraycopy(moving.total, 0, copy.moving.total, 0, moving.total.length);
        System.arraycopy(moving.part, 0, copy.moving.part, 0, moving.part.length);
        for (int c = moving.total.length; c < more.connections(); c++) {
            copy.spreadEvenly(c);
        }
        return copy;
    }

    private void spreadEvenly(int c) {
        Arrays.fill(moving.part, rows.first[c] + 1, rows.first[c + 1], 1.0 / (rows.first[c + 1] - rows.first[c]));
    }

    /** Lets everything take part again. */
    void unlock() {
        Arrays.fill(moving.lockedSubflow, false);
        Arrays.fill(moving.lockedRow, false);
    }

    /** At a wall, keeps what can fall no further from blocking the way. */
    void lockWall() {
        if (moving.wallSubflow == NONE) {
            moving.lockedRow[moving.wallRow] = true;
        } else {
            moving.lockedSubflow[moving.wallSubflow] = true;
        }
    }

    /** Leaves a connection, whose total is 0, with its key in the basis and nothing else. */
    void expel(int c) {
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            if (basis.isExtra(s)) {
                int row = basis.safestRow(s);
                fall = basis.fit(fall);
                basis.fallForSlack(row, fall);
                basis.shrink(row, s, fall);
            }
        }
        moving.total[c] = 0;
    }

    /** Lets connections send in the given parts over their subflows as long as nothing is in the way. Only at first. */
    void spread(double[] parts) {
        for (int c = 0; c < basis.key.length; c++) {
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                basis.key[c] = parts[s] > parts[basis.key[c]] ? s : basis.key[c];
                moving.part[s] = parts[s] > LEAST_PART ? parts[s] : 0;
            }
            moving.part[basis.key[c]] = 0;
        }
    }

    /** Tells whether rounding or too many pivots made an end of it; rates and totals then mean nothing. */
    boolean broken() {
        return broken;
    }

    /**
     * Walks until totals have moved by {@code most} times {@code speeds}, or there is a wall.
     *
     * @return whether it went all the way; if not, {@link #prices} are to be cleared before the next walk
     */
    boolean walk(double[] speeds, double most) {
        System.arraycopy(speeds, 0, moving.totalSpeed, 0, speeds.length);
        if (sinceSettled < SETTLE_FOR_TURN && settled) {
            moving.settleSpeeds();
        } else {
            settle();
        }
        double left = most;
        while (!broken) {
            double length = moving.nearest(left);
            if (length == Double.POSITIVE_INFINITY) {
                broken = true;
                return false;
            }
            moving.advance(length);
            left -= length;
            if (moving.wallRow == NONE && moving.wallSubflow == NONE) {
                return true;
            }
            liftIfStanding(length);
            if (!pivot()) {
                return false;
            }
        }
        return false;
    }

    /** Computes rates, slacks and their speeds anew from totals, with a sharper inverse if need be. */
    void settle() {
        sinceSettled = 0;
        settled = true;
        if (!moving.settle()) {
            broken |= !(basis.refine() < BROKEN);
            moving.settle();
        }
    }

    private void liftIfStanding(double length) {
        standing = length > MovingRates.LIFT ? 0 : standing + 1;
        if (standing == STANDSTILL) {
            standing = 0;
            sinceSettled = 0;
            settled = false;
            moving.lift();
        }
    }

    /** Exchanges what came down to 0 for what relieves it; returns false if nothing does. */
    private boolean pivot() {
        broken |= ++pivots > PIVOTS_PER_UNKNOWN * (rows.subflows() + rows.rows() + 1L);
        if (moving.wallSubflow != NONE && !makeExtra(moving.wallSubflow)) {
            stopAtZero(rows.connectionOf[moving.wallSubflow]);
            return true;
        }
        price();
        choose();
        if (gain == 0) {
            sharpen();
            choose();
        }
        if (gain == 0) {
            return false;
        }
        prices.clear();
        fall = basis.fit(fall);
        if (enteringSubflow == NONE) {
            basis.fallForSlack(enteringRow, fall);
        } else {
            moving.enter(enteringSubflow);
            basis.fallForSubflow(enteringSubflow, fall);
        }
        moving.turn(enteringRow, enteringSubflow, gain, fall);
        exchange();
        if (++sinceSettled >= SETTLE_AFTER) {
            settle();
        }
        return true;
    }

    /** Prices rows by the equation of what came down to 0. */
    private void price() {
        change = basis.fit(change);
        double sign = 1;
        if (moving.wallSubflow == NONE) {
            basis.follow(moving.wallRow, change);
            sign = -1;
            prices.set(moving.wallRow, 1);
        } else {
            basis.rise(moving.wallSubflow, change);
        }
        for (int i = 0; i < basis.size; i++) {
            if (Math.abs(change[i]) > Tolerances.ROUNDING) {
                prices.set(basis.tight[i], sign * change[i]);
            }
        }
    }

    /**
     * Makes a subflow extra; if it is a key, that of its siblings which carries most is the key then.
     *
     * @return false if it carries all that its connection has
     */
    private boolean makeExtra(int subflow) {
        int c = rows.connectionOf[subflow];
        if (basis.key[c] != subflow) {
            return true;
        }
        int largest = NONE;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            if (basis.isExtra(s) && !moving.lockedSubflow[s] && (largest == NONE || moving.rate[s] > moving.rate[largest])) {
                largest = s;
            }
        }
        if (largest != NONE) {
            basis.swapKey(largest);
        }
        return largest != NONE;
    }

    private void stopAtZero(int c) {
        moving.total[c] = 0;
        moving.totalSpeed[c] = 0;
        settle();
    }

    /**
     * Looks for what relieves most per unit; {@link #gain} is 0 if nothing does, and below 0 if it relieves by falling: an
     * idle subflow that carries something may do so.
     */
    private void choose() {
        gain = 0;
        enteringRow = NONE;
        enteringSubflow = chooseSubflow();
        if (enteringSubflow != NONE) {
            gain = prices.pays[basis.key[rows.connectionOf[enteringSubflow]]] - prices.pays[enteringSubflow];
        }
        double most = Math.max(LEAST_GAIN, Math.abs(gain));
        for (int i = 0; i < prices.rowCount; i++) {
            int r = prices.row[i];
            if (-prices.price[r] > most && !moving.lockedRow[r]) {
                most = -prices.price[r];
                gain = most;
                enteringRow = r;
                enteringSubflow = NONE;
            }
        }
    }

    /** Returns the idle subflow that relieves most, or −1; with what it reads at hand, for this takes a third of the time. */
    private int chooseSubflow() {
        double[] pays = prices.pays;
        double[] part = moving.part;
        boolean[] locked = moving.lockedSubflow;
        int[] first = rows.first;
        int[] key = basis.key;
        int payers = prices.payers();
        double most = LEAST_GAIN;
        int chosen = NONE;
        for (int i = 0; i < payers; i++) {
            int c = prices.payer[i];
            double keyPays = pays[key[c]];
            for (int s = first[c]; s < first[c + 1]; s++) {
                double relief = keyPays - pays[s];
                if (Math.abs(relief) > most && (relief > 0 || part[s] > 0) && !locked[s] && !basis.isExtra(s)) {
                    most = Math.abs(relief);
                    chosen = s;
                }
            }
        }
        return chosen;
    }

    /** Takes rounding out of the prices: an extra subflow pays as much as its key, but the one that leaves 1 more. */
    private void sharpen() {
        fall = basis.fit(fall);
        for (int p = 0; p < basis.size; p++) {
            int s = basis.extra[p];
            fall[p] = (s == moving.wallSubflow ? 1 : 0) + prices.pays[basis.key[rows.connectionOf[s]]] - prices.pays[s];
        }
        change = basis.fit(change);
        basis.solveTransposed(fall, change);
        double[] sharper = prices.price.clone();
        for (int i = 0; i < basis.size; i++) {
            sharper[basis.tight[i]] += change[i];
        }
        prices.setAll(sharper);
    }

    private void exchange() {
        if (moving.wallSubflow == NONE) {
            if (enteringSubflow == NONE) {
                basis.exchangeRow(moving.wallRow, enteringRow, change);
            } else {
                basis.grow(moving.wallRow, enteringSubflow, change, fall, gain);
            }
        } else if (enteringSubflow == NONE) {
            basis.shrink(enteringRow, moving.wallSubflow, fall);
        } else {
            basis.exchangeSubflow(moving.wallSubflow, enteringSubflow, fall);
        }
    }
}
