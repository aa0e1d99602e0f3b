// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.concurrent.TimeUnit;

/**
 * A token bucket that holds what a second allows, as the time in which so much is allowed: it stays right when the bound changes.
 * For one thread; the time comes as an argument, in nanoseconds.
 */
final class TokenBucket {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long credit;
    private long filledAt;

    /** Makes a full bucket. */
    TokenBucket(long now) {
        reset(now);
    }

    /** {@return what one of so many a second costs}; nothing if there may be any number, 0 */
    static long cost(int most) {
        return most == 0 ? 0 : SECOND / most;
    }

    /** Adds what has become allowed since the last time. */
    void fill(long now) {
        credit = Math.min(SECOND, credit + now - filledAt);
        filledAt = now;
    }

    boolean has(long cost) {
        return credit >= cost;
    }

    void take(long cost) {
        credit -= cost;
    }

    void giveBack(long cost) {
        credit = Math.min(SECOND, credit + cost);
    }

    /** Makes the bucket full. */
    void reset(long now) {
        credit = SECOND;
        filledAt = now;
    }
}
