// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Collection;
import org.subflow.mptcp.share.AllocationSession;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;

/** The shares of the core's allocators: exact where these are. */
final class AllocatorSharing implements Sharing {
    private final AllocationSession session;
    private final boolean eachSubflow;

    private AllocatorSharing(String allocator, boolean eachSubflow) {
        this.session = Allocators.byName(allocator).session();
        this.eachSubflow = eachSubflow;
    }

    /** Shares by connection, as hosts' agents make it. */
    static AllocatorSharing byConnection(String allocator) {
        return new AllocatorSharing(allocator, false);
    }

    /** Max-min fair shares of subflows, each for itself. */
    static AllocatorSharing bySubflow() {
        return new AllocatorSharing(Allocators.standard().name(), true);
    }

    @Override
    public double[] rates(double[] capacity, Collection<Connection> connections) {
        SharingProblem.Builder problem = SharingProblem.builder(capacity);
        for (Connection connection : connections) {
            boolean begun = false;
            for (int[] route : connection.routes) {
                if (route != null) {
                    if (!begun || eachSubflow) {
                        problem.connection(eachSubflow ? 1 : connection.arrival.weight(), Double.POSITIVE_INFINITY);
                    }
                    begun = true;
                    problem.subflow(route);
                }
            }
        }
        return session.allocate(problem.build()).rates();
    }
}
