// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.onosproject.net.ConnectPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Counts the segments whose source is not attached where they came in, by port, and says so in the log: once in a while for
 * each port. Thread-safe.
 */
final class Spoofed {
    private static final Logger LOG = LoggerFactory.getLogger(Spoofed.class);
    /** Ports that are counted one by one. */
    private static final int MOST_PORTS = 256;
    private static final int QUIET_MINUTES = 10;

    private final DetectCounters counters;
    private final Map<ConnectPoint, LongAdder> byPort = new ConcurrentHashMap<>();
    private final Cache<ConnectPoint, Boolean> told = CacheBuilder.newBuilder()
            .maximumSize(MOST_PORTS)
            .expireAfterWrite(QUIET_MINUTES, TimeUnit.MINUTES)
            .build();

    Spoofed(DetectCounters counters) {
        this.counters = checkNotNull(counters, "counters");
    }

    /** Notes such a segment. */
    void note(FiveTuple tuple, ConnectPoint port) {
        counters.increment(Counter.SPOOFED);
        LongAdder known = byPort.get(port);
        if (known == null && byPort.size() < MOST_PORTS) {
            known = byPort.computeIfAbsent(port, unused -> new LongAdder());
        }
        if (known != null) {
            known.increment();
        }
        if (told.asMap().putIfAbsent(port, true) == null) {
            LOG.warn("TCP from {} ({}) comes in at {}, where ONOS knows no such host: it opens, joins and ends no connection",
                     tuple.source(), tuple.sourceHost(), port);
        }
    }

    /** Returns the counts by name, {@code spoofed.PORT}, for ports that have any. */
    Map<String, Long> byPort() {
        Map<String, Long> counts = new TreeMap<>();
        byPort.forEach((port, count) -> counts.put(Counter.SPOOFED.text() + "." + port, count.sum()));
        return counts;
    }
}
