// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

/** Ours and the peer give different answers to the same question, so their times must not be compared. */
final class Disagreement extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private Disagreement(String message) {
        super(message);
    }

    /**
     * Compares two numbers.
     *
     * @param what     the quantity and the question
     * @param ours     our number
     * @param peers    the peer's
     * @param relative the allowed difference by rounding or stated accuracy, as a part of the peer's number
     * @throws Disagreement if they differ by more
     */
    static void check(String what, double ours, double peers, double relative) {
        if (!(Math.abs(ours - peers) <= relative * Math.abs(peers))) {
            throw new Disagreement(what + ": ours says " + ours + ", the peer " + peers);
        }
    }

    /** Fails with a message unless a condition holds. */
    static void unless(boolean holds, String message) {
        if (!holds) {
            throw new Disagreement(message);
        }
    }
}
