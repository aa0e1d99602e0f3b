// SPDX-License-Identifier: Apache-2.0
/**
 * The life of connections that have their first paths: time, idleness, ends, and changes of the network. Design of the package.
 *
 * <h2>Purpose</h2>
 * {@code admission} opens connections; {@code measure} derives rates and demands; {@code routing} and {@code sharing} find paths
 * and shares; {@code provisioning} applies them to the network. This package decides when. The state of a connection is an
 * immutable {@link org.subflow.mptcp.api.Connection} in the {@code store}.
 *
 * <h2>Structure</h2>
 * <pre>
 *   Lifecycle → CounterReading                         every second: rates, demands, other traffic
 *             → EndedConnections, Idleness             … what has ended, what sends nothing
 *             → Reoptimiser                            … better paths
 *   NetworkChanges → Rerouting                         changes of links, switches or hosts
 *                  → Recovery → RecoveryHold           connections of an earlier run
 *   HostReports → EndedConnections, Demands            hosts' agents: ends and demands by their word, in batches
 *   Outcomes                                           outcomes of submissions, passed to the control loop
 *   IdleWatch                                          the next packets of idle subflows
 * </pre>
 *
 * <h2>Invariants</h2>
 * <ul>
 * <li>Connections change on the control loop alone ({@code loop}). Events and outcomes come first there and are never refused;
 * admissions come next, and shares once for many of them.</li>
 * <li>A live subflow is never blocked.</li>
 * </ul>
 * Rates are bit/s on the wire, per direction as seen from the connection's client.
 */
package org.subflow.mptcp.lifecycle;
