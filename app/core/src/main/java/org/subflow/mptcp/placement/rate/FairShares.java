// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.util.List;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.share.AllocationSession;
import org.subflow.mptcp.share.Allocators;

/**
 * Computes the expected throughput of every subflow: its part of the fair share that the allocator gives its connection.
 *
 * <p>Each computation starts from the last answer. So keep one object for successive states of one network. For one thread at
 * a time.
 */
public final class FairShares {
    private String allocator;
    private AllocationSession session;

    /**
     * Allocates.
     *
     * @param network       the network with the connections that are on it; not null
     * @param allocatorName name of the allocator; not null
     * @return the connections in their order, with their subflows' expected throughputs
     * @throws IllegalArgumentException if there is no such allocator
     */
    public List<PlacedConnection> of(NetworkState network, String allocatorName) {
        if (network.connections().isEmpty()) {
            return List.of();
        }
        Competition competition = Competition.of(network);
        return competition.shared(session(allocatorName).allocate(competition.problem()).rates());
    }

    private AllocationSession session(String name) {
        if (!name.equals(allocator)) {
            session = Allocators.byName(name).session();
            allocator = name;
        }
        return session;
    }
}
