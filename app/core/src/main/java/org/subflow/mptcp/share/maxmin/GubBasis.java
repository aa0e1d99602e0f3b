// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share.maxmin;

import java.util.Arrays;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * A basis with generalised upper bounds (GUB) of the equations that rates satisfy: the load of a row plus its slack is its
 * limit, and the rates of a connection's subflows add up to its total.
 *
 * <p>Each connection has one <em>key</em> subflow, which carries the part of the total that its siblings do not carry. This
 * eliminates one equation per connection. The <em>working basis</em> W remains to be inverted. It has one line per
 * <em>tight</em> row, a row with slack 0, and one column per <em>working</em> subflow, a basic subflow that is not key:
 * the column of the working subflow in A, less that of the key of its connection. All other subflows are nonbasic, all
 * other rows have a basic slack.
 *
 * <p>The inverse of W is dense. A pivot updates it in O(n²) for n tight rows, and faster where the pivot column is sparse.
 *
 * <p>G. Dantzig, R. Van Slyke, "Generalized upper bounding techniques", 1967.
 */
final class GubBasis {
    /** A smaller factor changes no entry of the inverse: entries are near 1, and a double has 16 digits. */
    private static final double DROP_TOLERANCE = 1e-15;

    /** Key subflow of each connection. */
    final int[] key;
    /** The working subflows and the tight rows; there are equally many. */
    int[] working = new int[16];
    int[] tight = new int[16];
    int size;

    private final ScaledProblem problem;
    private final int[] workingPlace;
    private final int[] tightPlace;
    /** W⁻¹: one line per working subflow, one column per tight row. Lines from {@link #size} on may be null. */
    private double[][] inverse = new double[16][16];
    private double[] tightSlacks = new double[16];

    /** Begins without tight rows; the first subflow of each connection is its key. */
    GubBasis(ScaledProblem problem) {
        this.problem = problem;
        key = Arrays.copyOf(problem.first, problem.connections());
        workingPlace = new int[problem.subflows()];
        tightPlace = new int[problem.rows()];
        Arrays.fill(workingPlace, -1);
        Arrays.fill(tightPlace, -1);
    }

    /** Returns a copy for a problem that begins with the same connections, subflows and rows. */
    GubBasis copy(ScaledProblem more) {
        GubBasis basis = new GubBasis(more);
        System.arraycopy(key, 0, basis.key, 0, key.length);
        basis.reserve(size + 1);
        basis.size = size;
        for (int i = 0; i < size; i++) {
            basis.inverse[i] = Arrays.copyOf(inverse[i], basis.inverse.length);
            basis.working[i] = working[i];
            basis.tight[i] = tight[i];
            basis.workingPlace[working[i]] = i;
            basis.tightPlace[tight[i]] = i;
        }
        return basis;
    }

    boolean isWorking(int subflow) {
        return workingPlace[subflow] >= 0;
    }

    boolean isTight(int row) {
        return tightPlace[row] >= 0;
    }

    /** Returns the given vector if it holds a number per tight row and one more, else a longer one. */
    double[] fit(double[] vector) {
        return vector.length > size ? vector : new double[2 * size + 16];
    }

    /**
     * Writes the line of the simplex tableau for the slack of a row that is not tight: how its load changes per unit of
     * load on each tight row.
     */
    void rowOfSlack(int row, double[] pivotRow) {
        Arrays.fill(pivotRow, 0, size, 0);
        for (int k = problem.onStart[row]; k < problem.onStart[row + 1]; k++) {
            int s = problem.on[k];
            int c = problem.connectionOf[s];
            if (workingPlace[s] >= 0) {
                addLine(workingPlace[s], 1, pivotRow);
            } else if (key[c] == s) {
                for (int e = problem.first[c]; e < problem.first[c + 1]; e++) {
                    if (workingPlace[e] >= 0) {
                        addLine(workingPlace[e], -1, pivotRow);
                    }
                }
            }
        }
    }

    /** Writes the line of the tableau for a working subflow: how its rate changes per unit of load on each tight row. */
    void rowOfSubflow(int subflow, double[] pivotRow) {
        System.arraycopy(inverse[workingPlace[subflow]], 0, pivotRow, 0, size);
    }

    private void addLine(int p, double factor, double[] to) {
        double[] line = inverse[p];
        for (int i = 0; i < size; i++) {
            to[i] += factor * line[i];
        }
    }

    /** Writes the column of the tableau for a nonbasic subflow: how far each working subflow falls per unit of its rate. */
    void columnOfSubflow(int subflow, double[] column) {
        Arrays.fill(column, 0, size, 0);
        addColumns(subflow, 1, column);
        addColumns(key[problem.connectionOf[subflow]], -1, column);
    }

    /** Writes the column of the tableau for the slack of a tight row: how far each working subflow falls per unit of it. */
    void columnOfSlack(int row, double[] column) {
        int q = tightPlace[row];
        for (int p = 0; p < size; p++) {
            column[p] = inverse[p][q];
        }
    }

    private void addColumns(int subflow, double factor, double[] to) {
        for (int i = problem.rowStart[subflow]; i < problem.rowStart[subflow + 1]; i++) {
            int q = tightPlace[problem.row[i]];
            for (int p = 0; q >= 0 && p < size; p++) {
                to[p] += factor * inverse[p][q];
            }
        }
    }

    /**
     * Solves for the rates of the working subflows.
     *
     * @param slacks slack of each row if keys carried the whole totals
     * @param rates  receives the rate of each working subflow
     */
    void solve(double[] slacks, double[] rates) {
        tightSlacks = fit(tightSlacks);
        for (int i = 0; i < size; i++) {
            tightSlacks[i] = slacks[tight[i]];
        }
        for (int p = 0; p < size; p++) {
            rates[p] = product(inverse[p], tightSlacks, size);
        }
    }

    /** Keeps four sums, so that the processor need not wait for one addition before it begins the next. */
    private static double product(double[] x, double[] y, int n) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i + 3 < n; i += 4) {
            a += x[i] * y[i];
            b += x[i + 1] * y[i + 1];
            c += x[i + 2] * y[i + 2];
            d += x[i + 3] * y[i + 3];
        }
        for (; i < n; i++) {
            a += x[i] * y[i];
        }
        return a + b + (c + d);
    }

    /** Writes the prices of tight rows that make each working subflow dearer than its key by the given amount. */
    void solveTransposed(double[] more, double[] prices) {
        Arrays.fill(prices, 0, size, 0);
        for (int p = 0; p < size; p++) {
            if (more[p] != 0) {
                addLine(p, more[p], prices);
            }
        }
    }

    /** Makes a working subflow the key of its connection and the key a working subflow. */
    void swapKey(int subflow) {
        int c = problem.connectionOf[subflow];
        int p = workingPlace[subflow];
        double[] line = inverse[p];
        for (int e = problem.first[c]; e < problem.first[c + 1]; e++) {
            if (workingPlace[e] >= 0 && e != subflow) {
                addLine(workingPlace[e], 1, line);
            }
        }
        scale(line, -1);
        workingPlace[key[c]] = p;
        working[p] = key[c];
        workingPlace[subflow] = -1;
        key[c] = subflow;
    }

    /** Replaces a working subflow by a nonbasic one with the given {@link #columnOfSubflow}. */
    void exchangeSubflow(int leaving, int entering, double[] column) {
        int p = workingPlace[leaving];
        scale(inverse[p], 1 / column[p]);
        eliminate(p, column);
        workingPlace[leaving] = -1;
        workingPlace[entering] = p;
        working[p] = entering;
    }

    /** Replaces a tight row by another row with the given {@link #rowOfSlack}. */
    void exchangeRow(int becomesTight, int leaving, double[] pivotRow) {
        int q = tightPlace[leaving];
        double pivot = pivotRow[q];
        pivotRow[q] = 0;
        for (int p = 0; p < size; p++) {
            double[] line = inverse[p];
            double f = line[q] / pivot;
            if (Math.abs(f) > DROP_TOLERANCE) {
                line[q] = f;
                subtract(line, pivotRow, f, size);
            }
        }
        pivotRow[q] = pivot;
        tightPlace[leaving] = -1;
        tightPlace[becomesTight] = q;
        tight[q] = becomesTight;
    }

    /**
     * Adds a tight row and a working subflow.
     *
     * @param pivotRow the row's {@link #rowOfSlack}
     * @param column   the subflow's {@link #columnOfSubflow}
     * @param gain     how much the row's slack grows per unit on the subflow, not 0
     */
    void grow(int row, int subflow, double[] pivotRow, double[] column, double gain) {
        reserve(size + 1);
        double[] last = inverse[size] == null ? new double[inverse.length] : inverse[size];
        inverse[size] = last;
        for (int i = 0; i < size; i++) {
            last[i] = pivotRow[i] / gain;
        }
        last[size] = -1 / gain;
        for (int p = 0; p < size; p++) {
            inverse[p][size] = 0;
            if (Math.abs(column[p]) > DROP_TOLERANCE) {
                subtract(inverse[p], last, column[p], size + 1);
            }
        }
        tight[size] = row;
        tightPlace[row] = size;
        working[size] = subflow;
        workingPlace[subflow] = size;
        size++;
    }

    /** Removes a tight row with the given {@link #columnOfSlack} and a working subflow. */
    void shrink(int row, int subflow, double[] column) {
        int q = tightPlace[row];
        int p = workingPlace[subflow];
        double[] gone = inverse[p];
        scale(gone, 1 / gone[q]);
        eliminate(p, column);
        int last = --size;
        inverse[p] = inverse[last];
        inverse[last] = gone;
        working[p] = working[last];
        workingPlace[working[p]] = p;
        workingPlace[subflow] = -1;
        for (int i = 0; i < last; i++) {
            inverse[i][q] = inverse[i][last];
        }
        tight[q] = tight[last];
        tightPlace[tight[q]] = q;
        tightPlace[row] = -1;
    }

    /**
     * Improves the inverse by a step of Newton's method, O(n³).
     *
     * @return the largest error found in the product of W and its inverse; the step helps if this is well below 1
     */
    double refine() {
        double[][] error = new double[size][size];
        double largest = 0;
        for (int q = 0; q < size; q++) {
            rowOfSlack(tight[q], error[q]);
            for (int i = 0; i < size; i++) {
                error[q][i] = (i == q ? 1 : 0) - error[q][i];
                largest = Math.max(largest, Math.abs(error[q][i]));
            }
        }
        double[] sum = new double[size];
        for (int p = 0; p < size; p++) {
            Arrays.fill(sum, 0);
            for (int q = 0; q < size; q++) {
                if (inverse[p][q] != 0) {
                    subtract(sum, error[q], -inverse[p][q], size);
                }
            }
            subtract(inverse[p], sum, -1, size);
        }
        return largest;
    }

    private void eliminate(int p, double[] factor) {
        double[] line = inverse[p];
        for (int other = 0; other < size; other++) {
            if (other != p && Math.abs(factor[other]) > DROP_TOLERANCE) {
                subtract(inverse[other], line, factor[other], size);
            }
        }
    }

    private static void subtract(double[] from, double[] line, double factor, int n) {
        for (int i = 0; i < n; i++) {
            from[i] -= factor * line[i];
        }
    }

    private void scale(double[] line, double factor) {
        for (int i = 0; i < size; i++) {
            line[i] *= factor;
        }
    }

    private void reserve(int n) {
        if (n > inverse.length) {
            // Room for a quarter more; a line is made when it is needed: with thousands of tight rows it is the most of the memory.
            int length = n + n / 4 + 16;
            double[][] larger = new double[length][];
            for (int p = 0; p < size; p++) {
                larger[p] = Arrays.copyOf(inverse[p], length);
            }
            inverse = larger;
            working = Arrays.copyOf(working, length);
            tight = Arrays.copyOf(tight, length);
        }
    }
}
