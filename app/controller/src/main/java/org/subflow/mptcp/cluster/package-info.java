// SPDX-License-Identifier: Apache-2.0
/**
 * The nodes of an ONOS cluster: one decides, all see packets.
 *
 * <pre>
 *   Election     which node decides:  Alone (one ONOS node)   LeaderElection (a cluster with storage nodes)
 *      → Mandate   the right to decide, for a term, while it is confirmed
 *   SegmentRelay → RelaySender → RelayReceiver   TCP packets from the other nodes to the one that decides
 *   LeaderContact → RelayReceiver                questions to the one that decides
 *   EventSender → RelayReceiver                  events of connections from the one that decides to the other nodes
 * </pre>
 *
 * <p>{@link org.subflow.mptcp.cluster.LeaderElection} runs for one topic of ONOS's leadership service. It looks twice a second
 * whether the node still is a candidate, and runs again otherwise: ONOS does not repeat a candidacy that has expired. The node
 * that leads confirms its term in a map of the storage nodes. A node that cannot, because it is cut off, has no right to decide
 * after {@link org.subflow.mptcp.cluster.Mandate#LEASE_MILLIS}. A greater term in the map ends the mandate at once. A new leader
 * stores its term and begins as long after that: then nobody has a mandate of an earlier term. So never do two nodes decide. A
 * leader whose mandate lapsed for a moment begins anew with the stored state.
 *
 * <p>ONOS gives packets to the master of their switch alone. The SYN and the SYN/ACK of a connection may so come to different
 * nodes. {@link org.subflow.mptcp.cluster.SegmentRelay} sends all TCP packets that a node gets for the application to the
 * leader, which tracks handshakes for all. The number of messages under way is bounded at both ends; what exceeds it is counted
 * and, if it was to be forwarded, forwarded without being tracked.
 *
 * <p>A node that follows has no state of its own. It answers with the state that the leader told last, passes questions that
 * change with each asker on, and tells its listeners of the leader's events. It asks the
 * leader every two seconds, for the moment in which nobody decides. A leader that loses its mandate keeps its last state.
 *
 * <p>With one ONOS node nothing of this runs: {@link org.subflow.mptcp.cluster.Alone} gives a mandate that never ends.
 */
package org.subflow.mptcp.cluster;
