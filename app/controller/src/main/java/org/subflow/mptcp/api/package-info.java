// SPDX-License-Identifier: Apache-2.0
/**
 * Values and service interfaces for the Karaf commands, REST, the page and other applications.
 *
 * <p>A {@link org.subflow.mptcp.api.Connection} has one or more {@link org.subflow.mptcp.api.Subflow}s, each on a path of
 * links between switches. Rates are bit/s on the wire ({@link org.subflow.mptcp.placement.Rates}), always seen from the
 * connection's client. All values are immutable and safe to keep; {@link org.subflow.mptcp.api.MptcpService} returns
 * snapshots.
 *
 * <p>The treatment of a connection is fixed when it begins: policy and settings ({@code api.policy}) give its {@link
 * org.subflow.mptcp.api.Terms}, which never change. Who watches, plans or asks for agents finds more in {@code api.monitoring},
 * {@code api.plan} and {@code api.agent}.
 *
 * <p>Those packages know this one, which knows none of them. Of the rest of the application, all of them depend on the placement
 * core alone.
 */
package org.subflow.mptcp.api;
