// SPDX-License-Identifier: Apache-2.0
/**
 * Fair shares: the rate that every subflow should get when connections share a network. This package is the interface; the
 * packages below it are the solvers.
 *
 * <h2>What it is about</h2>
 * Routes are given, rates are to be found. A {@link org.subflow.mptcp.share.SharingProblem} states the arcs with their
 * capacities, and the connections with weight, cap and the routes of their subflows. An
 * {@link org.subflow.mptcp.share.Allocator} answers with an {@link org.subflow.mptcp.share.Allocation}: a rate for every
 * subflow, its error and its certificate. Rates and capacities are in bit/s.
 *
 * <p>The package does not depend on ONOS, on a clock or on chance: the same problem gives the same answer, bit for bit. The
 * controller, the offline planner and the benchmarks use it.
 *
 * <h2>Three notions of fairness</h2>
 * <table>
 * <caption>Allocators</caption>
 * <tr><th>name</th><th>answer</th><th>certificate</th></tr>
 * <tr><td>{@code max-min} (standard)</td><td>lexicographic max-min over connections, exact</td><td>bottlenecks</td></tr>
 * <tr><td>{@code proportional}</td><td>max Σ w·log(rate), exact</td><td>Kelly's prices</td></tr>
 * <tr><td>{@code smptcp}</td><td>the heuristic of S-MPTCP, Algorithms 2 to 4</td><td>none</td></tr>
 * </table>
 * Fairness is about the total of a connection. Where totals leave the split free, the exact allocators take the feasible
 * split with the least sum of squares. It is unique, as even as the arcs allow, and leaves no subflow idle without need.
 *
 * <h2>Why a certificate</h2>
 * With several subflows per connection, rates alone do not show whether they are right. Prices of arcs prove it by addition
 * ({@link org.subflow.mptcp.share.Optimality}), and they name the arcs that limit each connection.
 *
 * <h2>Packages</h2>
 * Arrows point from user to used; there is no arrow upwards, and no package outside uses those below this one.
 * <pre>
 *   share → maxmin, proportional, smptcp → split → linear
 *   share, maxmin → alphafair → linear
 * </pre>
 * <ul>
 * <li>{@code share} translates a problem into a {@link org.subflow.mptcp.share.linear.ScaledProblem} and solutions into
 * allocations. Arcs that no rates can fill are left out before, so connections whose demands fit need no solver. Allocators are stateless; an {@link org.subflow.mptcp.share.AllocationSession} keeps the start for the next
 * version of a problem.
 * <li>{@link org.subflow.mptcp.share.maxmin}, {@link org.subflow.mptcp.share.proportional} and
 * {@link org.subflow.mptcp.share.smptcp} each hold one method.
 * <li>{@link org.subflow.mptcp.share.alphafair} approximates, where an answer is to come in bounded work.
 * <li>{@link org.subflow.mptcp.share.split} splits totals over subflows; {@link org.subflow.mptcp.share.linear} has the
 * scaled problem and the linear algebra.
 * </ul>
 *
 * <h2>Attainable rate</h2>
 * {@link org.subflow.mptcp.share.Zeta} is ζ, the rate that a connection could attain (eMPTCP).
 * {@link org.subflow.mptcp.share.WhatIfShares} computes the part of it that takes an allocation.
 */
package org.subflow.mptcp.share;
