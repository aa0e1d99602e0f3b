// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.monitoring.DurationHistogram;

/** Measures how long subflows wait for rules, from a given moment until ONOS confirms the rules. Thread-safe. */
final class RuleWait {
    private static final int KEPT = 128;
    private static final int MOST_WAITING = 4096;
    private static final int WAIT_SECONDS = 60;
    /** From a millisecond, on a quiet controller, to the ten seconds of a large network that has lost a switch. */
    private static final double[] BOUNDS = {
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Double.POSITIVE_INFINITY};
    private static final double NANOS_PER_SECOND = 1e9;

    private final Cache<FiveTuple, Long> begun = CacheBuilder.newBuilder()
            .maximumSize(MOST_WAITING)
            .expireAfterWrite(WAIT_SECONDS, TimeUnit.SECONDS)
            .build();
    private final long[] newest = new long[KEPT];
    private final long[] buckets = new long[BOUNDS.length];
    private long count;
    private double sum;

    /** Notes that a subflow begins to wait. */
    void begins(FiveTuple tuple, long nanos) {
        begun.put(tuple, nanos);
    }

    /** Notes that a subflow waits, perhaps since earlier. */
    void waits(FiveTuple tuple, long nanos) {
        begun.asMap().putIfAbsent(tuple, nanos);
    }

    /**
     * Notes that the rules of a connection's subflows are in the switches.
     *
     * @return how long the subflows have waited whose waits end by that, nanoseconds
     */
    synchronized List<Long> installed(Connection connection, long nanos) {
        List<Long> ended = new ArrayList<>();
        for (Subflow subflow : connection.subflows()) {
            Long since = subflow.isRouted() ? begun.asMap().remove(subflow.tuple()) : null;
            if (since != null) {
                record(nanos - since);
                ended.add(nanos - since);
            }
        }
        return ended;
    }

    private void record(long nanos) {
        newest[(int) (count++ % KEPT)] = nanos;
        double seconds = nanos / NANOS_PER_SECOND;
        sum += seconds;
        int bucket = 0;
        while (seconds > BOUNDS[bucket]) {
            bucket++;
        }
        buckets[bucket]++;
    }

    /** Returns how many waits have ended. */
    synchronized long count() {
        return count;
    }

    /** Returns how long the newest waits took at this quantile, 0 to below 1, microseconds; 0 if there was none. */
    synchronized long quantileMicros(double part) {
        int kept = (int) Math.min(count, KEPT);
        long[] sorted = Arrays.copyOf(newest, kept);
        Arrays.sort(sorted);
        return kept == 0 ? 0 : sorted[(int) (kept * part)] / 1000;
    }

    /** Returns all waits that have ended. */
    synchronized DurationHistogram histogram() {
        return new DurationHistogram(BOUNDS, buckets, sum);
    }
}
