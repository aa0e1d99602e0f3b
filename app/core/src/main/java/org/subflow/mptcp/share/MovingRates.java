// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * Rates of subflows and slacks of rows as a {@link RouteBasis} has them, given the totals of connections, and how they
 * change per unit of way when totals move in a straight line. Scaled units.
 */
final class MovingRates {
    /** What moves by less than this per unit of way does not. */
    private static final double FLAT = 1e-10;
    /** By what part of the narrowest limit something may be overrun for a better pivot, and is lifted. */
    private static final double GIVE = 1e-13;
    static final double LIFT = 1e-11;
    private static final double DRIFT = 1e-11;
    private static final int NONE = -1;

    final double[] total;
    final double[] rate;
    final double[] totalSpeed;
    /** What part of its connection's total an idle subflow carries; 0 for all others. */
    final double[] part;
    /** What does not block the way. */
    final boolean[] lockedSubflow;
    final boolean[] lockedRow;
    /** What comes down to 0 first: a row, whose slack it is, or a subflow; −1 for the other of the two, or both. */
    int wallRow;
    int wallSubflow;

    private final Rows rows;
    private final RouteBasis basis;
    private final double[] slack;
    private final double[] narrowest;
    private final double[] rateSpeed;
    private final double[] slackSpeed;
    private final double[] noLimit;
    private double[] extraRates = new double[16];
    /** What is on its way to 0: subflows, then rows. */
    private final int[] fallingOnes;
    private int falling;
    private double drift;

    MovingRates(Rows rows, RouteBasis basis) {
        this.rows = rows;
        this.basis = basis;
        total = new double[rows.connections()];
        totalSpeed = new double[rows.connections()];
        part = new double[rows.subflows()];
        rate = new double[rows.subflows()];
        rateSpeed = new double[rows.subflows()];
        lockedSubflow = new boolean[rows.subflows()];
        narrowest = new double[rows.subflows()];
        slack = rows.limit.clone();
        slackSpeed = new double[rows.rows()];
        noLimit = new double[rows.rows()];
        lockedRow = new boolean[rows.rows()];
        fallingOnes = new int[rows.subflows() + rows.rows()];
        for (int s = 0; s < narrowest.length; s++) {
            int r = rows.narrowest(s);
            narrowest[s] = r < 0 ? 1 : rows.limit[r];
        }
    }

    /**
     * Computes rates, slacks and their speeds anew from totals and theirs.
     *
     * @return whether the basis is as exact as it should be
     */
    boolean settle() {
        drift = 0;
        place(total, rows.limit, rate, slack);
        place(totalSpeed, noLimit, rateSpeed, slackSpeed);
        return drift <= DRIFT;
    }

    /** Computes speeds anew from those of totals. */
    void settleSpeeds() {
        place(totalSpeed, noLimit, rateSpeed, slackSpeed);
    }

    private void place(double[] totals, double[] limits, double[] rates, double[] slacks) {
        System.arraycopy(limits, 0, slacks, 0, slacks.length);
        Arrays.fill(rates, 0);
        for (int c = 0; c < totals.length; c++) {
            double left = totals[c];
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                if (part[s] > 0) {
                    rates[s] = part[s] * totals[c];
                    left -= rates[s];
                    add(s, -rates[s], slacks);
                }
            }
            rates[basis.key[c]] = left;
            add(basis.key[c], -left, slacks);
        }
        extraRates = basis.fit(extraRates);
        double off = Double.POSITIVE_INFINITY;
        // The second round takes out what rounding left in the first.
        for (int round = 0; round < 2 && off > Tolerances.ROUNDING; round++) {
            basis.solve(slacks, extraRates);
            for (int p = 0; p < basis.size; p++) {
                shift(basis.extra[p], extraRates[p], rates, slacks);
            }
            off = 0;
            for (int i = 0; i < basis.size; i++) {
                off = Math.max(off, Math.abs(slacks[basis.tight[i]]));
            }
        }
        drift = Math.max(drift, off);
        for (int i = 0; i < basis.size; i++) {
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

    /** Adds an amount to all rows of a subflow. */
    void add(int subflow, double amount, double[] to) {
        for (int i = rows.rowStart[subflow]; i < rows.rowStart[subflow + 1]; i++) {
            to[rows.row[i]] += amount;
        }
    }

    /** Returns the way to what comes down to 0 first, and notes it; of several at nearly the same place, the fastest. */
    double nearest(double most) {
        double bound = most;
        falling = 0;
        for (int key : basis.key) {
            bound = rateSpeed[key] < -FLAT ? wayOf(key, bound) : bound;
        }
        for (int p = 0; p < basis.size; p++) {
            int s = basis.extra[p];
            bound = rateSpeed[s] < -FLAT && !lockedSubflow[s] ? wayOf(s, bound) : bound;
        }
        int fallingRates = falling;
        for (int r = 0; r < slack.length; r++) {
            if (slackSpeed[r] < -FLAT && !lockedRow[r]) {
                bound = way(slack[r], slackSpeed[r], rows.limit[r], bound);
                fallingOnes[falling++] = r;
            }
        }
        wallRow = NONE;
        wallSubflow = NONE;
        double fastest = FLAT;
        for (int i = 0; i < fallingRates; i++) {
            int s = fallingOnes[i];
            if (-rateSpeed[s] > fastest && rate[s] <= bound * -rateSpeed[s]) {
                fastest = -rateSpeed[s];
                wallSubflow = s;
            }
        }
        for (int i = fallingRates; i < falling; i++) {
            int r = fallingOnes[i];
            if (-slackSpeed[r] > fastest && slack[r] <= bound * -slackSpeed[r]) {
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

    private double wayOf(int subflow, double bound) {
        fallingOnes[falling++] = subflow;
        return way(rate[subflow], rateSpeed[subflow], narrowest[subflow], bound);
    }

    private static double way(double value, double speed, double unit, double bound) {
        double most = value + GIVE * unit;
        return most < bound * -speed ? Math.max(0, most) / -speed : bound;
    }

    /** Lets an idle subflow enter the basis with what it carries. */
    void enter(int subflow) {
        int c = rows.connectionOf[subflow];
        rate[subflow] = part[subflow] * total[c];
        rateSpeed[subflow] = part[subflow] * totalSpeed[c];
        part[subflow] = 0;
    }

    /** Moves everything along. */
    void advance(double length) {
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

    /** Lifts what is 0 by a trifle of its own. */
    void lift() {
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

    /**
     * Turns all speeds so that what came down to 0 stays there and what enters rises.
     *
     * @param enteringRow     row whose slack enters, or −1
     * @param enteringSubflow subflow that enters, or −1
     * @param gain            by how much what came down rises with a unit of it
     * @param fall            by how much each extra subflow falls with a unit of it
     */
    void turn(int enteringRow, int enteringSubflow, double gain, double[] fall) {
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
}
