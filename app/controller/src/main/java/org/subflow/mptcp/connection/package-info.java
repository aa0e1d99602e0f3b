// SPDX-License-Identifier: Apache-2.0
/**
 * The life of connections: who is taken in, and what time and the network do to them. Design of the package.
 *
 * <h2>What it is about</h2>
 * {@code detect} says that a connection or a subflow has begun; {@code measure} tells what is sent; {@code routing} and
 * {@code sharing} find paths and shares; {@code provisioning} brings them into the network. This package decides when. All
 * that a connection is at a moment is an immutable {@link org.subflow.mptcp.api.Connection} in the {@code store}.
 *
 * <h2>How the parts fit</h2>
 * <pre>
 *   ConnectionManager   starts, stops; answers what is asked      Wiring   builds the parts, for the bundle and for tests
 *      HandshakeHandler → Admission → Provisioner              a connection or subflow begins: policy, path, rules, shares
 *                         Forecasts, SubflowLimit              … is it worth it, may it
 *      Lifecycle → Meter → Demands, OtherTraffic               every second: what is sent, demanded, and by whom else
 *                → IdleSubflows, Newcomers                     … who has ended, whose demand is known now
 *                → Reoptimiser                                 … who could be better off
 *                → Rerouting, RecoveryHold                     links, switches or hosts came, went or moved
 *      WhatIf                                                  answers that change nothing
 * </pre>
 *
 * <h2>What always holds</h2>
 * <ul>
 * <li>Connections change on the control loop alone ({@code loop}).</li>
 * <li>Rules come first; nothing that takes long comes before them.</li>
 * <li>A living subflow is never blocked.</li>
 * </ul>
 * Rates are bit/s on the wire, per direction as seen from the connection's client.
 */
package org.subflow.mptcp.connection;
