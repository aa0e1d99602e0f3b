// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * Allocates successive versions of a problem: connections come and go, capacities change.
 *
 * <p>A session recognises connections by the routes of their subflows, in order. Callers append new connections and leave
 * out removed ones. Arcs should keep their numbers; if a change of topology renumbers them, an answer only takes longer. For
 * one thread at a time.
 */
@FunctionalInterface
public interface AllocationSession {
    /**
     * Allocates the present version.
     *
     * @param problem all connections, not null
     * @return as {@link Allocator#allocate} would answer
     */
    Allocation allocate(SharingProblem problem);
}
