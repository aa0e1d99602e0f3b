// SPDX-License-Identifier: Apache-2.0
/**
 * Brings the network in line with what connections are to have.
 *
 * <pre>
 *   Provisioner.apply:  store → intent (rules) → shares → reservations → event
 * </pre>
 * Rules come first: until they are in the switches a connection's packets go by way of the controller.
 * {@link org.subflow.mptcp.provisioning.ReservationKeeper} enters bandwidth in ONOS's books on a thread of its own, and asks
 * again for what ONOS refuses. {@link org.subflow.mptcp.provisioning.ResourceWatch} hears when others reserve or release.
 * {@link org.subflow.mptcp.provisioning.ConnectionNotifier} tells listeners, and has what is remembered beside the store begin
 * and end with a connection. {@link org.subflow.mptcp.provisioning.SetupTimes} measures how long subflows wait for rules.
 *
 * <p>What ONOS refuses, or loses, is asked for again; what it still has of connections that are over is taken back.
 */
package org.subflow.mptcp.provisioning;
