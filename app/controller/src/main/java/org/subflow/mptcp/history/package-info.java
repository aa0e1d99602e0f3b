// SPDX-License-Identifier: Apache-2.0
/**
 * The history of connections in words: each event of a connection and its subflows, with time and reason; and what has failed in
 * the network and is not forgotten ({@link org.subflow.mptcp.history.NetworkFailures}).
 *
 * <p>{@link org.subflow.mptcp.history.ConnectionHistory} receives {@link org.subflow.mptcp.api.ConnectionEvent}s and
 * compares each connection with its previous state ({@link org.subflow.mptcp.history.Changes}). It keeps the changes,
 * bounded per connection and in all. The history is for people only: it ends with the node, and no other part depends on
 * it.
 */
package org.subflow.mptcp.history;
