// SPDX-License-Identifier: Apache-2.0
/**
 * Applies connections to the network: intents, shares and reservations.
 *
 * <pre>
 *   Provisioner.apply:  store → intent (rules) → shares → reservations → event
 * </pre>
 * Rules come first: the controller forwards a connection's packets until its rules are in the switches.
 * {@link org.subflow.mptcp.provisioning.ReservationKeeper} reserves bandwidth in ONOS on a thread of its own, and repeats
 * requests that ONOS refuses. {@link org.subflow.mptcp.provisioning.ResourceWatch} notifies it when others reserve or release.
 * {@link org.subflow.mptcp.provisioning.ConnectionNotifier} notifies listeners, and ends the state that other classes keep of a
 * connection. {@link org.subflow.mptcp.provisioning.SetupTimes} measures how long subflows wait for rules.
 *
 * <p>The package repeats submissions and requests that ONOS refuses or loses, and removes leftovers of closed connections.
 */
package org.subflow.mptcp.provisioning;
