// SPDX-License-Identifier: Apache-2.0
/**
 * The allocation heuristic of S-MPTCP on a scaled problem, for comparison with the exact allocators.
 *
 * <h2>Scheme</h2>
 * Connections arrive in the order of the problem. Each arrival
 * <ol>
 * <li>gets the residual capacity of its routes (Algorithm 2, on the <em>judgement</em> graph);
 * <li>if that is below 0.9 of the average, it gets more, up to the average. Its subflows share this in
 * proportion to the excess of the connections joint with each. This is Algorithm 4, on the <em>calculation</em> graph, which
 * counts only connections processed in this arrival;
 * <li>then the connections that share an arc with it are processed in the same way, breadth first (Algorithm 3).
 * </ol>
 *
 * <h2>What it does not do</h2>
 * It keeps every arc within its capacity, but no step fills residual capacity: not always maximal, not exact. It compares
 * with the average of all joint connections. Where capacities differ much, the first connection processed on a narrow arc is
 * below that average and takes all of the arc; later ones can get nothing.
 *
 * <h2>Our reading, where the paper is silent or contradicts itself</h2>
 * <ul>
 * <li>Algorithm 2 as published never enters its loop (flag = 0). It counts {@code min(rb − Σ, 0)} as overload, and looks for
 * overload on the arcs of the last subflow only. Here it enters once, and continues while an arc of the connection is
 * overloaded and a subflow has a rate to give up.
 * <li>A connection that is processed again finds its own rates free in the judgement graph, and starts from its maximum.
 * <li>"Joint with a subflow" includes indirectly joint, as section 3.2 says: otherwise Fig. 1 is not evened out.
 * <li>Algorithm 4 adds up {@code sumet} over passes and divides the remainder while handing it out. Here each pass starts
 * from 0 and divides the remainder at its beginning. It ends when {@code sumet} is 0 or after 10 passes; the paper states no
 * threshold.
 * <li>Processing is repeated until A·et ≤ b, at most 100 times; then rates on overloaded arcs are scaled down.
 * <li>Weights divide the levels that are compared; caps bound the result of Algorithm 2. The paper has neither.
 * </ul>
 *
 * <h2>Complexity</h2>
 * O(n · size of A) per connection processed; every arrival may process all n connections.
 *
 * <p>Reference: Y. Liu et al., "Improve MPTCP with SDN: From the perspective of resource pooling", section 3.2.
 */
package org.subflow.mptcp.share.smptcp;
