// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rate;

import java.util.concurrent.TimeUnit;

/**
 * A token bucket, which holds the time in which so much is allowed: it stays right when the bound changes. For one thread; the time
 * comes as an argument, in nanoseconds.
 */
public final class TokenBucket {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long most;
    private long credit;
    private long filledAt;

    /** Makes a full bucket that holds what a second allows. */
    public TokenBucket(long now) {
        this(now, SECOND);
    }

    /** Makes a full bucket that holds what so many nanoseconds allow. */
    public TokenBucket(long now, long most) {
        this.most = most;
        reset(now);
    }

    /** {@return what one of so many a second costs}; nothing if there may be any number, 0 */
    public static long cost(int most) {
        return most == 0 ? 0 : SECOND / most;
    }

    /** Adds what has become allowed since the last time. */
    public void fill(long now) {
        credit = Math.min(most, credit + now - filledAt);
        filledAt = now;
    }

    /** {@return whether there is enough for what costs so much} */
    public boolean has(long cost) {
        return credit >= cost;
    }

    /** Takes out what something costs; there may be less than that. */
    public void take(long cost) {
        credit -= cost;
    }

    /** Puts back what something has cost that did not happen. */
    public void giveBack(long cost) {
        credit = Math.min(most, credit + cost);
    }

    /** Makes the bucket full. */
    public void reset(long now) {
        credit = most;
        filledAt = now;
    }
}
