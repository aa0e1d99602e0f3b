// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

/** What the network does for a subflow. */
public enum SubflowState {
    /** It has a path of its own and a share. */
    ACTIVE,
    /** It has a path that it shares with a sibling, and an expected throughput of 0 (S-MPTCP). */
    BACKUP,
    /** Its MP_JOIN is dropped because no disjoint path is left (Multiflow). */
    BLOCKED,
    /** No path joins its hosts at present. */
    DOWN,
    /**
     * It stood still while its siblings ran: its hosts have ended it, or do not use it now. It has neither path nor share
     * and does not count among the connection's subflows; its next packet brings it back.
     */
    IDLE
}
