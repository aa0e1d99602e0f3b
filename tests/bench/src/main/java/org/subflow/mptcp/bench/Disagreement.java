// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

/** Ours and the peer's answers to the same question differ: their times must not be compared. */
final class Disagreement extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private Disagreement(String message) {
        super(message);
    }

    /**
     * Compares two numbers.
     *
     * @param what     what they say, and about which question
     * @param ours     our number
     * @param peers    the peer's
     * @param relative the difference that rounding or a stated accuracy may make, as a part of the peer's number
     * @throws Disagreement if they differ by more
     */
    static void check(String what, double ours, double peers, double relative) {
        if (!(Math.abs(ours - peers) <= relative * Math.abs(peers))) {
            throw new Disagreement(what + ": ours says " + ours + ", the peer " + peers);
        }
    }

    /** Makes sure that something holds. */
    static void unless(boolean holds, String message) {
        if (!holds) {
            throw new Disagreement(message);
        }
    }
}
