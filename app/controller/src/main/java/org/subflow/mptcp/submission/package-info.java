// SPDX-License-Identifier: Apache-2.0
/**
 * Submits the intents of connections to ONOS, and finds out what becomes of them.
 *
 * <p>{@link org.subflow.mptcp.submission.ConnectionIntents} submits, withdraws and purges intents, and reports outcomes. The
 * {@link org.subflow.mptcp.rules.Reconciler} removes rules that ONOS leaves behind. What it knows of one connection is in its
 * {@link org.subflow.mptcp.submission.Submission}, a state machine, which is forgotten once ONOS has no intent.
 *
 * <p>On one node ONOS gets the intent itself, and calls its compiler and installer. In a cluster ONOS's intent store passes no
 * intents of applications from node to node. So the node that decides calls the compiler, and submits one core intent per connection
 * with all its rules. ONOS's own installer writes, changes and removes them at once.
 *
 * <p>As the setting {@code pathLabels} says, subflows on the same path share its rules ({@link
 * org.subflow.mptcp.intent.LabelledPath}). The rules of a path belong to no intent, because ONOS counts no references to rules that
 * several intents have ({@link org.subflow.mptcp.submission.SharedPaths}). The order of events is:
 * <pre>
 *   use:   rules of new paths → confirmed by the switches → intent of the connection (one rule per subflow and direction)
 *   move:  rules of new paths → confirmed by the switches → the connection's rules change in the first switches alone
 *   leave: the connection's rules are replaced or gone → some sweeps later the rules of paths that nobody uses
 * </pre>
 * A connection that waits for its paths is not submitted, so its packets go the plain way as before. If its paths fail, do not
 * come, or are too many, it gets exact rules. Another run or node asks for the same rules of a path, and so takes them over. When
 * a path with a label loses a link, its rules lead around it at once. So all its subflows flow again, before each of them has a
 * path of its own.
 */
package org.subflow.mptcp.submission;
