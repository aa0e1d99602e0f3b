// SPDX-License-Identifier: Apache-2.0
/**
 * The life of connections: who is taken in, on which paths, for how much, and what becomes of them. Design of the package.
 *
 * <h2>What it is about</h2>
 * {@code detect} says that a connection or a subflow has begun; {@code path} and {@code share} can choose and share out;
 * {@code intent} brings routes and reservations into the network; {@code measure} tells what is sent and wanted. Between
 * them somebody has to decide, and to remember what was decided. All that a connection is at a moment is an immutable
 * {@link org.subflow.mptcp.api.Connection}, and the truth about all of them is one {@code ConnectionStore}, which outlives
 * the application and ONOS.
 *
 * <h2>Who decides</h2>
 * One thread, the {@code decisions} of {@code Loops}: what happens outside (handshakes, links, hosts, outcomes of intents,
 * time) comes to it as a task, so that nothing here needs a lock. What takes long and decides nothing has a thread of its
 * own: reservations in ONOS's books, the store's journal, ζ.
 *
 * <h2>How the parts fit</h2>
 * <pre>
 *   ConnectionManager   wires, starts, stops; answers what is asked
 *      HandshakeHandler → Admission → NetworkModel → Provisioner      a connection or subflow begins: policy, path, rules, shares
 *                     Forecasts, SubflowLimit, SubflowEndpoints          … is it worth it, may it, where are its hosts
 *      Lifecycle → Meter → Demands, OtherTraffic               every second: what is sent, what is wanted, by whom else
 *                → IdleSubflows, Newcomers                    … who has ended, who has shown what it wants
 *                → Reoptimiser → BetterPaths → NetworkModel    better paths for the living
 *                              → Handover → Provisioner        … without a gap
 *                → RecoveryHold                                    after a restart: what is worth waiting for
 *      Provisioner → ConnectionShares → Competition          shares for all; then
 *                  → ReservationKeeper                                … reservations follow
 *                  → ConnectionNotifier                                    … and who listens is told
 *      AttainableRateEstimator, WhatIf, LinkUsages                      answers that change nothing
 * </pre>
 *
 * <h2>What always holds</h2>
 * <ul>
 * <li>Rules first: until they are in the switches a connection's packets go by way of the controller, so nothing that takes
 * long comes before them.</li>
 * <li>A living subflow is never blocked, and leaves a path that works only for one that is ready.</li>
 * <li>What ONOS refuses, or loses, is asked for again; what it still has of connections that are over is taken back.</li>
 * </ul>
 * Rates are bit/s on the wire, per direction as seen from the connection's client.
 */
package org.subflow.mptcp.connection;
