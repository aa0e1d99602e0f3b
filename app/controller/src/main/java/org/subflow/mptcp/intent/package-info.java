// SPDX-License-Identifier: Apache-2.0
/**
 * Turns routes into rules in the switches, and reserves their bandwidth.
 *
 * <p>One {@link org.subflow.mptcp.intent.MptcpIntent} per connection has the chosen route of each of its subflows. {@link
 * org.subflow.mptcp.intent.MptcpIntentCompiler} compiles each route into two {@link
 * org.subflow.mptcp.intent.SubflowPathIntent}s, one per direction. Their rules match the exact five-tuple. {@link
 * org.subflow.mptcp.intent.SubflowPathInstaller} writes them: where a subflow leaves a path that works, new rules before changed
 * ones. So it moves to another path make before break.
 *
 * <p>That is so on one node, where ONOS calls compiler and installer. In a cluster ONOS's intent store passes no intents of
 * applications from node to node. So the node that decides calls the compiler, and submits one core intent per connection with
 * all its rules. ONOS's own installer writes, changes and removes them at once. {@link
 * org.subflow.mptcp.intent.ConnectionIntents} submits, withdraws and purges intents, reports outcomes, and removes rules
 * that ONOS leaves behind. What it knows of one connection is in its {@link org.subflow.mptcp.intent.Submission}, a state machine,
 * which is forgotten once ONOS has no intent. {@link org.subflow.mptcp.intent.Reservations} reserves bandwidth under the intent's key,
 * and releases it.
 *
 * <p>As the setting {@code pathLabels} says, subflows on the same path share its rules. The first switch writes a label into the
 * destination MAC address, and the further ones match it. The last one writes the host's address back ({@link
 * org.subflow.mptcp.intent.LabelledPath}). The rules of a path have a core intent of their own, because ONOS counts no references
 * to rules that several intents have ({@link org.subflow.mptcp.intent.SharedPaths}). The order of events is:
 * <pre>
 *   use:   intents of new paths → INSTALLED → intent of the connection (one rule per subflow and direction)
 *   move:  intents of new paths → INSTALLED → the connection's rules change in the first switches alone
 *   leave: the connection's rules are replaced or gone → some sweeps later the intents of paths that nobody uses
 * </pre>
 * A connection that waits for its paths is not submitted, so its packets go the plain way as before. If its paths fail, do not
 * come, or are too many, it gets exact rules. A label depends on nothing but the path, so another run or node finds its rules
 * in the intents that ONOS has, and takes them over. Rules with labels have a greater priority than exact ones, so a packet with a
 * label meets no exact rule, also while exact rules of its subflow on an earlier path are there.
 *
 * <p>When a path with a label loses a link, its rules lead around it at once. So all its subflows flow again, before each of
 * them has a path of its own.
 * <p>Nothing here chooses a path or a rate.
 */
package org.subflow.mptcp.intent;
