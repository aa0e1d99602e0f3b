// SPDX-License-Identifier: Apache-2.0
/**
 * Lexicographic max-min fairness on a scaled problem.
 *
 * <h2>The problem</h2>
 * Filling single links is not enough, because a connection with several subflows can make room by moving traffic to another
 * path. The textbook method solves one linear program per level. This package needs one pass of a simplex method.
 *
 * <h2>By cuts</h2>
 * Any prices of rows give a bound on the totals, a {@link org.subflow.mptcp.share.maxmin.Cut}:
 * Σ (price of the cheapest subflow)·total ≤ Σ price·limit. No feasible totals are fairer than those which {@code WaterFilling}
 * computes from cuts alone. So if these can be split, they are the answer, however the cuts were found:
 * <ol>
 * <li>{@code KnownCuts} has those of the last version, or guesses: single rows, and the rows on which connections begin or end;
 * <li>{@code WaterFilling} computes the totals;
 * <li>{@link org.subflow.mptcp.share.split.LeastSquaresSplit} splits them over subflows. A split that fits proves them;
 * <li>prices of a split that does not fit grow on the rows in the way: they give further cuts, and all is repeated.
 * </ol>
 * On a fat tree, this finds the shares of many connections without any pivot. Where bottlenecks have prices that no guess
 * finds, the simplex method below does.
 *
 * <h2>By a simplex method</h2>
 * <ol>
 * <li>{@code InitialSplit} guesses how connections split over their subflows;
 * <li>{@code ProgressiveFilling} raises all levels together. {@code ParametricSimplex} moves rates between subflows so that
 * loads stay within limits: one pivot where a row fills up or a subflow runs empty;
 * <li>where no pivot helps, the prices of rows prove a bottleneck: a cut with equality. Connections with a price stop, as do
 * connections at their cap. {@code FixedVariables} keeps what the cut determines out of later pivots;
 * <li>{@code WaterFilling} computes the levels once more. The answer is measured by these;
 * <li>{@code KnownRates} finds the rates that are the same in every split, {@code LeastSquaresSplit} the others.
 * </ol>
 *
 * <h2>In bounded work</h2>
 * Pivots cost more the more rows are full, so thousands of connections over random paths take minutes. A controller cannot wait
 * for that. It bounds the work. Beyond that, totals are α-fair with a large α ({@link org.subflow.mptcp.share.alphafair}). Their prices
 * give cuts, which tell how far they are from max-min fair.
 *
 * <h2>Next version of a problem</h2>
 * {@code LastSplit} takes the place of {@code InitialSplit}: connections that were there before begin with the parts that they
 * had. These are near the new ones mostly, so that a third to a half of the pivots remain.
 *
 * <h2>One total</h2>
 * The cuts of a solved problem tell who waits for what a connection has, and so bound what it could have elsewhere. Where that is
 * not enough, {@link org.subflow.mptcp.share.maxmin.Newcomer} begins with the simplex and the cuts.
 * {@code CuttingPlaneMaxMin} alternates between water filling under the known cuts and a move towards these totals, which finds
 * the next cut.
 *
 * <h2>Layers</h2>
 * <pre>
 *   MaxMinSolver → KnownCuts, WaterFilling, KnownRates
 *                → ProgressiveFilling → ParametricSimplex → BasicSolution → GubBasis
 *                → InitialSplit, LastSplit
 *   Newcomer     → CuttingPlaneMaxMin → ParametricSimplex, WaterFilling
 * </pre>
 *
 * <h2>Complexity</h2>
 * By cuts, O(size of A) per round of the split's conjugate gradients. With the simplex, O(n² + size of A) per pivot, for n full
 * rows: thousands of pivots where many rows are full, some hundreds from the parts of the last version.
 *
 * <p>References: D. Bertsekas, R. Gallager, "Data Networks", section 6.5 (progressive filling, bottlenecks); G. Dantzig,
 * R. Van Slyke, "Generalized upper bounding techniques", 1967; W. Ben-Ameur, J. Neto, "Acceleration of cutting-plane and
 * column generation algorithms", 2007.
 */
package org.subflow.mptcp.share.maxmin;
