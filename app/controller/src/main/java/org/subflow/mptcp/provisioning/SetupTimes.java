// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;

/**
 * Measures how long subflows wait for their rules: from the end of the handshake until ONOS confirms the rules in the
 * switches. The controller forwards their packets until then. Thread-safe.
 */
public final class SetupTimes {
    private static final int KEPT = 128;
    private static final int MOST_WAITING = 4096;
    private static final int WAIT_SECONDS = 60;

    private final Cache<FiveTuple, Long> established = CacheBuilder.newBuilder()
            .maximumSize(MOST_WAITING)
            .expireAfterWrite(WAIT_SECONDS, TimeUnit.SECONDS)
            .build();
    private final Cache<ConnectionId, Map<FiveTuple, Submitted>> submitted = CacheBuilder.newBuilder()
            .maximumSize(MOST_WAITING)
            .expireAfterWrite(WAIT_SECONDS, TimeUnit.SECONDS)
            .build();
    private final long[] newest = new long[KEPT];
    private long count;

    /** When the wait of a subflow began, and the submission that it waits for. */
    private static final class Submitted {
        private final long since;
        private final long revision;

        private Submitted(long since, long revision) {
            this.since = since;
            this.revision = revision;
        }
    }

    /** Notes that a subflow has completed its handshake. */
    public void established(FiveTuple tuple, long nanos) {
        established.put(tuple, nanos);
    }

    /** Notes that a connection's routes have been submitted. */
    public synchronized void submitted(Connection connection, long revision) {
        for (Subflow subflow : connection.subflows()) {
            Long since = established.getIfPresent(subflow.tuple());
            if (since != null && subflow.isRouted()) {
                established.invalidate(subflow.tuple());
                Map<FiveTuple, Submitted> waiting = submitted.asMap()
                        .computeIfAbsent(connection.id(), id -> new HashMap<>());
                waiting.put(subflow.tuple(), new Submitted(since, revision));
            }
        }
    }

    /** Notes that the rules of a submission and of all earlier ones are in the switches. */
    public synchronized void installed(ConnectionId connection, long revision, long nanos) {
        Map<FiveTuple, Submitted> waiting = submitted.getIfPresent(connection);
        if (waiting == null) {
            return;
        }
        for (Iterator<Submitted> each = waiting.values().iterator(); each.hasNext();) {
            Submitted one = each.next();
            if (one.revision <= revision) {
                newest[(int) (count++ % KEPT)] = nanos - one.since;
                each.remove();
            }
        }
        if (waiting.isEmpty()) {
            submitted.invalidate(connection);
        }
    }

    /**
     * Returns the number of subflows with rules, and the median and 95th percentile of their newest set-up times,
     * microseconds.
     */
    public synchronized Map<String, Long> counters() {
        int kept = (int) Math.min(count, KEPT);
        long[] sorted = Arrays.copyOf(newest, kept);
        Arrays.sort(sorted);
        return ImmutableMap.of("rules.subflows", count,
                               "rules.median-micros", kept == 0 ? 0 : sorted[kept / 2] / 1000,
                               "rules.p95-micros", kept == 0 ? 0 : sorted[kept * 95 / 100] / 1000);
    }
}
