// SPDX-License-Identifier: Apache-2.0
/**
 * From routes to rules in the switches, with the bandwidth that goes with them.
 *
 * <p>One {@link org.subflow.mptcp.intent.MptcpIntent} per connection carries the chosen route of each of its subflows.
 * {@link org.subflow.mptcp.intent.MptcpIntentCompiler} makes two core path intents of each route, one per direction,
 * that match the exact five-tuple; ONOS installs, changes and removes their rules. {@link
 * org.subflow.mptcp.intent.ConnectionIntents} submits, withdraws and purges, reports outcomes, and takes rules back that
 * ONOS left behind. {@link org.subflow.mptcp.intent.Reservations} holds bandwidth under the intent's key, which ONOS
 * releases with the intent.
 *
 * <p>Nothing here chooses a path or a rate.
 */
package org.subflow.mptcp.intent;
