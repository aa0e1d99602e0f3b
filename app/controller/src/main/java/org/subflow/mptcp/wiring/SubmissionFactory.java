// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import org.subflow.mptcp.reservation.Reservations;
import org.subflow.mptcp.submission.ConnectionIntents;

/** Makes what submits intents and reservations to ONOS. */
interface SubmissionFactory {
    /** Makes what submits intents; {@code decisions} gets the outcomes, on the control loop. */
    ConnectionIntents intents(ConnectionIntents.Outcome decisions);

    /** Returns whether this node may decide now: any thread may ask. */
    boolean mayDecide();

    /** Makes what reserves bandwidth. */
    Reservations reservations();
}
