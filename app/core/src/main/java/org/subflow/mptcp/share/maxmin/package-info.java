// SPDX-License-Identifier: Apache-2.0
/**
 * Lexicographic max-min fairness on a scaled problem.
 *
 * <h2>The problem</h2>
 * Filling single links is not enough, because a connection with several subflows can make room by moving traffic to another
 * path. The textbook method solves one linear program per level. This package needs one pass of a simplex method.
 *
 * <h2>Cold start</h2>
 * <ol>
 * <li>{@code InitialSplit} guesses how connections split over their subflows;
 * <li>{@code ProgressiveFilling} raises all levels together. {@code ParametricSimplex} moves rates between subflows so that
 * loads stay within limits: one pivot where a row fills up or a subflow runs empty;
 * <li>where no pivot helps, the prices of rows prove a bottleneck, a {@link org.subflow.mptcp.share.maxmin.Cut}:
 * Σ (price of the cheapest subflow)·total ≤ Σ price·limit, with equality. Connections with a price stop, as do connections
 * at their cap. {@code FixedVariables} keeps what the cut determines out of later pivots;
 * <li>{@code WaterFilling} computes the levels once more, from the cuts alone. No feasible totals are fairer, so the answer
 * is measured by these;
 * <li>{@link org.subflow.mptcp.share.split.LeastSquaresSplit} splits the totals over subflows.
 * </ol>
 *
 * <h2>Warm start</h2>
 * {@code WarmStart} begins with the simplex and the cuts of the last version of the problem. {@code CuttingPlaneMaxMin} then
 * alternates between water filling under the known cuts and a move towards these totals, which finds the next cut. A bound
 * on pivots ends an attempt that does not converge; then a cold start follows.
 * {@link org.subflow.mptcp.share.maxmin.Newcomer} uses the same method for one total that matters.
 *
 * <h2>Layers</h2>
 * <pre>
 *   MaxMinSolver → ProgressiveFilling → ParametricSimplex → BasicSolution → GubBasis
 *                → WarmStart → CuttingPlaneMaxMin → ParametricSimplex, WaterFilling
 *   Newcomer     → CuttingPlaneMaxMin
 * </pre>
 *
 * <h2>Complexity</h2>
 * O(n² + size of A) per pivot, for n full rows. A cold start on a fat tree (k = 8, three subflows each) takes some 800
 * pivots for 1,000 connections and 2,700 for 10,000; a warm start after an arrival takes some ten. For k = 16
 * and 10,000 connections it is 10,100 pivots against 76.
 *
 * <p>References: D. Bertsekas, R. Gallager, "Data Networks", section 6.5 (progressive filling, bottlenecks); G. Dantzig,
 * R. Van Slyke, "Generalized upper bounding techniques", 1967; W. Ben-Ameur, J. Neto, "Acceleration of cutting-plane and
 * column generation algorithms", 2007.
 */
package org.subflow.mptcp.share.maxmin;
