// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;

/** Which end of a subflow a host is. */
final class Ends {
    private Ends() {
    }

    /** Returns whether the host of an agent is an end of a subflow. */
    static boolean isAt(Agent agent, Subflow subflow) {
        return agent.has(subflow.tuple().source()) || agent.has(subflow.tuple().destination());
    }

    /** Returns the five-tuple of a subflow with the agent's host as the source. */
    static FiveTuple sender(Agent agent, Subflow subflow) {
        return isSource(agent, subflow) ? subflow.tuple() : subflow.tuple().reversed();
    }

    /** Returns whether the host of an agent is the client of the subflow's connection. */
    static boolean isUpwards(Agent agent, Subflow subflow) {
        return isSource(agent, subflow) == subflow.fromClient();
    }

    private static boolean isSource(Agent agent, Subflow subflow) {
        return agent.has(subflow.tuple().source());
    }
}
