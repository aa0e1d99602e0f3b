// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a bucket holds: what a second allows, or longer. */
class TokenBucketTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST = 100;

    private static int taken(TokenBucket bucket, long now) {
        bucket.fill(now);
        int taken = 0;
        while (bucket.has(TokenBucket.cost(MOST))) {
            bucket.take(TokenBucket.cost(MOST));
            taken++;
        }
        return taken;
    }

    @Test
    void itFillsUpToWhatItHolds() {
        TokenBucket bucket = new TokenBucket(7 * SECOND);
        assertEquals(MOST, taken(bucket, 7 * SECOND));
        assertEquals(MOST / 2, taken(bucket, 7 * SECOND + SECOND / 2));
        assertEquals(MOST, taken(bucket, 20 * SECOND));
    }

    @Test
    void aLongerOneHoldsMore() {
        TokenBucket bucket = new TokenBucket(0, 20 * SECOND);
        assertEquals(20 * MOST, taken(bucket, 0));
        assertEquals(3 * MOST, taken(bucket, 3 * SECOND));
        assertEquals(20 * MOST, taken(bucket, 100 * SECOND));
        bucket.take(SECOND);
        bucket.giveBack(100 * SECOND);
        assertEquals(20 * MOST, taken(bucket, 100 * SECOND));
    }
}
