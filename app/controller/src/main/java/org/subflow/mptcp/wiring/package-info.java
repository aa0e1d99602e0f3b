// SPDX-License-Identifier: Apache-2.0
/**
 * Wires everything below together, starts and stops it. The only package that knows all others.
 *
 * <pre>
 *   ConnectionManager   the component: starts, stops
 *      Controller → Wiring          all parts that decide, on the node that decides; for tests, too
 *                 → TrafficWatch    what sees packets: segments, handshakes, admission
 *                 → AgentWiring       what hosts' agents talk to
 *                 → LeaderDuties    what the node does for the other nodes of a cluster
 *                 → OnosSubmissions   what submits intents, and takes their outcomes
 *                 → Withdrawal      the end of the application
 *      Follower                     what any other node of a cluster does
 * </pre>
 */
package org.subflow.mptcp.wiring;
