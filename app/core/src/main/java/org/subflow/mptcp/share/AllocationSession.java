// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * Allocates one version after the other of a problem that changes: connections come and go, capacities change.
 *
 * <p>Arcs should keep their numbers; where a change of topology gives them others, an answer only takes longer. Connections
 * are recognised by the routes of their subflows in the order they have:
 * append new ones and leave out the gone ones, so that the others are found again. For one thread at a time.
 */
@FunctionalInterface
public interface AllocationSession {
    /**
     * Allocates the present version.
     *
     * @param problem who wants to send over what, not null
     * @return as {@link Allocator#allocate} would answer
     */
    Allocation allocate(SharingProblem problem);
}
