// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import org.subflow.mptcp.api.FiveTuple;

/** Knows where the ends of connections may go unseen: of very many connections, switches copy only a part. */
@FunctionalInterface
public interface UnseenEnds {

    /**
     * Returns whether a connection may have ended lately although nobody has seen its end.
     *
     * @param first five-tuple of its first subflow, as its client sends it; not null
     * @param nanos how long nothing was heard of it, nanoseconds
     */
    boolean mayHaveEnded(FiveTuple first, long nanos);
}
