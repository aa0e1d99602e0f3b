// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.plan;

import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;

/** Moves connections to better paths when a user asks for it. Thread-safe. */
@FunctionalInterface
public interface ReoptimisationService {
    /**
     * Examines connections once, as the controller does by itself after bandwidth has become free, and moves those that gain.
     * Each moves without a gap. Only connections that are on the network move. Where the examination of all takes too long, the
     * rest follows within seconds; so do moves of several connections that gain only together.
     *
     * @param id the only connection to examine; empty for all. One that is unknown or idle does not move
     * @return the connections that begin to move, on their new paths, with the expected throughputs after their move
     * @throws IllegalStateException if the answer takes too long or too many others wait
     */
    List<Connection> reoptimise(Optional<ConnectionId> id);
}
