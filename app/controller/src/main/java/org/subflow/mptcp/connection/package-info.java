// SPDX-License-Identifier: Apache-2.0
/**
 * The life cycle of connections: admission, idleness, and reactions to time and to the network. Design of the package.
 *
 * <h2>Purpose</h2>
 * {@code handshake} finds new connections and subflows; {@code measure} derives rates and demands; {@code routing} and
 * {@code sharing} find paths and shares; {@code provisioning} applies them to the network. This package decides when. The
 * state of a connection is an immutable {@link org.subflow.mptcp.api.Connection} in the {@code store}.
 *
 * <h2>Structure</h2>
 * <pre>
 *   ConnectionManager   starts, stops
 *      Controller → Wiring                                     all parts, on the node that decides; for tests, too
 *                 → LeaderDuties                               what it does for the other nodes of a cluster
 *      Follower                                                what any other node of a cluster does
 *      QueryDesk → Answers: LeaderAnswers, FollowerAnswers     questions of users
 *      TrafficWatch → HandshakeHandler                         what sees packets; what handshakes become
 *                     → UnmanagedTraffic, IdleWatch            … packets of candidates, plain TCP and idle subflows
 *      HandshakeHandler → Promotion                            a connection has earned paths: it becomes a task of the loop
 *                       → EarlyJoins                           … MP_JOINs that overtook the handshake of their connection
 *      Promotion → Openings → Admission → Provisioner          … policy, path, rules, shares
 *                       → SlowConnections                      … for its age alone, and then sends little: gives them back
 *                         Forecasts, SubflowLimit              … forecast of its share, limit of subflows
 *      Lifecycle → Meter → Demands, OtherTraffic               every second: rates, demands, other traffic
 *                → Endings, IdleSubflows, Newcomers            … ended and idle subflows, newly known demands
 *                → Reoptimiser                                 … better paths
 *                → Rerouting, RecoveryHold                     changes of links, switches or hosts
 *      AgentDesk, HostReports → Lifecycle, Demands             hosts' agents: ends and demands by their word, in batches
 *                → ThroughputAnnouncer → ThroughputSegment     … and MP_ET for hosts whose agents are silent
 *      SubflowPlanner → PlannedSubflows, RequestRule, SourcePorts   subflows that clients' agents open, on paths of their own
 *                     → AddressPairs                           … between which of the hosts' addresses
 *      AwaitedDesk → AwaitedConnections                         connections that operators add before they start
 *      WhatIf                                                  queries that change nothing
 * </pre>
 *
 * <h2>Invariants</h2>
 * <ul>
 * <li>Connections change on the control loop alone ({@code loop}). Events and outcomes ({@code Outcomes}) come first there and
 * are never refused; admissions come next, and shares once for many of them.</li>
 * <li>Rules come first; no slow work precedes them.</li>
 * <li>A live subflow is never blocked.</li>
 * </ul>
 * Rates are bit/s on the wire, per direction as seen from the connection's client.
 */
package org.subflow.mptcp.connection;
