// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.concurrent.TimeUnit;
import org.subflow.mptcp.rate.TokenBucket;

/**
 * How much each one of many may have of something: a {@link TokenBucket} for each, which is full at first. Whoever has taken nothing
 * until his bucket is full again is forgotten; so is the one who took last longest ago, if they are too many. Thread-safe.
 *
 * @param <K> who may have it
 */
public final class Allowances<K> {
    private static final int MOST_REMEMBERED = 20_000;

    private final long cost;
    private final long burstNanos;
    private final Cache<K, TokenBucket> buckets;
    /** The newest time that was told. */
    private volatile long newest;

    /**
     * Makes full buckets.
     *
     * @param perSecond so much in each second, at least 1
     * @param burst     so much at once, at least {@code perSecond}
     */
    public Allowances(int perSecond, int burst) {
        this.cost = TokenBucket.cost(perSecond);
        this.burstNanos = burst * cost;
        this.buckets = CacheBuilder.newBuilder()
                .ticker(new Ticker() {
                    @Override
                    public long read() {
                        return newest;
                    }
                })
                .maximumSize(MOST_REMEMBERED)
                .expireAfterAccess(burstNanos, TimeUnit.NANOSECONDS)
                .build();
    }

    /**
     * Takes so much for one of them, all or nothing.
     *
     * @param key    who
     * @param number how much
     * @param now    nanoseconds of a monotonic clock
     * @return whether there was enough
     */
    public boolean admits(K key, int number, long now) {
        newest = now;
        TokenBucket bucket = buckets.asMap().computeIfAbsent(key, unused -> new TokenBucket(now, burstNanos));
        synchronized (bucket) {
            bucket.fill(now);
            boolean enough = bucket.has(number * cost);
            if (enough) {
                bucket.take(number * cost);
            }
            return enough;
        }
    }
}
