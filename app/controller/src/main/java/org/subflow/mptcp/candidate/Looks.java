// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

/** When a candidate is to be looked at: the time of its next look, and the pauses between them. For one thread at a time. */
final class Looks {
    private final Threshold threshold;
    private final long openedNanos;
    private long nextNanos;
    private int number;

    Looks(Threshold threshold, long openedNanos) {
        this.threshold = threshold;
        this.openedNanos = openedNanos;
        firstAtAge(FirstLooks.EARLIEST_NANOS);
    }

    /** Returns when it is to be looked at, in nanoseconds. */
    long nextNanos() {
        return nextNanos;
    }

    /** Returns how many there were. */
    int number() {
        return number;
    }

    /** Sets the age of the first look, in nanoseconds; it is looked at sooner if it is old enough before. */
    void firstAtAge(long nanos) {
        nextNanos = openedNanos + (threshold.isNone() ? nanos : Math.min(nanos, threshold.nanos()));
    }

    /** Puts the next look off: after twice the time of the last one, and when it is old enough. */
    void again(long now) {
        number++;
        long pause = Math.min(Threshold.FIRST_PAUSE_NANOS << Math.min(number, Threshold.MOST_DOUBLINGS),
                              Threshold.LONGEST_PAUSE_NANOS);
        long oldNanos = openedNanos + threshold.nanos();
        nextNanos = now < oldNanos ? Math.min(now + pause, oldNanos) : now + pause;
    }

    /** Lets the next look come when it shows whether this one was in vain. */
    void onceSilent(long now) {
        nextNanos = Math.min(nextNanos, now + Threshold.UNSEEN_END_NANOS + 1);
    }

    /** Lets the next look come soon. */
    void soon(long now) {
        at(now + Threshold.FIRST_PAUSE_NANOS);
    }

    /** Sets the time of the next look, in nanoseconds. */
    void at(long nanos) {
        nextNanos = nanos;
    }

    /**
     * Returns when it may have sent enough, in nanoseconds; never at once. That is half the time that it needs at its mean rate so
     * far, as a connection begins slowly (RFC 5681, section 3.1).
     *
     * @param sent the octets that it has most likely sent
     * @param now  nanoseconds
     */
    long enoughNanos(double sent, long now) {
        double left = sent == 0 ? Double.POSITIVE_INFINITY : (now - openedNanos) * (threshold.octets() - sent) / sent / 2;
        double pause = Math.min(left, (double) Threshold.LONGEST_PAUSE_NANOS);
        return now + (long) Math.max((double) Threshold.SOONEST_LOOK_NANOS, pause);
    }
}
