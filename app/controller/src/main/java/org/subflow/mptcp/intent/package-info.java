// SPDX-License-Identifier: Apache-2.0
/**
 * Turns routes into rules in the switches, and reserves their bandwidth.
 *
 * <p>One {@link org.subflow.mptcp.intent.MptcpIntent} per connection has the chosen route of each of its subflows. {@link
 * org.subflow.mptcp.intent.MptcpIntentCompiler} compiles each route into two core path intents, one per direction, that
 * match the exact five-tuple. ONOS installs, changes and removes their rules. {@link
 * org.subflow.mptcp.intent.ConnectionIntents} submits, withdraws and purges intents, reports outcomes, and removes rules
 * that ONOS leaves behind. {@link org.subflow.mptcp.intent.Reservations} reserves bandwidth under the intent's key; ONOS
 * releases it with the intent.
 *
 * <p>Nothing here chooses a path or a rate.
 */
package org.subflow.mptcp.intent;
