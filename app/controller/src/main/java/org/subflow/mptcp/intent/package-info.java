// SPDX-License-Identifier: Apache-2.0
/**
 * Turns routes into rules in the switches, and reserves their bandwidth.
 *
 * <p>One {@link org.subflow.mptcp.intent.MptcpIntent} per connection has the chosen route of each of its subflows. {@link
 * org.subflow.mptcp.intent.MptcpIntentCompiler} compiles each route into two core flow rule intents, one per direction. Their
 * rules match the exact five-tuple. On one node ONOS calls it; in a cluster the node that decides does, and submits one core
 * intent per connection with all its rules. ONOS installs, changes and removes them. {@link
 * org.subflow.mptcp.intent.ConnectionIntents} submits, withdraws and purges intents, reports outcomes, and removes rules
 * that ONOS leaves behind. {@link org.subflow.mptcp.intent.Reservations} reserves bandwidth under the intent's key,
 * and releases it.
 *
 * <p>Nothing here chooses a path or a rate.
 */
package org.subflow.mptcp.intent;
