// SPDX-License-Identifier: Apache-2.0
/**
 * From a handshake to a connection with its first paths. Design of the package.
 *
 * <h2>Structure</h2>
 * <pre>
 *   HandshakeHandler → Promotion → Openings   a candidate gets paths: it becomes a task of the control loop
 *                    → EarlyJoins             MP_JOINs that overtook the handshake of their connection
 *                    → UnmanagedTraffic       packets of candidates, plain TCP and idle subflows
 *                    → Demotions              has paths for its age alone, and then sends little: is idle until it sends more
 *   Admissions → Admission                    new connections, under their policies ({@code ConnectionPolicies})
 *              → JoinAdmission                further subflows, perhaps blocked
 *              → Resumptions                  idle connections and subflows that send again
 *   Admission, JoinAdmission, Resumptions, and lifecycle's Recovery
 *              → Gate                         all limits; why not: Refusal
 *              → SubflowPlacement             ports and paths
 *   Promotion → Gate → AdmissionPace          so many at a time as switches confirm
 *   Endings                                   FIN and RST of subflows with paths
 *   AwaitedConnections → Admission            connections that operators add before they start
 *   Priorities                                backups by hosts' word
 * </pre>
 *
 * <p>{@code handshake} calls {@link org.subflow.mptcp.admission.HandshakeHandler} on the tracking's thread, one segment at a time.
 * What waits there is a candidate ({@code candidate}). Connections change on the control loop alone: all from {@link
 * org.subflow.mptcp.admission.Openings} on.
 *
 * <h2>Invariants</h2>
 * <ul>
 * <li>Rules come first; no slow work precedes them.</li>
 * <li>A live subflow is never blocked.</li>
 * </ul>
 */
package org.subflow.mptcp.admission;
