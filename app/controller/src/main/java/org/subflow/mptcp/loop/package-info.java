// SPDX-License-Identifier: Apache-2.0
/**
 * The application's threads.
 *
 * <p>Connections change on one {@link org.subflow.mptcp.loop.ControlLoop} only, the decisions of {@link
 * org.subflow.mptcp.loop.Loops}. Outside events come to it as tasks, so that nothing there needs a lock. {@link
 * org.subflow.mptcp.loop.LoopGuard} checks that. Slow work that decides nothing has loops of its own: reservations in
 * ONOS's resource service, the journal of the stores, and attainable rates.
 *
 * <p>The number of waiting tasks is bounded: a loop refuses further ones and counts them. If a task throws, the loop logs
 * the exception and runs the next task.
 */
package org.subflow.mptcp.loop;
