// SPDX-License-Identifier: Apache-2.0
/**
 * The application's threads.
 *
 * <p>Connections change on one {@link org.subflow.mptcp.loop.ControlLoop} only, the decisions of {@link
 * org.subflow.mptcp.loop.Loops}. Outside events come to it as tasks, so that nothing there needs a lock. {@link
 * org.subflow.mptcp.loop.LoopGuard} checks that. Slow work has loops of its own: shares, reservations in ONOS's
 * resource service, the journal of the stores, attainable rates, plans, and users' questions. None of them changes a connection.
 *
 * <p>Tasks have classes of {@link org.subflow.mptcp.loop.Urgency}. Events of the network and outcomes of submissions come
 * first, then admissions, then shares, then ticks and queries. Less urgent classes get their turns, too.
 *
 * <p>The number of waiting tasks is bounded: a loop refuses further ones and counts them. Triggers are never refused, because
 * each waits once at most. Outcomes wait by connection, so their number is bounded by that of the connections. If a task
 * throws, the loop logs that and runs the next task.
 */
package org.subflow.mptcp.loop;
