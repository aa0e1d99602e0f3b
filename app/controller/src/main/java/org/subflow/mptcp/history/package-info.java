// SPDX-License-Identifier: Apache-2.0
/**
 * The life of connections in words: what happened to a connection and its subflows, when, and why.
 *
 * <p>{@link org.subflow.mptcp.history.ConnectionHistory} hears {@link org.subflow.mptcp.api.ConnectionEvent}s, compares
 * each connection with what it was before ({@link org.subflow.mptcp.history.Changes}), and keeps what it finds, bounded
 * per connection and in all. It is memory for people, not state: it is lost with the node, and nothing depends on it.
 */
package org.subflow.mptcp.history;
