// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;

/**
 * Maximises Σ w·log(T) over feasible rates by a primal-dual interior-point method with predictor and corrector.
 *
 * <p>Unknowns are the rates x with their multipliers z, and for each row the slack and the price y; caps of connections
 * are rows of their own that never leave their connection. Each Newton system is reduced to one equation per row,
 * (A·K·Aᵀ + slack/y)·Δy = rhs, where K = (D + θ·1·1ᵀ)⁻¹ is known in closed form for each connection. Rows that have
 * nothing
 * to decide any more (their slack/y dwarfs the rest of the diagonal) are solved for on their own, so that the dense
 * system
 * shrinks to the rows that are full in the end. Splits and prices need not be unique; a proximal term on x and a trace
 * of one on y keep the systems regular without moving the answer.
 *
 * <p>S. Mehrotra, "On the implementation of a primal-dual interior point method", 1992. Scaled units.
 */
final class InteriorPoint {
    /** Stop at this duality gap, relative to the sum of weights. */
    private static final double TARGET = 1e-13;
    private static final double GOOD = 1e-7;
    private static final int MOST_ITERATIONS = 80;
    private static final int MOST_WITHOUT_PROGRESS = 5;
    private static final double ALONE = 1e7;
    private static final double UNIMPORTANT = 1e-13;
    private static final double DEPENDENT = 1e-14;
    private static final double REGULAR = 1e-13;
    private static final double LEAST_CENTRING = 1e-4;
    private static final double ROUNDING = 1e-12;
    private static final double PROXIMAL = 1e-6;
    private static final double SHORT = 0.1;
    private static final double SHORT_CENTRING = 0.5;
    private static final double TO_BOUNDARY = 0.995;

    private final Rows rows;
    private final int subflows;
    private final int connections;
    private final double weights;
    /** Rows that somebody crosses. */
    private final int[] busy;

    final double[] x;
    private final double[] z;
    private final double[] slack;
    private final double[] y;
    /** What each connection pays per unit; weight ÷ total in the end. */
    private final double[] levelPrice;
    private final double[] capSlack;
    private final double[] capPrice;
    private final double[] total;

    private final double[] dx;
    private final double[] dz;
    private final double[] dSlack;
    private final double[] dy;
    private final double[] dTotal;
    private final double[] dLevelPrice;
    private final double[] dCapSlack;
    private final double[] dCapPrice;
    private final double[] d;
    private final double[] theta;
    /** What the products x·z, slack·y and those of the caps should become. */
    private final double[] targetX;
    private final double[] targetRow;
    private final double[] targetCap;
    private final double[] targetTotal;
    private final double[] rhsX;
    private final double[] common;
    private final double[] diagonal;

    private final int[] index;
    private int dense;
    private double[][] matrix = new double[0][];
    private final double[] vector;

    /** The best prices so far, scaled to be worth the sum of weights, rates, and their relative duality gap. */
    double[] bestPrices;
    double[] bestRates;
    /** Rows that are full, and subflows that are empty, at the best so far: the product of the two sides says which is 0. */
    final boolean[] full;
    final boolean[] empty;
    double bestGap = Double.POSITIVE_INFINITY;

    InteriorPoint(Rows rows) {
        this.rows = rows;
        subflows = rows.subflows();
        connections = rows.connections();
        weights = Arrays.stream(rows.weight).sum();
        int[] crossed = new int[rows.rows()];
        int count = 0;
        for (int r = 0; r < rows.rows(); r++) {
            if (rows.onStart[r] < rows.onStart[r + 1]) {
                crossed[count++] = r;
            }
        }
        busy = Arrays.copyOf(crossed, count);
        x = new double[subflows];
        z = new double[subflows];
        dx = new double[subflows];
        dz = new double[subflows];
        d = new double[subflows];
        rhsX = new double[subflows];
        common = new double[connections];
        targetX = new double[subflows];
        targetRow = new double[rows.rows()];
        targetCap = new double[connections];
        targetTotal = new double[connections];
        levelPrice = new double[connections];
        dTotal = new double[connections];
        dLevelPrice = new double[connections];
        slack = new double[rows.rows()];
        y = new double[rows.rows()];
        dSlack = new double[rows.rows()];
        dy = new double[rows.rows()];
        diagonal = new double[rows.rows()];
        index = new int[rows.rows()];
        vector = new double[rows.rows()];
        total = new double[connections];
        capSlack = new double[connections];
        capPrice = new double[connections];
        dCapSlack = new double[connections];
        dCapPrice = new double[connections];
        theta = new double[connections];
        bestPrices = new double[rows.rows()];
        bestRates = new double[subflows];
        full = new boolean[rows.rows()];
        empty = new boolean[subflows];
    }

    /** Solves; the answer is in {@link #bestRates}, {@link #bestPrices} and {@link #bestGap}. */
    void solve() {
        if (connections == 0) {
            bestGap = 0;
            return;
        }
        start();
        int idle = 0;
        for (int i = 0; i < MOST_ITERATIONS && bestGap > TARGET && idle < MOST_WITHOUT_PROGRESS; i++) {
            double before = bestGap;
            iterate();
            measure();
            // Close to the end rounding grows as the products shrink: what no longer improves will get worse.
            idle = bestGap < before / 2 || bestGap > GOOD ? 0 : idle + 1;
        }
    }

    private void start() {
        for (int c = 0; c < connections; c++) {
            double sum = 0;
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                x[s] = rows.cap[c];
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    int r = rows.row[i];
                    x[s] = Math.min(x[s], rows.limit[r] / (rows.onStart[r + 1] - rows.onStart[r]));
                }
                x[s] /= 2;
                sum += x[s];
            }
            double part = sum > rows.cap[c] / 2 ? rows.cap[c] / 2 / sum : 1;
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                x[s] *= part;
            }
        }
        double mu = weights / (subflows + busy.length);
        for (int r : busy) {
            slack[r] = rows.limit[r];
        }
        for (int s = 0; s < subflows; s++) {
            z[s] = mu / x[s];
            total[rows.connectionOf[s]] += x[s];
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                slack[rows.row[i]] -= x[s];
            }
        }
        for (int r : busy) {
            y[r] = mu / slack[r];
        }
        for (int c = 0; c < connections; c++) {
            levelPrice[c] = rows.weight[c] / total[c];
            if (capped(c)) {
                capSlack[c] = rows.cap[c] - total[c];
                capPrice[c] = mu / capSlack[c];
            }
        }
    }

    private boolean capped(int c) {
        return rows.cap[c] < Double.POSITIVE_INFINITY;
    }

    /** Takes one predictor-corrector step. */
    private void iterate() {
        assemble();
        // Rows that follow from others have no price of their own: their pivot is rounding, and their step 0.
        Cholesky.factor(matrix, dense, DEPENDENT);
        double mu = complementarity(0);
        step(0, 0);
        double reach = longest();
        double ahead = complementarity(reach) / mu;
        double centring = Math.max(ahead * ahead * ahead, LEAST_CENTRING);
        step(centring * mu, reach * reach);
        if (longest() < SHORT) {
            step(SHORT_CENTRING * mu, 0);
        }
        advance(Math.min(1, TO_BOUNDARY * longest()));
    }

    private double complementarity(double length) {
        double sum = 0;
        int pairs = subflows + busy.length;
        for (int s = 0; s < subflows; s++) {
            sum += (x[s] + length * dx[s]) * (z[s] + length * dz[s]);
        }
        for (int r : busy) {
            sum += (slack[r] + length * dSlack[r]) * (y[r] + length * dy[r]);
        }
        for (int c = 0; c < connections; c++) {
            if (capped(c)) {
                sum += (capSlack[c] + length * dCapSlack[c]) * (capPrice[c] + length * dCapPrice[c]);
                pairs++;
            }
        }
        return sum / pairs;
    }

    /** Builds A·K·Aᵀ + slack/y over the rows that matter. */
    private void assemble() {
        Arrays.fill(diagonal, 0);
        for (int c = 0; c < connections; c++) {
            theta[c] = levelPrice[c] / total[c] + (capped(c) ? capPrice[c] / capSlack[c] : 0);
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                d[s] = z[s] / x[s] + PROXIMAL * levelPrice[c] / total[c];
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    diagonal[rows.row[i]] += 1 / d[s];
                }
            }
        }
        Arrays.fill(index, -1);
        dense = 0;
        for (int r : busy) {
            if (slack[r] / y[r] < ALONE * diagonal[r]) {
                index[r] = dense++;
            }
        }
        if (matrix.length < dense) {
            matrix = new double[dense][dense];
        }
        for (int i = 0; i < dense; i++) {
            Arrays.fill(matrix[i], i, dense, 0);
        }
        for (int c = 0; c < connections; c++) {
            addConnection(c);
        }
        for (int r : busy) {
            diagonal[r] += slack[r] / y[r];
            if (index[r] >= 0) {
                int p = index[r];
                matrix[p][p] = (matrix[p][p] + slack[r] / y[r]) * (1 + REGULAR);
            }
        }
    }

    private void addConnection(int c) {
        double inverseSum = inverseSum(c);
        double common = 1 / (inverseSum * (1 + theta[c] * inverseSum));
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            for (int t = rows.first[c]; t < rows.first[c + 1]; t++) {
                double others = s == t ? d[s] * (inverseSum - 1 / d[s]) : -1;
                double k = (others / inverseSum + common) / (d[s] * d[t]);
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    int p = index[rows.row[i]];
                    for (int j = rows.rowStart[t]; p >= 0 && j < rows.rowStart[t + 1]; j++) {
                        int q = index[rows.row[j]];
                        if (q >= p) {
                            matrix[p][q] += k;
                        }
                    }
                }
            }
        }
    }

    private double inverseSum(int c) {
        double sum = 0;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            sum += 1 / d[s];
        }
        return sum;
    }

    /** Computes the Newton step towards products of size mu, correcting for a part of those of the last step. */
    private void step(double mu, double part) {
        for (int s = 0; s < subflows; s++) {
            targetX[s] = mu - part * dx[s] * dz[s];
        }
        for (int r : busy) {
            targetRow[r] = mu - part * dSlack[r] * dy[r];
        }
        for (int c = 0; c < connections; c++) {
            targetCap[c] = mu - part * dCapSlack[c] * dCapPrice[c];
            targetTotal[c] = rows.weight[c] - part * dTotal[c] * dLevelPrice[c];
        }
        solvePrices();
        for (int r : busy) {
            dSlack[r] = (targetRow[r] - slack[r] * dy[r]) / y[r] - slack[r];
        }
        for (int c = 0; c < connections; c++) {
            follow(c);
        }
        for (int r : busy) {
            if (index[r] < 0) {
                dSlack[r] = rows.limit[r] - slack[r];
                for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
                    dSlack[r] -= x[rows.on[k]] + dx[rows.on[k]];
                }
            }
        }
    }

    private void solvePrices() {
        for (int r : busy) {
            dy[r] = targetRow[r] / y[r] - rows.limit[r];
        }
        for (int c = 0; c < connections; c++) {
            common[c] = (targetTotal[c] - levelPrice[c] * total[c]) / total[c];
            if (capped(c)) {
                common[c] += (capPrice[c] * (capSlack[c] - capExcess(c)) - targetCap[c]) / capSlack[c];
            }
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                rhsX[s] = targetX[s] / x[s] - z[s] - dualExcess(s);
            }
            applyK(c);
            for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
                for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                    dy[rows.row[i]] += x[s] + dx[s];
                }
            }
        }
        for (int r : busy) {
            if (index[r] >= 0) {
                vector[index[r]] = dy[r];
            } else {
                dy[r] /= diagonal[r];
            }
        }
        Cholesky.solve(matrix, dense, vector);
        for (int r : busy) {
            dy[r] = index[r] >= 0 ? vector[index[r]] : dy[r];
        }
    }

    private double capExcess(int c) {
        return total[c] + capSlack[c] - rows.cap[c];
    }

    /** Computes the steps of a connection from those of the prices. */
    private void follow(int c) {
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                rhsX[s] -= dy[rows.row[i]];
            }
        }
        applyK(c);
        double sum = 0;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            dz[s] = (targetX[s] - z[s] * dx[s]) / x[s] - z[s];
            sum += dx[s];
        }
        dTotal[c] = sum;
        dLevelPrice[c] = (targetTotal[c] - levelPrice[c] * sum) / total[c] - levelPrice[c];
        if (capped(c)) {
            dCapPrice[c] = (targetCap[c] + capPrice[c] * (sum + capExcess(c))) / capSlack[c] - capPrice[c];
            dCapSlack[c] = -sum - capExcess(c);
        }
    }

    /** Returns by how much the prices of a subflow's rows and z miss the price of its connection. */
    private double dualExcess(int s) {
        int c = rows.connectionOf[s];
        double sum = capPrice[c] - levelPrice[c] - z[s];
        for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
            sum += y[rows.row[i]];
        }
        // Below this it is rounding, which a division by d would blow up.
        return Math.abs(sum) > ROUNDING * levelPrice[c] ? sum : 0;
    }

    /**
     * Puts K·rhs of a connection into the steps of its subflows.
     *
     * <p>What all subflows have in common and what tells them apart are kept apart, because in the end the second is
     * divided by next to nothing, and rounding of the first must not be.
     */
    private void applyK(int c) {
        double inverseSum = inverseSum(c);
        double mean = 0;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            mean += rhsX[s] / d[s];
        }
        mean /= inverseSum;
        double shared = (mean + common[c]) / (1 + theta[c] * inverseSum);
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            dx[s] = (rhsX[s] - mean + shared) / d[s];
        }
    }

    /** Keeps rates, scaled to be feasible, and prices if their duality gap is the smallest so far. */
    private void measure() {
        double feasible = 1 / largestLoad();
        double worth = 0;
        for (int r : busy) {
            worth += y[r] * rows.limit[r];
        }
        for (int c = 0; c < connections; c++) {
            worth += capped(c) ? capPrice[c] * rows.cap[c] : 0;
        }
        double factor = weights / worth;
        double gap = 0;
        for (int r : busy) {
            gap += factor * y[r] * rows.limit[r];
        }
        for (int c = 0; c < connections; c++) {
            double q = factor * cheapest(c);
            double best = Math.min(rows.weight[c] / q, rows.cap[c]);
            gap += rows.weight[c] * Math.log(best / (feasible * total[c])) - q * best;
        }
        if (gap / weights < bestGap) {
            bestGap = Math.max(0, gap / weights);
            for (int s = 0; s < subflows; s++) {
                int c = rows.connectionOf[s];
                bestRates[s] = x[s];
                empty[s] = x[s] / total[c] < z[s] / levelPrice[c];
            }
            for (int r : busy) {
                double price = factor * y[r];
                bestPrices[r] = price * rows.limit[r] > UNIMPORTANT * weights ? price : 0;
                full[r] = slack[r] / rows.limit[r] < y[r] * rows.limit[r] * busy.length / weights;
            }
        }
    }

    /** Returns the largest load of a row or cap relative to its limit, or 1: rounding may put it above. */
    private double largestLoad() {
        double largest = 1;
        for (int r : busy) {
            double load = 0;
            for (int k = rows.onStart[r]; k < rows.onStart[r + 1]; k++) {
                load += x[rows.on[k]];
            }
            largest = Math.max(largest, load / rows.limit[r]);
        }
        for (int c = 0; c < connections; c++) {
            largest = Math.max(largest, total[c] / rows.cap[c]);
        }
        return largest;
    }

    private double cheapest(int c) {
        double least = Double.POSITIVE_INFINITY;
        for (int s = rows.first[c]; s < rows.first[c + 1]; s++) {
            double sum = 0;
            for (int i = rows.rowStart[s]; i < rows.rowStart[s + 1]; i++) {
                sum += y[rows.row[i]];
            }
            least = Math.min(least, sum);
        }
        return least;
    }

    private double longest() {
        double least = 1;
        least = boundary(x, dx, subflows, least);
        least = boundary(z, dz, subflows, least);
        least = boundary(levelPrice, dLevelPrice, connections, least);
        for (int r : busy) {
            least = dSlack[r] < 0 ? Math.min(least, -slack[r] / dSlack[r]) : least;
            least = dy[r] < 0 ? Math.min(least, -y[r] / dy[r]) : least;
        }
        least = boundary(capSlack, dCapSlack, connections, least);
        return boundary(capPrice, dCapPrice, connections, least);
    }

    private static double boundary(double[] value, double[] step, int n, double most) {
        double least = most;
        for (int i = 0; i < n; i++) {
            least = step[i] < 0 ? Math.min(least, -value[i] / step[i]) : least;
        }
        return least;
    }

    private void advance(double length) {
        add(x, dx, length);
        add(z, dz, length);
        add(slack, dSlack, length);
        add(y, dy, length);
        add(levelPrice, dLevelPrice, length);
        add(capSlack, dCapSlack, length);
        add(capPrice, dCapPrice, length);
        Arrays.fill(total, 0);
        for (int s = 0; s < subflows; s++) {
            total[rows.connectionOf[s]] += x[s];
        }
    }

    private static void add(double[] to, double[] step, double length) {
        for (int i = 0; i < to.length; i++) {
            to[i] += length * step[i];
        }
    }
}
