// SPDX-License-Identifier: Apache-2.0
/**
 * Applies connections to the network: intents, shares and reservations.
 *
 * <pre>
 *   Provisioner.apply:  store → intent (rules) → shares → reservations → event
 * </pre>
 * Rules come first: the controller forwards a connection's packets until its rules are in the switches. Shares are only
 * requested, and computed once for all changes that came meanwhile. So an event like OPENED can come before the first shares,
 * which SHARES_CHANGED then tells. Until then the core counts such a connection as one that has begun just now, so that newcomers
 * keep off its paths.
 *
 * <p>{@link org.subflow.mptcp.provisioning.ConnectionNotifier} notifies listeners, and ends the state that other classes keep of a
 * connection. Changed shares and attainable rates go through {@code PacedEvents}: a connection has one event of each under way
 * at most. {@link org.subflow.mptcp.provisioning.RuleTimes} measures how long subflows wait for rules,
 * at the beginning and after a change in the network.
 *
 * <p>{@link org.subflow.mptcp.provisioning.Retries} repeats submissions that ONOS could not install.
 */
package org.subflow.mptcp.provisioning;
