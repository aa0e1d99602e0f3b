// SPDX-License-Identifier: Apache-2.0
/**
 * Where the subflows of connections go, and what they get. Design of the package.
 *
 * <h2>What it is about</h2>
 * {@code path} finds paths for one connection; {@code share} shares bandwidth among subflows whose paths are fixed. This
 * package brings the two together. It answers for a whole network: which path a newcomer takes, what a JOIN gets when no
 * disjoint path exists, where a subflow goes that has lost its path, what everybody is then expected to send, and who would
 * be better off elsewhere.
 *
 * <p>It knows nothing of ONOS, of a clock or of chance. Controller, planner, what-if, benchmarks and simulator call the same
 * code, so the same network gets the same answer from all of them.
 *
 * <h2>The model</h2>
 * A {@link org.subflow.mptcp.placement.NetworkState} is a graph, other traffic by arc, and the connections on it. A
 * {@link org.subflow.mptcp.placement.PlacedConnection} has terms (strategy, JOIN policy, weight, cap), a
 * {@link org.subflow.mptcp.placement.Demand} per direction, and {@link org.subflow.mptcp.placement.PlacedSubflow}s. All are
 * immutable; each answer is a changed copy. Rates are bit/s on the wire, per direction as seen from the client.
 *
 * <h2>Who answers what</h2>
 * <table>
 * <caption>Questions and the classes that answer them</caption>
 * <tr><th>question</th><th>class</th></tr>
 * <tr><td>the path of a newcomer or of a JOIN; where a subflow may move</td>
 *     <td>{@link org.subflow.mptcp.placement.PathPlacement}</td></tr>
 * <tr><td>new paths after a loss</td><td>{@link org.subflow.mptcp.placement.Repair}</td></tr>
 * <tr><td>everybody's expected throughput</td><td>{@link org.subflow.mptcp.placement.FairShares}</td></tr>
 * <tr><td>better paths for those who have some</td><td>{@link org.subflow.mptcp.placement.BetterPaths}</td></tr>
 * <tr><td>what a newcomer would get with all its subflows</td><td>{@link org.subflow.mptcp.placement.Forecast}</td></tr>
 * <tr><td>ζ, the largest rate that a connection could attain</td>
 *     <td>{@link org.subflow.mptcp.placement.AttainableRates}</td></tr>
 * <tr><td>all of it in the order of a controller</td><td>{@link org.subflow.mptcp.placement.Placement}</td></tr>
 * </table>
 *
 * <h2>What always holds</h2>
 * <ul>
 * <li>A living subflow is never blocked.</li>
 * <li>A full link stays usable: a newcomer finds at least an equal part of it.</li>
 * <li>A move to better paths gains for its connection, and all connections together get no less.</li>
 * </ul>
 */
package org.subflow.mptcp.placement;
