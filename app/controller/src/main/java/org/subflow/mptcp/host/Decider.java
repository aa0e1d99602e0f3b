// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.placement.AttainableRate;

/** Who decides about connections: tells agents what it knows of them, and takes in what they report. Any thread may call. */
public interface Decider {
    /** Returns ζ of a connection. */
    AttainableRate attainableRate(ConnectionId id);

    /**
     * Notes that {@link ReportReception#takeNews}, {@link ReportReception#takeEnded}, {@link ReportReception#takePriorities} or
     * {@link ReportReception#takeUnknown} would return something.
     */
    void reported();
}
