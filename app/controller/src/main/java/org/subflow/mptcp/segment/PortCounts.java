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
import java.util.function.BiConsumer;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.FiveTuple;

/** Counts segments of a kind, in all and by port, and has the log say so: once in a while for each port. Thread-safe. */
public final class PortCounts {
    /** Ports that are counted one by one. */
    private static final int MOST_PORTS = 256;
    private static final int QUIET_MINUTES = 10;

    private final DetectCounters counters;
    private final Counter kind;
    private final BiConsumer<FiveTuple, ConnectPoint> log;
    private final Map<ConnectPoint, LongAdder> byPort = new ConcurrentHashMap<>();
    private final Cache<ConnectPoint, Boolean> told = CacheBuilder.newBuilder()
            .maximumSize(MOST_PORTS)
            .expireAfterWrite(QUIET_MINUTES, TimeUnit.MINUTES)
            .build();

    /**
     * Makes counts of 0.
     *
     * @param counters where all are counted; not null
     * @param kind     the counter of all; not null
     * @param log      writes a line into the log about a segment and its port; not null
     */
    public PortCounts(DetectCounters counters, Counter kind, BiConsumer<FiveTuple, ConnectPoint> log) {
        this.counters = checkNotNull(counters, "counters");
        this.kind = checkNotNull(kind, "kind");
        this.log = checkNotNull(log, "log");
    }

    /** Notes such a segment. */
    public void note(FiveTuple tuple, ConnectPoint port) {
        counters.increment(kind);
        LongAdder known = byPort.get(port);
        if (known == null && byPort.size() < MOST_PORTS) {
            known = byPort.computeIfAbsent(port, unused -> new LongAdder());
        }
        if (known != null) {
            known.increment();
        }
        if (told.asMap().putIfAbsent(port, true) == null) {
            log.accept(tuple, port);
        }
    }

    /** Returns the counts by name, {@code COUNTER.PORT}, for ports that have any. */
    public Map<String, Long> byPort() {
        Map<String, Long> counts = new TreeMap<>();
        byPort.forEach((port, count) -> counts.put(kind.text() + "." + port, count.sum()));
        return counts;
    }
}
