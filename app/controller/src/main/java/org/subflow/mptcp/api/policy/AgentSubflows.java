// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import java.util.Locale;

/** Which subflows hosts' agents open for connections. */
public enum AgentSubflows {
    /** As many as there are disjoint paths, at once. */
    ALL,
    /** More while a connection gets noticeably less than it could attain, because of the network (eMPTCP). */
    NEEDED,
    /** None: each host's kernel manages the paths of its connections. */
    OFF;

    /** Returns the value as users type it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
