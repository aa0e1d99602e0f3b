// SPDX-License-Identifier: Apache-2.0
/**
 * Paths and expected throughputs of all connections on a network. Design of the packages.
 *
 * <h2>What it is about</h2>
 * {@code path} finds paths for one connection. {@code share} shares bandwidth among subflows whose paths are fixed. This
 * package and those below it combine the two for a whole network. They choose the path of a new subflow, apply the JOIN policy, and
 * replace lost paths. Then they compute expected throughputs, and find better paths for connections.
 *
 * <p>They depend neither on ONOS, nor on a clock, nor on random numbers. Controller, planner and what-if call the same code.
 * So the same network gets the same answer from all of them.
 *
 * <h2>The model</h2>
 * A {@link org.subflow.mptcp.placement.NetworkState} is a graph, other traffic by arc, and the connections on it. A
 * {@link org.subflow.mptcp.placement.PlacedConnection} has terms (strategy, JOIN policy, weight, cap), a
 * {@link org.subflow.mptcp.placement.Demand} per direction, and {@link org.subflow.mptcp.placement.PlacedSubflow}s. All are
 * immutable, and each answer is a changed copy, which shares what has not changed. A state keeps the loads of its arcs
 * ({@link org.subflow.mptcp.placement.ArcLoads}) from change to change. Rates are bit/s on the wire, per direction as seen from the client.
 *
 * <p>Both directions of a subflow follow the same links, which may have other capacities there. {@link
 * org.subflow.mptcp.placement.Demand#sends} says which of them count when a path is chosen: those in which the connection sends
 * data, or may do so. {@code ResidualBandwidth} is the one place where that makes a link narrow.
 *
 * <h2>Classes by question</h2>
 * <table>
 * <caption>Questions and the classes that answer them</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>the path of a new subflow or of a JOIN; paths to move to</td>
 *     <td>{@link org.subflow.mptcp.placement.search.PathPlacement}</td></tr>
 * <tr><td>new paths after a loss</td><td>{@link org.subflow.mptcp.placement.search.Repair}</td></tr>
 * <tr><td>expected throughputs of all connections</td><td>{@link org.subflow.mptcp.placement.rate.FairShares}</td></tr>
 * <tr><td>better paths for a connection that has paths</td><td>{@link org.subflow.mptcp.placement.search.BetterPaths}</td></tr>
 * <tr><td>better paths for several connections together, and the order of the moves</td>
 *     <td>{@link org.subflow.mptcp.placement.search.BackgroundPlan},
 *     {@link org.subflow.mptcp.placement.search.PlanProgress}</td></tr>
 * <tr><td>expected throughput of a new connection with all its subflows</td>
 *     <td>{@link org.subflow.mptcp.placement.search.Forecast}</td></tr>
 * <tr><td>ζ, the largest rate that a connection could attain</td>
 *     <td>{@link org.subflow.mptcp.placement.rate.AttainableRates}</td></tr>
 * <tr><td>the best max-min fair rates of any routing, and how close the present ones come to them</td>
 *     <td>{@link org.subflow.mptcp.placement.rate.SplittableFlow},
 *     {@link org.subflow.mptcp.placement.rate.PlacementQuality}</td></tr>
 * <tr><td>all steps in the order of a controller</td><td>{@link org.subflow.mptcp.placement.search.Placement}</td></tr>
 * </table>
 *
 * <p>The package {@code rate} computes what connections get, {@code search} chooses their paths.
 *
 * <h2>Invariants</h2>
 * <ul>
 * <li>A living subflow is never blocked.</li>
 * <li>A full link stays usable: its residual bandwidth is at least an equal part of its capacity.</li>
 * <li>A move to better paths does not lower the smallest share. It raises that, or the product of all shares.</li>
 * </ul>
 */
package org.subflow.mptcp.placement;
