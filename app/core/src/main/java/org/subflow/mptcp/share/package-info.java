// SPDX-License-Identifier: Apache-2.0
/**
 * Fair shares: what every subflow should get when connections share a network. Design of the package.
 *
 * <h2>What it is about</h2>
 * Routes are given, rates are wanted. A {@link org.subflow.mptcp.share.SharingProblem} says which arcs there are,
 * with what
 * capacity, and which connections want to send over them: weight, cap, and the routes of their subflows. An
 * {@link org.subflow.mptcp.share.Allocator} answers with an {@link org.subflow.mptcp.share.Allocation}: a rate for
 * every subflow, how exact it is, and a certificate. All rates and capacities are bit/s.
 *
 * <p>Nothing here knows of ONOS, of a clock or of chance: the same problem gives the same answer, bit for bit.
 * The controller, the offline planner, the benchmarks and the simulator use the package as it is.
 *
 * <h2>Three notions of fair</h2>
 * <table>
 * <caption>Allocators</caption>
 * <tr><th>name</th><th>answer</th><th>certificate</th></tr>
 * <tr><td>{@code max-min} (standard)</td><td>lexicographic max-min over connections, exact</td><td>bottlenecks</td></tr>
 * <tr><td>{@code proportional}</td><td>max Σ w·log(rate), exact</td><td>Kelly's prices</td></tr>
 * <tr><td>{@code smptcp}</td><td>the heuristic of S-MPTCP, Algorithms 2 to 4</td><td>none</td></tr>
 * </table>
 * What counts is the total of a connection; its split is free where the totals leave it free. The exact allocators
 * then take the feasible split with the least sum of squares: it is unique, as even as the arcs allow, and no subflow
 * is told to stand still without need.
 *
 * <h2>Why a certificate</h2>
 * With several subflows per connection nobody sees from the rates alone whether they are right. Prices of arcs make it
 * a matter of adding up ({@link org.subflow.mptcp.share.Optimality}), and they say which arcs to blame: those are the
 * bottlenecks that users see.
 *
 * <h2>How the parts fit</h2>
 * <pre>
 *   MaxMinAllocator → MaxMinSession (independent sets, what is unchanged) → MaxMinSolver
 *      MaxMinSolver → LevelRise (all levels rise until cuts stop them) → RateSimplex → MovingRates → RouteBasis
 *                        LevelRise → RoughSplit (where to begin)
 *                   → Resumption (from the last version) → FairWalk → RateSimplex
 *                   → WaterFilling (fair under cuts alone)
 *                   → EvenSplit (split totals) → SplitEquations → RowSystem → Cholesky
 *   WhatIfShares → RowsAppender (one connection over other paths), MaxMinSolver (what is) → FairWalk
 *   ProportionalAllocator → InteriorPoint → PriceEquations → RowSystem → Cholesky
 *                         → EvenSplit
 *   SmptcpAllocator → WaterFlow
 * </pre>
 * All solvers work on {@code Rows}: the problem without what can send nothing, scaled, with the caps of subflows as
 * further rows. They are made for one computation and thrown away, but for an
 * {@link org.subflow.mptcp.share.AllocationSession}, which keeps what the next version of a problem can start from.
 *
 * <h2>Beside the allocators</h2>
 * {@link org.subflow.mptcp.share.IndependentSets} finds what a change can touch;
 * {@link org.subflow.mptcp.share.Zeta} is eMPTCP's estimate of what a connection could reach,
 * {@link org.subflow.mptcp.share.WhatIfShares} the part of it that takes an allocation.
 */
package org.subflow.mptcp.share;
