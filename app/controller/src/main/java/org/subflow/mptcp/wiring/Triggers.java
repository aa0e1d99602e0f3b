// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.UnaryOperator;
import org.subflow.mptcp.lifecycle.HostReports;
import org.subflow.mptcp.provisioning.ConnectionNotifier;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.reoptimisation.MoveSearch;
import org.subflow.mptcp.reservation.ReservationKeeper;
import org.subflow.mptcp.sharing.ConnectionShares;

/** Make triggers of tasks: whoever pulls one has its task run soon, once for all that pull it meanwhile. */
final class Triggers {
    /** Of a task that writes reservations; see {@link ReservationKeeper}. */
    final UnaryOperator<Runnable> bookings;
    /** Of the task that asks for shares; see {@link Provisioner}. */
    final UnaryOperator<Runnable> shares;
    /** Of the task that computes them, and of that which applies them; see {@link ConnectionShares}. */
    final UnaryOperator<Runnable> computing;
    final UnaryOperator<Runnable> applying;
    /** Of a task that posts frequent events; see {@link ConnectionNotifier}. */
    final UnaryOperator<Runnable> news;
    /** Of the task that computes background plans; see {@link MoveSearch}. */
    final UnaryOperator<Runnable> plans;
    /** Of the task that applies reports of agents; see {@link HostReports}. */
    final UnaryOperator<Runnable> reports;

    Triggers(UnaryOperator<Runnable> bookings, UnaryOperator<Runnable> shares, UnaryOperator<Runnable> computing,
             UnaryOperator<Runnable> applying, UnaryOperator<Runnable> news, UnaryOperator<Runnable> plans,
             UnaryOperator<Runnable> reports) {
        this.bookings = checkNotNull(bookings, "bookings");
        this.shares = checkNotNull(shares, "shares");
        this.computing = checkNotNull(computing, "computing");
        this.applying = checkNotNull(applying, "applying");
        this.news = checkNotNull(news, "news");
        this.plans = checkNotNull(plans, "plans");
        this.reports = checkNotNull(reports, "reports");
    }
}
