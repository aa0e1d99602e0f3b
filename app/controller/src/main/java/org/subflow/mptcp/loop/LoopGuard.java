// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

/**
 * Checks that only the control loop's thread touches the loop's state. A guard without a loop, as in most unit tests, lets
 * every thread through. Thread-safe.
 */
public final class LoopGuard {
    /** Lets every thread through. */
    public static final LoopGuard NONE = new LoopGuard(null);

    private final ControlLoop loop;

    private LoopGuard(ControlLoop loop) {
        this.loop = loop;
    }

    /** Returns a guard that lets only the thread of a loop through. */
    public static LoopGuard of(ControlLoop loop) {
        return new LoopGuard(loop);
    }

    /**
     * Checks the thread.
     *
     * @throws IllegalStateException if it is not the loop's
     */
    public void check() {
        if (loop != null && !loop.isCurrentThread()) {
            throw new IllegalStateException("connections change on the control loop alone, not on thread "
                    + Thread.currentThread().getName());
        }
    }
}
