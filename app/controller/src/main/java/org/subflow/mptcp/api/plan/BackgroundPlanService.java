// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.plan;

import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.policy.Settings;

/** Says how several connections would move for the good of all together, without any change. Thread-safe. */
@FunctionalInterface
public interface BackgroundPlanService {
    /**
     * Plans for the connections that are on the network now.
     *
     * @return the connections that would move, in the order of the moves, on their new paths. Expected throughputs are those
     *         after all moves. Empty if no plan gains enough, or more connections are on the network than
     *         {@link Settings#BACKGROUND_PLAN} says
     * @throws IllegalStateException if the answer takes too long or too many others wait
     */
    List<Connection> backgroundPlan();
}
