// SPDX-License-Identifier: Apache-2.0
/**
 * Splits the totals of connections over their subflows.
 *
 * <h2>Why</h2>
 * Fairness determines totals, but mostly not the rates of subflows. A simplex method ends at a vertex, where idle paths are
 * common: on a fat tree with 10,000 connections of three subflows, 2,032 of 30,000 subflows would get nothing. The
 * least-squares split is unique, independent of the method that found the totals, and leaves no subflow idle without need.
 * It takes a tenth of the time that the simplex method takes for totals, or less.
 *
 * <h2>Scheme</h2>
 * {@link org.subflow.mptcp.share.split.LeastSquaresSplit} maximises the dual by a damped Newton method.
 * {@code SplitNewtonSystem} solves for each step, by conjugate gradients or a factorisation, whichever is cheaper.
 *
 * <h2>Complexity</h2>
 * Mostly 5 to 30 steps, each O(size of A) per round of conjugate gradients.
 *
 * <p>Reference: L. Qi, J. Sun, "A nonsmooth version of Newton's method", 1993.
 */
package org.subflow.mptcp.share.split;
