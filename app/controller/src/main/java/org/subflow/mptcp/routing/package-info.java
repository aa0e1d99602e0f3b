// SPDX-License-Identifier: Apache-2.0
/**
 * The placement core on ONOS's network: links and attached hosts there, arcs and nodes here.
 *
 * <p>{@link org.subflow.mptcp.routing.NetworkModel} hands out a {@link org.subflow.mptcp.routing.Translation} of the network as
 * it is now, which belongs to one decision. {@link org.subflow.mptcp.routing.Rerouting} gives new paths to subflows that have
 * lost theirs. {@link org.subflow.mptcp.routing.SubflowEndpoints} knows where hosts are attached, as they move and vanish.
 * {@link org.subflow.mptcp.routing.RecoveryHold} says, after a restart, which connections wait for their switches and links.
 *
 * <p>Nothing here changes a connection or the network: answers are changed copies.
 */
package org.subflow.mptcp.routing;
