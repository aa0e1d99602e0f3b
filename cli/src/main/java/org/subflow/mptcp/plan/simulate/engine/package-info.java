// SPDX-License-Identifier: Apache-2.0
/**
 * The flow-level simulation: one run of connections on a network, without files and without chance.
 *
 * <h2>Model</h2>
 * A connection is so many bits, sent as a fluid at the rates that its subflows have at the moment. Rates are max-min fair or as another
 * allocator says, and change at once: there are no round-trip times, no slow start, no queues and no losses. A connection has one plain
 * path first. It earns its strategy's paths by its size or its age, as the controller's candidates do. What has no managed paths is other
 * traffic to the controller.
 *
 * <h2>Events</h2>
 * {@link org.subflow.mptcp.plan.simulate.engine.Simulation} goes from event to event. Between two of them all rates are constant, so a
 * connection's end is known when its rates are. {@code LevelHeap} has the next one.
 *
 * <pre>
 *   Simulation → Router → placement of the core, on a NetworkView
 *              → Sharing: AllocatorSharing (core), WaterFilling (subflows exactly, connections nearly)
 *              → LinkStates, ArcUse (rates of newcomers between two computations)
 *              → Tally → RunResult, Snapshot (errors, distance to the best routing)
 * </pre>
 */
package org.subflow.mptcp.plan.simulate.engine;
