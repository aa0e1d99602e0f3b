// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.Locale;

/** What becomes of the subflows for which the strategy finds no path of their own. */
enum JoinPolicy {
    /** They take the shortest path that can be used. */
    SHARE,
    /** They take the shortest path that can be used, with an expected throughput of 0 (S-MPTCP). */
    BACKUP,
    /** There are none (Multiflow). */
    BLOCK;

    /** Returns the policy as users type it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
