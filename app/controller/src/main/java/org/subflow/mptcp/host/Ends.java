// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Predicate;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;

/**
 * Which end of a subflow a host is. Of a connection that crosses a router on the fabric, each host is an end of its own leg
 * alone.
 */
final class Ends {
    private final Predicate<FiveTuple> isItself;

    /**
     * Makes it.
     *
     * @param isItself whether a five-tuple's source sends its frames itself, and no router on the fabric; not null
     */
    Ends(Predicate<FiveTuple> isItself) {
        this.isItself = checkNotNull(isItself, "isItself");
    }

    /** Returns whether the host of an agent is an end of a subflow. */
    boolean isAt(Agent agent, Subflow subflow) {
        return isSource(agent, subflow.tuple()) || isSource(agent, subflow.tuple().reversed());
    }

    /** Returns whether the host of an agent sends the frames of a five-tuple. */
    boolean isSource(Agent agent, FiveTuple tuple) {
        return agent.has(tuple.source()) && isItself.test(tuple);
    }

    /** Returns the five-tuple of a subflow with the agent's host as the source. */
    static FiveTuple sender(Agent agent, Subflow subflow) {
        return isSource(agent, subflow) ? subflow.tuple() : subflow.tuple().reversed();
    }

    /** Returns the direction in which the host of an agent sends on a subflow. */
    static Direction sent(Agent agent, Subflow subflow) {
        return isSource(agent, subflow) == subflow.fromClient() ? Direction.UP : Direction.DOWN;
    }

    private static boolean isSource(Agent agent, Subflow subflow) {
        return agent.has(subflow.tuple().source());
    }
}
