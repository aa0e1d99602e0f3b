// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

/** The state of a subflow in the network. */
public enum SubflowState {
    /** It has a path of its own and a share. */
    ACTIVE,
    /**
     * It has a path, and an expected throughput of 0: it shares the path with a sibling (S-MPTCP), or a host wants it as a
     * backup and another subflow works ({@link Subflow#isBackup}).
     */
    BACKUP,
    /** Its MP_JOIN is dropped because no disjoint path remains (Multiflow). */
    BLOCKED,
    /** No path joins its hosts at present. */
    DOWN,
    /**
     * It sent nothing while its siblings sent: its hosts have ended it or do not use it now. It has neither path nor share,
     * and does not count as a subflow in use. Its next packet gives it a path again.
     */
    IDLE
}
