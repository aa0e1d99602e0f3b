// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Collection;

/** Divides the network among connections. For one thread; successive calls may start from the last answer. */
@FunctionalInterface
interface Sharing {
    /**
     * Computes rates.
     *
     * @param capacity    of each arc, bit/s
     * @param connections all that are alive, those that came or changed their paths last at the end
     * @return rates on the wire in bit/s: of the subflows with a path, in the order of the connections
     */
    double[] rates(double[] capacity, Collection<Connection> connections);

    /** Returns the model that some parameters ask for. */
    static Sharing of(Parameters parameters, int arcs) {
        return !parameters.agents ? new WaterFilling(arcs, 0)
                : parameters.approximate ? new WaterFilling(arcs, WaterFilling.ROUNDS)
                : AllocatorSharing.byConnection(parameters.allocator);
    }

    /** Returns the exact answer of the core's allocators for the same model, computed from scratch. */
    static Sharing exact(Parameters parameters) {
        return parameters.agents ? AllocatorSharing.byConnection(parameters.allocator) : AllocatorSharing.bySubflow();
    }
}
