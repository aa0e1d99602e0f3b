// SPDX-License-Identifier: Apache-2.0
/**
 * The state that survives a restart of the application and of ONOS: connections, the hosts' keys, and hosts with agents.
 *
 * <p>{@link org.subflow.mptcp.store.ConnectionStore} is the authoritative record of connections, {@link
 * org.subflow.mptcp.store.KeyStore} has the keys (RFC 8684 section 3.1) by connection, and {@link
 * org.subflow.mptcp.store.AgentStore} the hashes of agents' tokens by host. All answer from memory. ONOS's maps
 * follow on a thread of their own, and only the newest of several changes is written; a write that fails is tried again. A
 * crash loses unwritten changes, those of the last half second at most. Agents' tokens are written before anybody gets them. In a
 * cluster an entry has the term of the leader who wrote it, and is not changed by an earlier one ({@code FencedMap}).
 *
 * <p>ONOS's maps hold bytes of forms of our own, each with a number ({@link org.subflow.mptcp.wire.Form}). A release that knows
 * another form reads or drops each entry, and starts. Keys are secrets of the hosts: no command and no REST
 * call shows them.
 *
 * <p>A killed ONOS may leave a transaction of its store half done, with the reservations of all ports locked. {@link
 * org.subflow.mptcp.store.TransactionRecovery} finishes it after the next start.
 */
package org.subflow.mptcp.store;
