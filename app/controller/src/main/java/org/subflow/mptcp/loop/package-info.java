// SPDX-License-Identifier: Apache-2.0
/**
 * The application's threads.
 *
 * <p>Connections change on one {@link org.subflow.mptcp.loop.ControlLoop} alone, the decisions of
 * {@link org.subflow.mptcp.loop.Loops}: what happens outside comes to it as a task, so that nothing there needs a lock.
 * {@link org.subflow.mptcp.loop.LoopGuard} checks that. What takes long and decides nothing has a loop of its own:
 * reservations in ONOS's books, the journal of the stores, attainable rates.
 *
 * <p>The number of tasks that may wait is bounded; what comes on top is refused and counted. A task that throws is logged, and
 * the next one runs.
 */
package org.subflow.mptcp.loop;
