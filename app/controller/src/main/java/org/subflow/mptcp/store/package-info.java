// SPDX-License-Identifier: Apache-2.0
/**
 * What outlives the application and ONOS: connections, and the hosts' keys.
 *
 * <p>{@link org.subflow.mptcp.store.ConnectionStore} is the truth about connections. It answers from memory; ONOS's map follows
 * behind on a thread of its own, and only the newest of several changes is written. A crash loses what is not written yet,
 * half a second at most. {@link org.subflow.mptcp.store.KeyStore} has the keys (RFC 8684 section 3.1) by connection: secrets
 * of the hosts, which no command and no REST call shows.
 */
package org.subflow.mptcp.store;
