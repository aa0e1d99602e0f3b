// SPDX-License-Identifier: Apache-2.0
/**
 * The agents on hosts: what they report, and what they are told. Design of the package.
 *
 * <h2>Purpose</h2>
 * The controller works out the expected throughput of every subflow, and hosts do not know it. An agent on a host limits what
 * each subflow sends to its expected throughput. It also says what only the host knows: that a connection has ended, and
 * whether application or network limits what it sends.
 *
 * <h2>Structure</h2>
 * <pre>
 *   rest.report        → HostAgents                 logs in, takes reports, answers
 *                          AgentDirectory           … who is registered, by address        → store.AgentStore
 *                          ReportReception          … what a report says of our connections
 *                            SenderWords            … … each host's demand, for five seconds
 *                            HostViews              … … its subflows and rates, for five seconds
 *                          Exchange → Contents      … who waits for an answer; what it has
 *   lifecycle.HostReports  ← takeNews, takeEnded    the control loop applies what has changed, in batches
 *   wiring.Wiring          → changed                each event of a connection, from the control loop
 *   subflows.SubflowPlanner → command, view          decides on the subflows that clients open; sees whether they have come
 *   ThroughputAnnouncer → ThroughputSegment         MP_ET for hosts whose agents are silent
 * </pre>
 *
 * <h2>Trust</h2>
 * An agent speaks for its host alone. Its word counts for a connection of which the host is an end, and of the demand for the
 * direction that the host sends. It can end that connection, and can make the network reserve what the connection's fair
 * share allows. It gets paths for as many further subflows as are disjoint, 64 that have not come. Others keep their shares. Of a token only the SHA-256 is kept.
 *
 * <h2>Load</h2>
 * It is made for 1000 agents. Without changes an agent costs one request in a few seconds, and the control loop nothing: a
 * report that says the same as the last one does not reach it. An event of a connection costs the loop two look-ups for each
 * subflow. Answers are made on another thread, for hosts that wait, and only if the rounded rates differ.
 *
 * <p>Rates are bit/s on the wire. Everything here is thread-safe unless it says otherwise.
 */
package org.subflow.mptcp.host;
