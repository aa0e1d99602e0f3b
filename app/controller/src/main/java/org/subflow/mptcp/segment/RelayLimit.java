// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Limits how many packets of each five-tuple the controller forwards itself. Many may come while rules are on their way. What
 * gets no rules, for want of a path, or because its source is not known where it comes in, must not stay on the controller at full
 * rate. Thread-safe.
 */
public final class RelayLimit {
    /** So many packets at once: what a fast connection sends until its rules come. */
    static final int BURST = 2000;
    /** And so many in each second. */
    static final int PER_SECOND = 100;

    private static final int MOST_REMEMBERED = 20_000;
    private static final long NANOS_PER_PACKET = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

    private final LongSupplier clockNanos;
    private final Cache<FiveTuple, Allowance> allowances = CacheBuilder.newBuilder()
            .maximumSize(MOST_REMEMBERED)
            .expireAfterAccess(BURST / PER_SECOND, TimeUnit.SECONDS)
            .build();

    /** What one five-tuple may still send: full until it has sent something. */
    private static final class Allowance {
        private long packets = BURST;
        private long sinceNanos;

        private Allowance(long now) {
            sinceNanos = now;
        }

        private synchronized boolean take(long now) {
            long more = Math.max(0, now - sinceNanos) / NANOS_PER_PACKET;
            packets = Math.min(BURST, packets + more);
            sinceNanos += more * NANOS_PER_PACKET;
            if (packets == 0) {
                return false;
            }
            packets--;
            return true;
        }
    }

    /**
     * Makes it.
     *
     * @param clockNanos a monotonic clock, nanoseconds; not null
     */
    public RelayLimit(LongSupplier clockNanos) {
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
    }

    /** Returns whether the controller is to forward one more packet of a five-tuple. */
    boolean admits(FiveTuple tuple) {
        long now = clockNanos.getAsLong();
        return allowances.asMap().computeIfAbsent(tuple, unused -> new Allowance(now)).take(now);
    }
}
