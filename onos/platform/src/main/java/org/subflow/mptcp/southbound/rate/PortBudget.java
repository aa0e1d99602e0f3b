// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.rate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onosproject.net.ConnectPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.rate.TokenBucket;

/**
 * How many packets of a kind each port may bring in a second. What is beyond is counted, and the log names the port: once, until
 * it has kept to its budget for a while. Thread-safe.
 */
public final class PortBudget {

    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(16);

    private static final Logger log = LoggerFactory.getLogger(PortBudget.class);

    private final String kind;
    private final int mostPerSecond;
    private final LongSupplier clock;
    /** As many as there are ports. */
    private final Map<ConnectPoint, Port> ports = new ConcurrentHashMap<>();

    /**
     * Makes the same budget for each port.
     *
     * @param kind          the packets, for the log
     * @param mostPerSecond so many of them; also so many at once, after a second without any
     * @param clock         counts nanoseconds
     */
    public PortBudget(String kind, int mostPerSecond, LongSupplier clock) {
        this.kind = kind;
        this.mostPerSecond = mostPerSecond;
        this.clock = clock;
    }

    /** {@return whether a port may bring one more packet now}; counts it either way */
    public boolean admits(ConnectPoint port) {
        long now = clock.getAsLong();
        return of(port, now).admits(now);
    }

    /** Counts a packet that was admitted, and for which there is no room all the same. */
    public void drop(ConnectPoint port) {
        long now = clock.getAsLong();
        of(port, now).drop(now);
    }

    /** {@return how many packets of a port have been dropped since it was quiet} */
    public long dropped(ConnectPoint port) {
        return of(port, clock.getAsLong()).dropped();
    }

    private Port of(ConnectPoint port, long now) {
        return ports.computeIfAbsent(port, point -> new Port(point, now));
    }

    private final class Port {
        private final ConnectPoint point;
        private final TokenBucket bucket;
        private long dropped;
        private long droppedAt;

        Port(ConnectPoint point, long now) {
            this.point = point;
            this.bucket = new TokenBucket(now);
        }

        synchronized boolean admits(long now) {
            bucket.fill(now);
            long cost = TokenBucket.cost(mostPerSecond);
            if (!bucket.has(cost)) {
                drop(now);
                return false;
            }
            bucket.take(cost);
            if (dropped > 0 && now - droppedAt >= QUIET_NANOS) {
                log.info("{} has kept to {} {} a second for {} s: {} were dropped before", point, mostPerSecond, kind,
                        TimeUnit.NANOSECONDS.toSeconds(now - droppedAt), dropped);
                dropped = 0;
            }
            return true;
        }

        synchronized void drop(long now) {
            if (dropped == 0) {
                log.warn("{} brings more than {} {} a second: the rest is dropped", point, mostPerSecond, kind);
            }
            dropped++;
            droppedAt = now;
        }

        synchronized long dropped() {
            return dropped;
        }
    }
}
