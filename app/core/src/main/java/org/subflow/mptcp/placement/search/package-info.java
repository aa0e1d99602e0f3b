// SPDX-License-Identifier: Apache-2.0
/**
 * The choice of paths for the connections of a network.
 *
 * <pre>
 *   PathPlacement ── ArrivalPaths ─┐
 *   BetterPaths ───────────────────┼── PathSearch, DisjointMoves
 *   BackgroundPlan ── PathSets ────┘
 * </pre>
 * {@link org.subflow.mptcp.placement.search.PathPlacement} asks a connection's strategy for the path of a subflow. Whoever
 * compares paths uses one search, {@code PathSearch}: it puts a connection on other paths, computes the shares of all connections
 * on a copy, and takes the best. {@code ShareComparison} says what is better, and whether it is worth a move. The users differ:
 * <table>
 * <caption>Users of the search</caption>
 * <tr><th>user</th><th>who moves</th><th>sets of paths</th><th>least gain</th><th>bound</th></tr>
 * <tr><td>an arrival, with {@code network-wide}</td><td>the newcomer's subflow and those that should follow it</td>
 *     <td>its strategy's, cheap ones, those of the alternative</td><td>any</td><td>13 sets, fewer beside many others</td></tr>
 * <tr><td>{@link org.subflow.mptcp.placement.search.BetterPaths}</td><td>one connection, or one of its subflows</td>
 *     <td>cheap ones, and single paths of its strategies</td><td>the setting's</td><td>256 connections</td></tr>
 * <tr><td>{@link org.subflow.mptcp.placement.search.BackgroundPlan}</td><td>all that are not silent</td>
 *     <td>{@code PathSets}, by column generation</td><td>the setting's for all moves together</td>
 *     <td>128 connections, 64,000 allocations divided by their number</td></tr>
 * </table>
 * Cheap sets are those of {@code DisjointMoves}: disjoint paths with the smallest cost under {@code CostBlends} of prices, load,
 * residual bandwidth and hops, or under the prices alone. Repairs do not compare, as many connections may need one at once.
 *
 * <p>{@code PathSetRounding} gives each connection of a plan its first set, and {@link
 * org.subflow.mptcp.placement.search.PlanProgress} hands out the moves. One connection moves at a time.
 */
package org.subflow.mptcp.placement.search;
