// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

/**
 * Works out what each subflow should get when connections share a network: feasible, deterministic, and fair in the sense
 * that the implementation states. Implementations keep no state: one instance serves all threads.
 */
public interface Allocator {
    /** Returns the name by which users choose this allocator. */
    String name();

    /**
     * Allocates.
     *
     * @param problem who wants to send over what, not null; may be empty
     * @return a rate in bit/s for every subflow: not negative, and no arc above its capacity or connection above its
     * cap by
     *         more than rounding (10⁻⁹ of it)
     */
    Allocation allocate(SharingProblem problem);

    /**
     * Starts a session for a problem that changes bit by bit; the answers are the same, but those of an allocator
     * that can
     * start from its last answer come faster.
     */
    default AllocationSession session() {
        return this::allocate;
    }
}
