// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;

/**
 * The states of subflows as users are told them, and those of their paths. An idle connection remembers the paths of its subflows, and
 * a lost link is lost before its subflows have other paths. Neither subflow is active.
 */
public final class SubflowStates {
    private SubflowStates() {
    }

    /**
     * Returns the state of a subflow.
     *
     * @param network    the present network; not null
     * @param connection the subflow's connection; not null
     * @param subflow    the subflow; not null
     * @return its state; IDLE in place of ACTIVE or BACKUP if its connection is idle, DOWN if its path is lost
     */
    public static SubflowState told(NetworkSnapshot network, Connection connection, Subflow subflow) {
        if (!subflow.isRouted()) {
            return subflow.state();
        }
        if (connection.state() == ConnectionState.IDLE) {
            return SubflowState.IDLE;
        }
        return isIntact(network, subflow) ? subflow.state() : SubflowState.DOWN;
    }

    /** Returns whether a subflow has a path and all its switches and links are part of the network. */
    public static boolean isIntact(NetworkSnapshot network, Subflow subflow) {
        return subflow.isRouted() && network.node(subflow.ingress().deviceId()) >= 0
                && network.node(subflow.egress().deviceId()) >= 0
                && subflow.path().stream().allMatch(link -> network.arc(link) >= 0)
                && subflow.reversePath().stream().allMatch(link -> network.arc(link) >= 0);
    }

    /** Returns whether every link of a subflow's path has a capacity above 0, in the direction in which it is used. */
    public static boolean hasCapacity(NetworkSnapshot network, Subflow subflow) {
        return subflow.path().stream().allMatch(link -> network.capacity(link) > 0)
                && subflow.reversePath().stream().allMatch(link -> network.capacity(link) > 0);
    }
}
