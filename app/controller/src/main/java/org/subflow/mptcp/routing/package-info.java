// SPDX-License-Identifier: Apache-2.0
/**
 * Applies the placement core to ONOS's network: translates links and attached hosts to arcs and nodes, and back.
 *
 * <p>{@link org.subflow.mptcp.routing.NetworkModel} gives a {@link org.subflow.mptcp.routing.Translation} of the present
 * network for each decision. {@link org.subflow.mptcp.routing.Rerouting} finds new paths for subflows that have lost
 * theirs. {@link org.subflow.mptcp.routing.Detours} leads around lost links until then. {@link
 * org.subflow.mptcp.routing.SubflowEndpoints} knows where hosts are attached, as they move and vanish.
 * {@link org.subflow.mptcp.routing.RecoveryHold} decides after a restart which connections wait for their switches and
 * links.
 *
 * <p>Nothing here changes a connection or the network: answers are changed copies.
 */
package org.subflow.mptcp.routing;
