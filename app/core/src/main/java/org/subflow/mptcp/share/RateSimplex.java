// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * Rates of subflows that follow the totals of connections as these move along a straight line: a parametric simplex
 * method.
 *
 * <p>Rates and slacks are those of a {@link RouteBasis}, so they move in proportion to the totals until one of them comes
 * down to 0. That one leaves the basis, and what relieves it most per unit enters: an idle subflow that pays less than
 * the key of its connection, or the slack of a tight row, by the prices that the leaving one's equation puts on rows. If
 * nothing relieves it, these prices prove that the totals can go no further: the walk is at a wall.
 *
 * <p>There is no objective, so any basis is as good as another. Where many rates and slacks are 0 at once the walk could
 * turn in circles without moving: then each 0 is lifted by a trifle of its own, until {@link #settle} computes all of
 * them anew.
 *
 * <p>A pivot is O(n² + entries of the priced rows) for n tight rows. Scaled units. Working state; not thread-safe.
 */
final class RateSimplex {
    /** What moves by less than this per unit of way does not. */
    private static final double FLAT = 1e-10;
    /** What relieves by less than this per unit is no safe pivot. */
    private static final double LEAST_GAIN = 1e-7;
    private static final double NO_PRICE = 1e-12;
    /** By what part of the narrowest limit something may be overrun for a better pivot, and is lifted. */
    private static final double GIVE = 1e-13;
    private static final double LIFT = 1e-11;
    private static final double DRIFT = 1e-11;
    private static final double BROKEN = 0.5;
    private static final int STANDSTILL = 40;
    private static final int SETTLE_AFTER = 64;
    private static final int PIVOTS_PER_UNKNOWN = 50;
    private static final int NONE = -1;

    final RouteBasis basis;
    final double[] total;
    final double[] rate;
    /** What neither enters the basis nor blocks the way. */
    final boolean[] lockedSubflow;
    final boolean[] lockedRow;
    /** At a wall: the proof, and the row or subflow that can fall no further; −1 for the other of the two. */
    final RowPrices prices;
    int wallRow;
    int wallSubflow;

    private final Rows rows;
    private final double[] slack;
    private final double[] narrowest;
    private final double[] totalSpeed;
    private final double[] rateSpeed;
    private final double[] slackSpeed;
    private final double[] noLimit;

    private int enteringRow;
    private int enteringSubflow;
    private double gain;
    /** Scratch: per tight row, per extra subflow. */
    private double[] change = new double[16];
    private double[] fall = new double[16];
    private long pivots;
    private int sinceSettled;
    private int standing;
    private double drift;
    private boolean broken;

    /** Begins with totals of 0, each connection with the first of its subflows as key. */
    RateSimplex(Rows rows) {
        this(rows, new RouteBasis(rows));
    }

    private RateSimplex(Rows rows, RouteBasis basis) {
        this.rows = rows;
        this.basis = basis;
        prices = new RowPrices(rows);
        total = new double[rows.connections()];
        totalSpeed = new double[rows.connections()];
        rate = new double[rows.subflows()];
        rateSpeed = new double[rows.subflows()];
        lockedSubflow = new boolean[rows.subflows()];
        narrowest = new double[rows.subflows()];
        slack = rows.limit.clone();
        slackSpeed = new double[rows.rows()];
        noLimit = new double[rows.rows()];
        lockedRow = new boolean[rows.rows()];
        for (int s = 0; s < narrowest.length; s++) {
            int r = rows.narrowest(s);
            narrowest[s] = r < 0 ? 1 : rows.limit[r];
        }
    }

    /**
     * Goes on in the next version of a problem with the same limits, where newcomers have totals of 0.
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
        for (int c = 0; c < simplex.total.length; c++) {
            simplex.total[c] = match.oldConnection[c] < 0 ? 0 : before.total[match.oldConnection[c]];
        }
        return simplex;
    }

    /** Lets everything take part again. */
    void unlock() {
        Arrays.fill(lockedSubflow, false);
        Arrays.fill(lockedRow, false);
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
        total[c] = 0;
    }

    /**
     * Lets the key of each connection be the subflow that keeps the fullest row emptiest, one connection after the other.
     * Only before the first walk.
     */
    void spread() {
        double[] load = new double[slack.length];
        for (int c = 0; c < total.length; c++) {
            double least = Double.POSITIVE_INFINITY;
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                double fullest = 0;
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    int r = rows.row[i];
                    fullest = Math.max(fullest, (load[r] + rows.weight[c]) / rows.limit[r]);
                }
                if (fullest < least) {
                    least = fullest;
                    basis.key[c] = s;
                }
            }
            add(basis.key[c], rows.weight[c], load);
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
        System.arraycopy(speeds, 0, totalSpeed, 0, speeds.length);
        settle();
        double left = most;
        while (!broken) {
            double length = nearest(left);
            if (length == Double.POSITIVE_INFINITY) {
                broken = true;
                return false;
            }
            advance(length);
            left -= length;
            if (wallRow == NONE && wallSubflow == NONE) {
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
        placeAll();
        if (drift > DRIFT) {
            broken |= !(basis.refine() < BROKEN);
            placeAll();
        }
    }

    private void placeAll() {
        drift = 0;
        place(total, rows.limit, rate, slack);
        place(totalSpeed, noLimit, rateSpeed, slackSpeed);
    }

    private void place(double[] totals, double[] limits, double[] rates, double[] slacks) {
        System.arraycopy(limits, 0, slacks, 0, slacks.length);
        Arrays.fill(rates, 0);
        for (int c = 0; c < totals.length; c++) {
            rates[basis.key[c]] = totals[c];
            add(basis.key[c], -totals[c], slacks);
        }
        fall = basis.fit(fall);
        // The second round takes out what rounding left in the first.
        for (int round = 0; round < 2; round++) {
            basis.solve(slacks, fall);
            for (int p = 0; p < basis.size; p++) {
                shift(basis.extra[p], fall[p], rates, slacks);
            }
        }
        for (int i = 0; i < basis.size; i++) {
            drift = Math.max(drift, Math.abs(slacks[basis.tight[i]]));
            slacks[basis.tight[i]] = 0;
        }
    }

    /** Moves an amount from the key of a connection to another of its subflows. */
    private void shift(int subflow, double amount, double[] rates, double[] slacks) {
        int key = basis.key[rows.connectionOf[subflow]];
        rates[subflow] += amount;
        rates[key] -= amount;
        add(subflow, -amount, slacks);
        add(key, amount, slacks);
    }

    private void add(int subflow, double amount, double[] to) {
        for (int i = rows.rowStart[subflow]; i < rows.rowStart[subflow + 1]; i++) {
            to[rows.row[i]] += amount;
        }
    }

    /** Returns the way to what comes down to 0 first, and notes it; of several at nearly the same place, the fastest. */
    private double nearest(double most) {
        double bound = most;
        for (int key : basis.key) {
            bound = way(rate[key], rateSpeed[key], narrowest[key], bound);
        }
        for (int p = 0; p < basis.size; p++) {
            int s = basis.extra[p];
            bound = lockedSubflow[s] ? bound : way(rate[s], rateSpeed[s], narrowest[s], bound);
        }
        for (int r = 0; r < slack.length; r++) {
            bound = lockedRow[r] ? bound : way(slack[r], slackSpeed[r], rows.limit[r], bound);
        }
        wallRow = NONE;
        wallSubflow = NONE;
        double fastest = FLAT;
        for (int key : basis.key) {
            if (-rateSpeed[key] > fastest && rate[key] <= bound * -rateSpeed[key]) {
                fastest = -rateSpeed[key];
                wallSubflow = key;
            }
        }
        for (int p = 0; p < basis.size; p++) {
            int s = basis.extra[p];
            if (-rateSpeed[s] > fastest && rate[s] <= bound * -rateSpeed[s] && !lockedSubflow[s]) {
                fastest = -rateSpeed[s];
                wallSubflow = s;
            }
        }
        for (int r = 0; r < slack.length; r++) {
            if (-slackSpeed[r] > fastest && slack[r] <= bound * -slackSpeed[r] && !lockedRow[r]) {
                fastest = -slackSpeed[r];
                wallRow = r;
                wallSubflow = NONE;
            }
        }
        if (wallRow == NONE && wallSubflow == NONE) {
            return most;
        }
        double left = wallSubflow == NONE ? slack[wallRow] : rate[wallSubflow];
        return Math.min(most, Math.max(0, left) / fastest);
    }

    private static double way(double value, double speed, double unit, double bound) {
        double most = value + GIVE * unit;
        return speed < -FLAT && most < bound * -speed ? Math.max(0, most) / -speed : bound;
    }

    private void advance(double length) {
        if (length == 0) {
            return;
        }
        for (int c = 0; c < total.length; c++) {
            total[c] += length * totalSpeed[c];
            rate[basis.key[c]] += length * rateSpeed[basis.key[c]];
        }
        for (int p = 0; p < basis.size; p++) {
            rate[basis.extra[p]] += length * rateSpeed[basis.extra[p]];
        }
        for (int r = 0; r < slack.length; r++) {
            slack[r] += length * slackSpeed[r];
        }
    }

    private void liftIfStanding(double length) {
        standing = length > LIFT ? 0 : standing + 1;
        if (standing < STANDSTILL) {
            return;
        }
        standing = 0;
        sinceSettled = 0;
        for (int key : basis.key) {
            rate[key] = lifted(rate[key], narrowest[key], key);
        }
        for (int p = 0; p < basis.size; p++) {
            int s = basis.extra[p];
            rate[s] = lifted(rate[s], narrowest[s], s);
        }
        for (int r = 0; r < slack.length; r++) {
            slack[r] = basis.isTight(r) ? 0 : lifted(slack[r], rows.limit[r], rate.length + r);
        }
    }

    /** Lifts what is next to 0 to one or two trifles, in an order that has nothing to do with the problem. */
    private static double lifted(double value, double unit, int index) {
        double trifle = LIFT * unit;
        return value < trifle ? trifle * (1 + (index * 0x9E3779B97F4A7C15L >>> 11) * 0x1p-53) : value;
    }

    /** Exchanges what came down to 0 for what relieves it; returns false if nothing does. */
    private boolean pivot() {
        broken |= ++pivots > PIVOTS_PER_UNKNOWN * (rate.length + slack.length + 1L);
        if (wallSubflow != NONE && !makeExtra(wallSubflow)) {
            stopAtZero(rows.connectionOf[wallSubflow]);
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
            basis.fallForSubflow(enteringSubflow, fall);
        }
        turn();
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
        if (wallSubflow == NONE) {
            basis.follow(wallRow, change);
            sign = -1;
            prices.set(wallRow, 1);
        } else {
            basis.rise(wallSubflow, change);
        }
        for (int i = 0; i < basis.size; i++) {
            if (Math.abs(change[i]) > NO_PRICE) {
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
            if (basis.isExtra(s) && !lockedSubflow[s] && (largest == NONE || rate[s] > rate[largest])) {
                largest = s;
            }
        }
        if (largest != NONE) {
            basis.swapKey(largest);
        }
        return largest != NONE;
    }

    private void stopAtZero(int c) {
        total[c] = 0;
        totalSpeed[c] = 0;
        settle();
    }

    /** Looks for what relieves most per unit; {@link #gain} is 0 if nothing does. */
    private void choose() {
        gain = LEAST_GAIN;
        enteringRow = NONE;
        enteringSubflow = NONE;
        for (int i = 0; i < prices.connectionCount; i++) {
            int c = prices.connection[i];
            double keyPays = prices.pays[basis.key[c]];
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                if (keyPays - prices.pays[s] > gain && !lockedSubflow[s] && !basis.isExtra(s)) {
                    gain = keyPays - prices.pays[s];
                    enteringSubflow = s;
                }
            }
        }
        for (int i = 0; i < prices.rowCount; i++) {
            int r = prices.row[i];
            if (-prices.price[r] > gain && !lockedRow[r]) {
                gain = -prices.price[r];
                enteringRow = r;
                enteringSubflow = NONE;
            }
        }
        gain = enteringRow == NONE && enteringSubflow == NONE ? 0 : gain;
    }

    /** Takes rounding out of the prices: an extra subflow pays as much as its key, but the one that leaves 1 more. */
    private void sharpen() {
        fall = basis.fit(fall);
        for (int p = 0; p < basis.size; p++) {
            int s = basis.extra[p];
            fall[p] = (s == wallSubflow ? 1 : 0) + prices.pays[basis.key[rows.connectionOf[s]]] - prices.pays[s];
        }
        change = basis.fit(change);
        basis.solveTransposed(fall, change);
        double[] sharper = prices.price.clone();
        for (int i = 0; i < basis.size; i++) {
            sharper[basis.tight[i]] += change[i];
        }
        prices.setAll(sharper);
    }

    /** Turns all speeds so that what came down to 0 stays there and what enters rises. */
    private void turn() {
        double rise = (wallSubflow == NONE ? -slackSpeed[wallRow] : -rateSpeed[wallSubflow]) / gain;
        for (int p = 0; p < basis.size; p++) {
            if (fall[p] != 0) {
                shift(basis.extra[p], -rise * fall[p], rateSpeed, slackSpeed);
            }
        }
        if (enteringSubflow != NONE) {
            shift(enteringSubflow, rise, rateSpeed, slackSpeed);
        }
        for (int i = 0; i < basis.size; i++) {
            slackSpeed[basis.tight[i]] = 0;
        }
        if (enteringRow != NONE) {
            slackSpeed[enteringRow] = rise;
        }
        if (wallSubflow == NONE) {
            slackSpeed[wallRow] = 0;
            slack[wallRow] = 0;
        } else {
            rateSpeed[wallSubflow] = 0;
            rate[wallSubflow] = 0;
        }
    }

    private void exchange() {
        if (wallSubflow == NONE) {
            if (enteringSubflow == NONE) {
                basis.exchangeRow(wallRow, enteringRow, change);
            } else {
                basis.grow(wallRow, enteringSubflow, change, fall, gain);
            }
        } else if (enteringSubflow == NONE) {
            basis.shrink(enteringRow, wallSubflow, fall);
        } else {
            basis.exchangeSubflow(wallSubflow, enteringSubflow, fall);
        }
    }
}
