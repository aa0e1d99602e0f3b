// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Splits given totals of connections over their subflows: the feasible split with the least sum of squares, or, if there
 * is none, prices of rows that prove it.
 *
 * <p>The least sum of squares makes the split unique, and as even as the rows allow: without a full row, each subflow
 * carries the same part. It is found by the dual active-set method of Goldfarb and Idnani ("A numerically stable dual
 * method for solving strictly convex quadratic programs", 1983):
 * <ol>
 * <li>start with even splits and no full row in the active set;
 * <li>take the row (or the subflow below 0) that is violated most and raise its price until it just holds, letting the
 * prices of the active set follow so that it stays full; what comes down to price 0 on the way leaves the set;
 * <li>until nothing is violated; or until a violated row cannot be relieved, and then the prices that rise are a proof.
 * </ol>
 * With prices λ of rows, a used subflow has x_s = ν_c − p_s, where p_s is the sum of λ over its rows and ν_c makes the
 * total right. A step is O(entries of the matrix + n²) for n full rows. The active set is kept from one call to the next,
 * so that calls with nearly the same totals are quick.
 */
final class MinNormSplit {
    /** A row counts as violated if its load is above its limit by more than this part of the limit. */
    private static final double TOLERANCE = 1e-10;
    private static final double COARSEST = 1e-7;
    private static final double DEPENDENT = 1e-8;
    private static final double FALLS = -1e-11;
    private static final double REFINE = 1e-11;
    private static final double DRIFT = 1e-9;
    private static final double NONE = Double.POSITIVE_INFINITY;
    private static final int MOST_RESTARTS = 3;
    private static final int STEPS_PER_UNKNOWN = 10;
    private static final int STEPS_BETWEEN_EVALUATIONS = 16;

    private final Rows rows;
    private final ActiveSet active;
    private final double[] total;
    private final double[] rate;
    private final double[] load;
    private final double[] lambda;
    private final double[] price;
    private final double[] level;

    /* How the above change per unit of the price that is being raised. */
    private double[] activeStep = new double[16];
    private double[] rest = new double[16];
    private final double[] lambdaStep;
    private final double[] priceStep;
    private final double[] levelStep;
    private final double[] loadStep;

    private int violatedRow = -1;
    private int violatedSubflow = -1;
    private int blockingRow = -1;
    private int blockingSubflow = -1;
    private boolean fresh;
    private final BitSet ignored = new BitSet();
    private double tolerance = TOLERANCE;
    private int restarts;
    private boolean finished;
    private boolean exact = true;
    private long steps;
    private long lastEvaluation;

    MinNormSplit(Rows rows) {
        this(rows, new double[rows.rows()], new ActiveSet(rows));
    }

    /** Goes on from the split of an earlier version of the problem, which is of no use afterwards. */
    static MinNormSplit after(MinNormSplit before, Rows rows, Match match) {
        double[] lambda = new double[rows.rows()];
        for (int r = 0; r < before.lambda.length; r++) {
            if (match.newRow[r] >= 0) {
                lambda[match.newRow[r]] = before.lambda[r] * before.rows.scale / rows.scale;
            }
        }
        ActiveSet active = new ActiveSet(rows, before.active, match, lambda);
        for (int r = 0; r < lambda.length; r++) {
            lambda[r] = active.position(r) >= 0 ? Math.max(0, lambda[r]) : 0;
        }
        return new MinNormSplit(rows, lambda, active);
    }

    private MinNormSplit(Rows rows, double[] lambda, ActiveSet active) {
        this.rows = rows;
        this.lambda = lambda;
        this.active = active;
        total = new double[rows.connections()];
        rate = new double[rows.subflows()];
        load = new double[rows.rows()];
        price = new double[rows.subflows()];
        level = new double[rows.connections()];
        lambdaStep = new double[rows.rows()];
        priceStep = new double[rows.subflows()];
        levelStep = new double[rows.connections()];
        loadStep = new double[rows.rows()];
    }

    /** Returns the rates of the subflows in scaled units, as the last call of {@link #split} left them. */
    double[] rates() {
        return rate;
    }

    /** Returns how often a row or subflow joined or left the active set so far. */
    long steps() {
        return steps;
    }

    /**
     * Splits the totals.
     *
     * @param totals total of each connection in scaled units; copied
     * @return null if it was possible; otherwise a cut that the totals violate
     */
    Cut split(double[] totals) {
        System.arraycopy(totals, 0, total, 0, totals.length);
        Cut proof = attempt();
        while (!finished && tolerance < COARSEST) {
            // Rounding leads in circles where many rows are all but dependent: start over and look less closely.
            tolerance *= 10;
            active.clear();
            Arrays.fill(lambda, 0);
            proof = attempt();
        }
        exact &= finished;
        return proof;
    }

    private Cut attempt() {
        finished = true;
        violatedSubflow = -1;
        ignored.clear();
        evaluate();
        if (useWhatPays()) {
            evaluate();
        }
        settle();
        long budget = steps + STEPS_PER_UNKNOWN * (rate.length + load.length + 1L);
        while (findViolated()) {
            if (!relieve(budget)) {
                Cut cut = Cut.of(rows, ray());
                if (cut.worth(total) > cut.bound * (1 + tolerance / 100)) {
                    return cut;
                }
                recover();
            }
            if (steps >= budget) {
                finished = false;
                return null;
            }
        }
        return null;
    }

    /** Returns whether all calls so far ended by themselves; otherwise rates are near, but rows may be overloaded. */
    boolean exact() {
        return exact;
    }

    /** Computes prices of subflows, levels, rates and loads from the prices of rows. */
    private void evaluate() {
        lastEvaluation = steps;
        Arrays.fill(load, 0);
        for (int c = 0; c < total.length; c++) {
            double sum = total[c];
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                double p = 0;
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    p += lambda[rows.row[i]];
                }
                price[s] = p;
                sum += active.used[s] ? p : 0;
            }
            level[c] = sum / active.usedCount[c];
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                rate[s] = active.used[s] ? level[c] - price[s] : 0;
                for (int i = rows.rowStart[s]; rate[s] != 0 && i < rows.rowStart[s + 1]; i++) {
                    load[rows.row[i]] += rate[s];
                }
            }
        }
    }

    /** Takes subflows into use again that a larger total has made worth it; returns whether there were any. */
    private boolean useWhatPays() {
        boolean some = false;
        for (int s = 0; s < price.length; s++) {
            int c = rows.connectionOf[s];
            if (!active.used[s] && price[s] < level[c]) {
                double sum = level[c] * active.usedCount[c] + price[s];
                active.use(s);
                level[c] = sum / active.usedCount[c];
                fresh = false;
                some = true;
            }
        }
        return some;
    }

    /**
     * Makes the active rows full again after totals changed, or because of rounding; prices stay non-negative. Rates and
     * loads must be up to date.
     */
    private void settle() {
        int refinements = 0;
        while (residual() > tolerance / 2 && refinements < 4) {
            activeStep = active.fit(activeStep);
            Arrays.fill(activeStep, 0, active.size(), 0);
            active.solve(rest, activeStep);
            follow(-1);
            double fraction = Math.min(1, longestStep());
            move(fraction);
            if (fraction < 1) {
                dropBlocking();
            } else {
                refinements++;
            }
        }
    }

    /** Puts load less limit of the active rows into {@link #rest}; returns the largest part of a limit that it is. */
    private double residual() {
        rest = active.fit(rest);
        double worst = 0;
        for (int i = 0; i < active.size(); i++) {
            int r = active.row(i);
            rest[i] = load[r] - rows.limit[r];
            worst = Math.max(worst, Math.abs(rest[i]) / rows.limit[r]);
        }
        return worst;
    }

    private boolean findViolated() {
        double worst = 0;
        violatedRow = -1;
        violatedSubflow = -1;
        for (int r = 0; r < load.length; r++) {
            double excess = load[r] - rows.limit[r];
            if (excess > worst && excess > tolerance * rows.limit[r] && active.position(r) < 0
                    && !ignored.get(r)) {
                worst = excess;
                violatedRow = r;
            }
        }
        for (int s = 0; s < rate.length; s++) {
            if (-rate[s] > worst && -rate[s] > tolerance * total[rows.connectionOf[s]]
                    && !ignored.get(load.length + s)) {
                worst = -rate[s];
                violatedSubflow = s;
            }
        }
        return worst > 0;
    }

    /** Raises the price of what is violated until it holds; returns false if it never will. */
    private boolean relieve(long budget) {
        boolean sign = violatedSubflow >= 0;
        double missing = sign ? -rate[violatedSubflow] : load[violatedRow] - rows.limit[violatedRow];
        while (steps < budget) {
            double gain = direction();
            double blocked = longestStep();
            double full = gain > DEPENDENT ? missing / gain : NONE;
            if (full == NONE && blocked == NONE) {
                return false;
            }
            double length = Math.min(full, blocked);
            move(length);
            missing -= gain > DEPENDENT ? length * gain : 0;
            if (full <= blocked) {
                activate(gain);
                return true;
            }
            dropBlocking();
        }
        return true;
    }

    /**
     * Works out how everything follows a unit rise of the violated one's price.
     *
     * @return how fast the violation falls
     */
    private double direction() {
        while (true) {
            activeStep = active.fit(activeStep);
            Arrays.fill(activeStep, 0, active.size(), 0);
            if (violatedSubflow >= 0) {
                active.respondToSubflow(violatedSubflow, 1, activeStep);
            } else {
                active.respondToRow(violatedRow, -1, activeStep);
            }
            int row = violatedSubflow >= 0 ? -1 : violatedRow;
            follow(row);
            double drift = drift();
            for (int i = 0; drift > REFINE && i < 2; i++) {
                active.solve(rest, activeStep);
                follow(row);
                drift = drift();
            }
            if (drift <= DRIFT || fresh) {
                return violatedSubflow >= 0
                        ? levelStep[rows.connectionOf[violatedSubflow]] - priceStep[violatedSubflow] : -loadStep[row];
            }
            refactor();
        }
    }

    /** Puts how the loads of active rows move, which should be not at all, into {@link #rest}; returns the largest. */
    private double drift() {
        rest = active.fit(rest);
        double worst = 0;
        for (int i = 0; i < active.size(); i++) {
            rest[i] = loadStep[active.row(i)];
            worst = Math.max(worst, Math.abs(rest[i]));
        }
        return worst;
    }

    private void refactor() {
        fresh = true;
        if (!active.refactor()) {
            Arrays.fill(lambda, 0);
            evaluate();
        }
    }

    /** Lets everything follow the step of the active rows and, unless −1, a unit rise of one more row's price. */
    private void follow(int row) {
        Arrays.fill(lambdaStep, 0);
        Arrays.fill(loadStep, 0);
        for (int i = 0; i < active.size(); i++) {
            lambdaStep[active.row(i)] = activeStep[i];
        }
        if (row >= 0) {
            lambdaStep[row] = 1;
        }
        followPrices();
        followLoads();
    }

    /** Lets prices of subflows and levels follow. Fields are taken out of the loops: this is where the time goes. */
    private void followPrices() {
        int[] rowStart = rows.rowStart;
        int[] row = rows.row;
        double[] lambdas = lambdaStep;
        boolean[] used = active.used;
        for (int c = 0, s = 0; c < total.length; c++) {
            double sum = 0;
            for (int end = rows.first[c + 1]; s < end; s++) {
                double p = s == violatedSubflow ? -1 : 0;
                for (int i = rowStart[s], last = rowStart[s + 1]; i < last; i++) {
                    p += lambdas[row[i]];
                }
                priceStep[s] = p;
                sum += used[s] ? p : 0;
            }
            levelStep[c] = sum / active.usedCount[c];
        }
    }

    /** Lets loads follow. */
    private void followLoads() {
        int[] rowStart = rows.rowStart;
        int[] row = rows.row;
        double[] loads = loadStep;
        for (int c = 0, s = 0; c < total.length; c++) {
            for (int end = rows.first[c + 1]; s < end; s++) {
                double rise = active.used[s] ? levelStep[c] - priceStep[s] : 0;
                if (rise != 0) {
                    for (int i = rowStart[s], last = rowStart[s + 1]; i < last; i++) {
                        loads[row[i]] += rise;
                    }
                }
            }
        }
    }

    /** Returns how far the step can go before a price of the active set falls to 0, and notes which. */
    private double longestStep() {
        double least = NONE;
        blockingRow = -1;
        blockingSubflow = -1;
        for (int i = 0; i < active.size(); i++) {
            if (activeStep[i] < FALLS) {
                double length = Math.max(0, lambda[active.row(i)]) / -activeStep[i];
                if (length < least) {
                    least = length;
                    blockingRow = active.row(i);
                }
            }
        }
        for (int s = 0; s < price.length; s++) {
            if (!active.used[s]) {
                int c = rows.connectionOf[s];
                double change = priceStep[s] - levelStep[c];
                double length = change < FALLS ? Math.max(0, price[s] - level[c]) / -change : NONE;
                if (length < least) {
                    least = length;
                    blockingRow = -1;
                    blockingSubflow = s;
                }
            }
        }
        return least;
    }

    private void move(double length) {
        for (int r = 0; r < lambda.length; r++) {
            lambda[r] += length * lambdaStep[r];
            load[r] += length * loadStep[r];
        }
        for (int c = 0; c < level.length; c++) {
            level[c] += length * levelStep[c];
        }
        for (int s = 0; s < price.length; s++) {
            price[s] += length * priceStep[s];
            if (active.used[s]) {
                rate[s] += length * (levelStep[rows.connectionOf[s]] - priceStep[s]);
            }
        }
    }

    private void dropBlocking() {
        changed();
        if (blockingRow >= 0) {
            active.removeRow(blockingRow);
            lambda[blockingRow] = 0;
        } else {
            active.use(blockingSubflow);
        }
    }

    /** Lets what was violated, and now just holds, join the active set. */
    private void activate(double gain) {
        changed();
        if (violatedSubflow >= 0) {
            active.leave(violatedSubflow, activeStep, gain);
            rate[violatedSubflow] = 0;
            violatedSubflow = -1;
        } else {
            active.addRow(violatedRow, activeStep, gain);
        }
        if (steps - lastEvaluation >= STEPS_BETWEEN_EVALUATIONS) {
            evaluate();
        }
        settle();
    }

    private void changed() {
        steps++;
        fresh = false;
    }

    /**
     * Goes on where something is violated although prices say that it can hold, so rounding has got the better of the
     * inverse: inverts anew; after that, starts over; and in the end leaves alone what cannot be told from rounding.
     */
    private void recover() {
        evaluate();
        double missing = violatedSubflow >= 0 ? -rate[violatedSubflow] / total[rows.connectionOf[violatedSubflow]]
                : load[violatedRow] / rows.limit[violatedRow] - 1;
        if (!fresh) {
            refactor();
        } else if (missing > COARSEST && restarts < MOST_RESTARTS) {
            restarts++;
            active.clear();
            Arrays.fill(lambda, 0);
        } else {
            ignored.set(violatedSubflow >= 0 ? load.length + violatedSubflow : violatedRow);
        }
        violatedSubflow = -1;
        evaluate();
        settle();
    }

    private double[] ray() {
        double[] y = new double[rows.rows()];
        for (int r = 0; r < y.length; r++) {
            y[r] = lambdaStep[r] > -FALLS ? lambdaStep[r] : 0;
        }
        if (violatedSubflow < 0) {
            lambda[violatedRow] = 0;
        }
        return y;
    }
}
