// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * Computes the rate of each subflow when connections share a network: feasible, deterministic, and fair in the sense that
 * the implementation states. Implementations keep no state: one instance serves all threads.
 */
public interface Allocator {
    /** Returns the name by which users choose this allocator. */
    String name();

    /**
     * Allocates.
     *
     * @param problem all connections, not null; may be empty
     * @return a rate in bit/s for every subflow, not negative; no arc exceeds its capacity and no connection its cap by more
     *         than rounding (10⁻⁹ of it)
     */
    Allocation allocate(SharingProblem problem);

    /**
     * Starts a session for a problem that changes step by step. The answers are the same; an allocator that can start from
     * its last answer gives them faster.
     */
    default AllocationSession session() {
        return this::allocate;
    }

    /**
     * Starts a session in which no answer takes much longer than others, for those who decide about a live network. Where an exact
     * answer would, it is approximate, and {@link Allocation#epsilon} tells by how much. The work is counted, not timed, so the same
     * problems have the same answers.
     */
    default AllocationSession boundedSession() {
        return session();
    }
}
