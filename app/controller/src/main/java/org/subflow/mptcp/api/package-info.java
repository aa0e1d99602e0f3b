// SPDX-License-Identifier: Apache-2.0
/**
 * Values and service interfaces for the Karaf commands, REST, the page and other applications.
 *
 * <p>A {@link org.subflow.mptcp.api.Connection} has one or more {@link org.subflow.mptcp.api.Subflow}s, each on a path of
 * links between switches. Rates are bit/s on the wire ({@link org.subflow.mptcp.placement.Rates}), always seen from the
 * connection's client. All values are immutable and safe to keep; {@link org.subflow.mptcp.api.MptcpService} returns
 * snapshots.
 *
 * <p>The treatment of a connection is fixed when it begins. The first matching {@link org.subflow.mptcp.api.Policy} and the
 * {@link org.subflow.mptcp.api.Settings} in force give its {@link org.subflow.mptcp.api.Terms}, which never change.
 *
 * <p>This package depends on no other package of the application except the placement core.
 */
package org.subflow.mptcp.api;
