// SPDX-License-Identifier: Apache-2.0
/**
 * Values and service interfaces: what the Karaf commands, REST, the page and other applications see.
 *
 * <p>A {@link org.subflow.mptcp.api.Connection} has one or more {@link org.subflow.mptcp.api.Subflow}s, each on a path
 * of links between switches. Rates are bit/s on the wire ({@link org.subflow.mptcp.placement.Rates}) and always seen from the
 * connection's client. All values are immutable and safe to keep; {@link org.subflow.mptcp.api.MptcpService} hands out
 * snapshots.
 *
 * <p>What is done with a connection is settled when it begins: the first {@link org.subflow.mptcp.api.Policy} that matches
 * it and the {@link org.subflow.mptcp.api.Settings} in force make its {@link org.subflow.mptcp.api.Terms}, which it keeps.
 *
 * <p>Nothing here depends on any other package of the application but the placement core.
 */
package org.subflow.mptcp.api;
