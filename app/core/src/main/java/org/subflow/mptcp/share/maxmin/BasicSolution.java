// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.linear.Tolerances;

/**
 * The basic solution of a {@link GubBasis} for given totals of connections, and its change when totals move in a straight
 * line. Scaled units. Working state; not thread-safe.
 */
final class BasicSolution {
    /** A rate or slack with a smaller speed than this stands still: its speed is rounding. */
    private static final double LEAST_SPEED = 1e-10;
    /** Relative to the narrowest limit: a rate or slack may become negative by this for a larger pivot (P. Harris, 1973). */
    private static final double HARRIS_TOLERANCE = 1e-13;
    /** Relative to the narrowest limit: the smallest amount by which {@link #perturb} raises a value. */
    static final double PERTURBATION = 1e-11;
    /** With larger slacks on tight rows the inverse is too inexact. */
    private static final double MOST_DRIFT = 1e-11;
    private static final int NONE = -1;

    final double[] total;
    final double[] rate;
    final double[] totalSpeed;
    /** The part of its connection's total that a nonbasic subflow carries (superbasic); 0 for all others. */
    final double[] part;
    /** Fixed rates and slacks limit no step. */
    final boolean[] fixedSubflow;
    final boolean[] fixedRow;
    /** What reaches 0 first: the slack of a row or the rate of a subflow; −1 for the other of the two, or for both. */
    int blockingRow;
    int blockingSubflow;

    private final ScaledProblem problem;
    private final GubBasis basis;
    private final double[] slack;
    private final double[] narrowest;
    private final double[] rateSpeed;
    private final double[] slackSpeed;
    private final double[] noLimit;
    private double[] workingRates = new double[16];
    /** Subflows whose rate falls, then rows whose slack falls. */
    private final int[] fallingOnes;
    private int falling;
    private double drift;

    BasicSolution(ScaledProblem problem, GubBasis basis) {
        this.problem = problem;
        this.basis = basis;
        total = new double[problem.connections()];
        totalSpeed = new double[problem.connections()];
        part = new double[problem.subflows()];
        rate = new double[problem.subflows()];
        rateSpeed = new double[problem.subflows()];
        fixedSubflow = new boolean[problem.subflows()];
        narrowest = new double[problem.subflows()];
        slack = problem.limit.clone();
        slackSpeed = new double[problem.rows()];
        noLimit = new double[problem.rows()];
        fixedRow = new boolean[problem.rows()];
        fallingOnes = new int[problem.subflows() + problem.rows()];
        for (int s = 0; s < narrowest.length; s++) {
            int r = problem.narrowest(s);
            narrowest[s] = r < 0 ? 1 : problem.limit[r];
        }
    }

    /**
     * Computes rates, slacks and their speeds anew from the totals and their speeds.
     *
     * @return whether the inverse of the basis is exact enough
     */
    boolean recompute() {
        drift = 0;
        place(total, problem.limit, rate, slack);
        place(totalSpeed, noLimit, rateSpeed, slackSpeed);
        return drift <= MOST_DRIFT;
    }

    /** Computes the speeds of rates and slacks anew from those of the totals. */
    void recomputeSpeeds() {
        place(totalSpeed, noLimit, rateSpeed, slackSpeed);
    }

    private void place(double[] totals, double[] limits, double[] rates, double[] slacks) {
        System.arraycopy(limits, 0, slacks, 0, slacks.length);
        Arrays.fill(rates, 0);
        for (int c = 0; c < totals.length; c++) {
            double keyRate = totals[c];
            for (int s = problem.first[c]; s < problem.first[c + 1]; s++) {
                if (part[s] > 0) {
                    rates[s] = part[s] * totals[c];
                    keyRate -= rates[s];
                    add(s, -rates[s], slacks);
                }
            }
            rates[basis.key[c]] = keyRate;
            add(basis.key[c], -keyRate, slacks);
        }
        workingRates = basis.fit(workingRates);
        double off = Double.POSITIVE_INFINITY;
        // Iterative refinement: the second round removes the rounding error of the first.
        for (int round = 0; round < 2 && off > Tolerances.ROUNDING; round++) {
            basis.solve(slacks, workingRates);
            for (int p = 0; p < basis.size; p++) {
                shift(basis.working[p], workingRates[p], rates, slacks);
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
        int key = basis.key[problem.connectionOf[subflow]];
        rates[subflow] += amount;
        rates[key] -= amount;
        add(subflow, -amount, slacks);
        add(key, amount, slacks);
    }

    /** Adds an amount to all rows of a subflow. */
    void add(int subflow, double amount, double[] to) {
        for (int i = problem.rowStart[subflow]; i < problem.rowStart[subflow + 1]; i++) {
            to[problem.row[i]] += amount;
        }
    }

    /**
     * Returns the length of the step to the first rate or slack that reaches 0, and notes which it is. Of several at nearly
     * the same length it takes the fastest, which gives the largest pivot.
     */
    double ratioTest(double most) {
        double bound = most;
        falling = 0;
        for (int key : basis.key) {
            bound = rateSpeed[key] < -LEAST_SPEED ? lengthOf(key, bound) : bound;
        }
        for (int p = 0; p < basis.size; p++) {
            int s = basis.working[p];
            bound = rateSpeed[s] < -LEAST_SPEED && !fixedSubflow[s] ? lengthOf(s, bound) : bound;
        }
        int fallingRates = falling;
        for (int r = 0; r < slack.length; r++) {
            if (slackSpeed[r] < -LEAST_SPEED && !fixedRow[r]) {
                bound = length(slack[r], slackSpeed[r], problem.limit[r], bound);
                fallingOnes[falling++] = r;
            }
        }
        blockingRow = NONE;
        blockingSubflow = NONE;
        double fastest = LEAST_SPEED;
        for (int i = 0; i < fallingRates; i++) {
            int s = fallingOnes[i];
            if (-rateSpeed[s] > fastest && rate[s] <= bound * -rateSpeed[s]) {
                fastest = -rateSpeed[s];
                blockingSubflow = s;
            }
        }
        for (int i = fallingRates; i < falling; i++) {
            int r = fallingOnes[i];
            if (-slackSpeed[r] > fastest && slack[r] <= bound * -slackSpeed[r]) {
                fastest = -slackSpeed[r];
                blockingRow = r;
                blockingSubflow = NONE;
            }
        }
        if (blockingRow == NONE && blockingSubflow == NONE) {
            return most;
        }
        double value = blockingSubflow == NONE ? slack[blockingRow] : rate[blockingSubflow];
        return Math.min(most, Math.max(0, value) / fastest);
    }

    private double lengthOf(int subflow, double bound) {
        fallingOnes[falling++] = subflow;
        return length(rate[subflow], rateSpeed[subflow], narrowest[subflow], bound);
    }

    private static double length(double value, double speed, double unit, double bound) {
        double most = value + HARRIS_TOLERANCE * unit;
        return most < bound * -speed ? Math.max(0, most) / -speed : bound;
    }

    /** Prepares a nonbasic subflow, with the rate that it has, to enter the basis. */
    void enter(int subflow) {
        int c = problem.connectionOf[subflow];
        rate[subflow] = part[subflow] * total[c];
        rateSpeed[subflow] = part[subflow] * totalSpeed[c];
        part[subflow] = 0;
    }

    /** Moves totals, rates and slacks by a step. */
    void advance(double length) {
        if (length == 0) {
            return;
        }
        for (int c = 0; c < total.length; c++) {
            total[c] += length * totalSpeed[c];
            rate[basis.key[c]] += length * rateSpeed[basis.key[c]];
        }
        for (int p = 0; p < basis.size; p++) {
            rate[basis.working[p]] += length * rateSpeed[basis.working[p]];
        }
        for (int r = 0; r < slack.length; r++) {
            slack[r] += length * slackSpeed[r];
        }
    }

    /** Raises every basic rate and slack at 0 by a small amount of its own: this ends cycling. */
    void perturb() {
        for (int key : basis.key) {
            rate[key] = perturbed(rate[key], narrowest[key], key);
        }
        for (int p = 0; p < basis.size; p++) {
            int s = basis.working[p];
            rate[s] = perturbed(rate[s], narrowest[s], s);
        }
        for (int r = 0; r < slack.length; r++) {
            slack[r] = basis.isTight(r) ? 0 : perturbed(slack[r], problem.limit[r], rate.length + r);
        }
    }

    /** Returns a value of at least one to two units of perturbation, drawn by a hash of the index. */
    private static double perturbed(double value, double unit, int index) {
        double least = PERTURBATION * unit;
        return value < least ? least * (1 + (index * 0x9E3779B97F4A7C15L >>> 11) * 0x1p-53) : value;
    }

    /**
     * Changes all speeds so that the leaving variable stays at 0 and the entering one takes up its speed.
     *
     * @param enteringRow     row whose slack enters, or −1
     * @param enteringSubflow subflow that enters, or −1
     * @param gain            how much the leaving variable rises per unit of the entering one
     * @param column          how much each working subflow falls per unit of the entering variable
     */
    void changeSpeeds(int enteringRow, int enteringSubflow, double gain, double[] column) {
        double rise = (blockingSubflow == NONE ? -slackSpeed[blockingRow] : -rateSpeed[blockingSubflow]) / gain;
        for (int p = 0; p < basis.size; p++) {
            if (column[p] != 0) {
                shift(basis.working[p], -rise * column[p], rateSpeed, slackSpeed);
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
        if (blockingSubflow == NONE) {
            slackSpeed[blockingRow] = 0;
            slack[blockingRow] = 0;
        } else {
            rateSpeed[blockingSubflow] = 0;
            rate[blockingSubflow] = 0;
        }
    }
}
