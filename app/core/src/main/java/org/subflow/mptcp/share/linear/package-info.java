// SPDX-License-Identifier: Apache-2.0
/**
 * Linear algebra of sharing problems. Every solver of {@code share} builds on this package; it knows none of them.
 *
 * <h2>Scaled problem</h2>
 * {@link org.subflow.mptcp.share.linear.ScaledProblem} is the input of every solver, as flat arrays:
 * <pre>
 *   A·x ≤ b, x ≥ 0         one row per arc, one column per subflow; the largest b is 1
 *   Σ x over c ≤ cap(c)    for each connection c
 * </pre>
 * {@link org.subflow.mptcp.share.linear.RowPrices} holds a price for each row (a dual vector) and yᵀA, the price of each
 * subflow. A price vector is mostly zero, so setting and clearing costs only the entries of the rows concerned.
 *
 * <h2>Normal equations</h2>
 * {@link org.subflow.mptcp.share.linear.NormalEquations} collects A·M·Aᵀ over chosen rows as a dense matrix;
 * {@link org.subflow.mptcp.share.linear.Cholesky} factors it in n³/6 steps of multiply and add.
 *
 * <h2>Exactness</h2>
 * {@link org.subflow.mptcp.share.linear.Tolerances} names the bounds that several solvers share, with their reasons.
 *
 * <p>Reference: G. Golub, C. Van Loan, "Matrix Computations", chapter 4.
 */
package org.subflow.mptcp.share.linear;
