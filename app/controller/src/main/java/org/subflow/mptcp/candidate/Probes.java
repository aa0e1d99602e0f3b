// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

/** When a candidate is probed: at a fixed age first, and then after pauses that double. For one thread at a time. */
final class Probes {
    private final Threshold threshold;
    private final long openedNanos;
    private long nextNanos;
    private int number;

    Probes(Threshold threshold, long openedNanos) {
        this.threshold = threshold;
        this.openedNanos = openedNanos;
        this.nextNanos = openedNanos + (threshold.isNone() ? Threshold.FIRST_PROBE_NANOS
                : Math.min(Threshold.FIRST_PROBE_NANOS, threshold.nanos));
    }

    /** Returns when it is to be probed, in nanoseconds. */
    long nextNanos() {
        return nextNanos;
    }

    /** Returns how many there were. */
    int number() {
        return number;
    }

    /** Puts the next one off: after twice the pause before, and when it is old enough. */
    void again(long now) {
        long pause = Math.min(Threshold.FIRST_PROBE_NANOS << Math.min(number, Threshold.MOST_DOUBLINGS),
                              Threshold.LONGEST_PAUSE_NANOS);
        number++;
        long oldNanos = openedNanos + threshold.nanos;
        nextNanos = now < oldNanos ? Math.min(now + pause, oldNanos) : now + pause;
    }

    /** Lets the next one come after a pause at the latest, nanoseconds; never at once. */
    void within(long pause, long now) {
        nextNanos = nextNanos <= now ? now + pause : Math.min(nextNanos, now + pause);
    }
}
