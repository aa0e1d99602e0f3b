// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.util.List;
import java.util.function.Function;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.AllocationSession;
import org.subflow.mptcp.share.Allocator;
import org.subflow.mptcp.share.Allocators;

/**
 * Computes the expected throughput of every subflow: its part of the fair share that the allocator gives its connection.
 *
 * <p>Each computation starts from the last answer. So keep one object for successive states of one network. For one thread at
 * a time.
 */
public final class FairShares {
    private final Function<Allocator, AllocationSession> start;
    private String allocator;
    private AllocationSession session;
    private double epsilon;

    private FairShares(Function<Allocator, AllocationSession> start) {
        this.start = start;
    }

    /** Computes exact shares, however long that takes. */
    public FairShares() {
        this(Allocator::session);
    }

    /** Computes shares in bounded work, see {@link Allocator#boundedSession}. */
    public static FairShares inBoundedWork() {
        return new FairShares(Allocator::boundedSession);
    }

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
            epsilon = 0;
            return List.of();
        }
        Competition competition = Competition.of(network);
        Allocation answer = session(allocatorName).allocate(competition.problem());
        epsilon = answer.epsilon();
        return competition.shared(answer.rates());
    }

    /** Returns the largest relative error of the last answer, see {@link Allocation#epsilon}. */
    public double epsilon() {
        return epsilon;
    }

    private AllocationSession session(String name) {
        if (!name.equals(allocator)) {
            session = start.apply(Allocators.byName(name));
            allocator = name;
        }
        return session;
    }
}
