// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;

/**
 * At what age a connection is looked at for the first time, by what has become of others to the same server and port.
 *
 * <p>A look costs a rule in a switch and a packet at the controller, and is in vain if the connection ends before it has sent enough.
 * Where many looks are in vain, connections are looked at later; where looks find that one has earned its paths, sooner. So
 * about one connection in twenty gets a look in vain. Where the network is so slow that this would be later than {@link #LATEST_NANOS},
 * there are only {@link #MOST_DOUBTFUL_PER_SECOND} of these looks a second.
 *
 * <p>Bounded: the service that was asked for longest ago is forgotten. Confined to one thread.
 */
final class FirstLooks {
    /** The earliest first look; most connections have ended before. */
    static final long EARLIEST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** The latest one: a transfer is to have its paths within a second. */
    static final long LATEST_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
    /** Limit of looks in a second at connections of services of which many are in vain. */
    static final int MOST_DOUBTFUL_PER_SECOND = 20;
    /** Limit of services. */
    static final int MOST = 4096;

    private static final long DOUBTFUL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long COST_NANOS = TimeUnit.SECONDS.toNanos(1) / MOST_DOUBTFUL_PER_SECOND;
    private static final double LATER = 1.2;
    private static final double A_LITTLE_SOONER = 0.99;
    private static final double SOONER = 0.8;

    private final Map<Service, Long> ages = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Service, Long> eldest) {
            return size() > MOST;
        }
    };

    /** The looks that may be taken now, as the time in which so many are allowed. */
    private long credit = TimeUnit.SECONDS.toNanos(1);
    /** Null before the first look. */
    private Long creditedAt;

    /** A server's address and port. */
    private static final class Service {
        private final IpAddress server;
        private final int port;

        private Service(FiveTuple first) {
            this.server = first.destination();
            this.port = first.destinationPort();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Service && port == ((Service) other).port && server.equals(((Service) other).server);
        }

        @Override
        public int hashCode() {
            return Objects.hash(server, port);
        }
    }

    /**
     * Returns the age of the first look, nanoseconds.
     *
     * @param first five-tuple of the connection's first subflow, its source being the sender of the SYN; not null
     */
    long age(FiveTuple first) {
        return ages.getOrDefault(new Service(first), EARLIEST_NANOS);
    }

    /**
     * Takes a look at a connection if there may be one now. Of services of which many looks are in vain, only so many connections a
     * second are looked at; ask for the oldest first, as it most likely lives on.
     *
     * @param now nanoseconds
     */
    boolean take(FiveTuple first, long now) {
        if (age(first) < DOUBTFUL_NANOS) {
            return true;
        }
        credit = creditedAt == null ? credit : Math.min(TimeUnit.SECONDS.toNanos(1), credit + now - creditedAt);
        creditedAt = now;
        if (credit < COST_NANOS) {
            return false;
        }
        credit -= COST_NANOS;
        return true;
    }

    /** Notes that a connection has ended before its first look. */
    void endedBefore(FiveTuple first) {
        scale(first, A_LITTLE_SOONER);
    }

    /** Notes that a connection has been looked at, and has ended without having sent enough. */
    void inVain(FiveTuple first) {
        scale(first, LATER);
    }

    /** Notes that a look has shown that a connection has sent enough. */
    void earned(FiveTuple first) {
        scale(first, SOONER);
    }

    private void scale(FiveTuple first, double factor) {
        Service service = new Service(first);
        long before = ages.getOrDefault(service, EARLIEST_NANOS);
        long after = Math.max(EARLIEST_NANOS, Math.min(LATEST_NANOS, (long) (before * factor)));
        if (after == EARLIEST_NANOS) {
            ages.remove(service);
        } else {
            ages.put(service, after);
        }
    }

    /** Returns how many services have a later first look than others. */
    int size() {
        return ages.size();
    }
}
