// SPDX-License-Identifier: Apache-2.0
/**
 * Proportional fairness on a scaled problem: max Σ w·log(total), subject to A·x ≤ b and caps.
 *
 * <h2>Scheme</h2>
 * {@link org.subflow.mptcp.share.proportional.InteriorPoint} takes predictor and corrector steps on the perturbed
 * optimality conditions. Each iteration
 * <ol>
 * <li>reduces the Newton system to one equation per row ({@code PriceNewtonSystem}) and factors it once;
 * <li>solves for an affine step, and from its length chooses how much to centre;
 * <li>solves for the corrected step and takes 0.995 of the step to the boundary;
 * <li>measures the duality gap of the scaled, feasible rates and keeps the best point.
 * </ol>
 * It ends when the gap no longer falls, mostly after some 20 iterations.
 *
 * <h2>Complexity</h2>
 * O(r³/6 + size of A) per iteration, for r rows that may be full.
 *
 * <p>With thousands of rows that is too much for a controller. {@link org.subflow.mptcp.share.alphafair} approximates the
 * solution then.
 *
 * <p>References: S. Mehrotra, "On the implementation of a primal-dual interior point method", 1992; F. Kelly, A. Maulloo,
 * D. Tan, "Rate control for communication networks", 1998, for the prices.
 */
package org.subflow.mptcp.share.proportional;
