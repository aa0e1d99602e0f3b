// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Finds services with many new connections: a client, a server, and the server's port. A client or server is a host, with all its
 * addresses: subflows that join a connection from another one are of the same service. Behind a router it is an address.
 *
 * <p>Where switches copy no segments, all packets of a new connection come to the controller. From some tens of connections
 * per second on that costs more than paths can gain. So after {@value #BURST} SYNs within half a second, a service is
 * busy: for a while its packets go the plain way unseen, and some of its connections end unseen. Thread-safe.
 */
public final class BusyServices {
    /** So many new connections within half a second make a service busy. */
    public static final int BURST = 20;
    /** Seconds for which its packets then go the plain way, unseen. If it is busy again right afterwards, twice as many. */
    public static final int UNSEEN_SECONDS = 1;
    /** Most of these seconds. */
    static final int MOST_UNSEEN_SECONDS = 8;
    /** Limit of services that are counted; the ones seen longest ago are forgotten. */
    static final int MOST = 4096;
    /** Limit of connections in the midst of which a busy service has been seen. */
    static final int MOST_CONNECTIONS = 20_000;

    /** So long after it went unseen last a service still counts as busy. */
    private static final long AFTERMATH_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** A connection that still sends so long after it was noticed is not a short one. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    /** After so long without a packet a five-tuple may be that of another connection. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2 * MOST_UNSEEN_SECONDS);
    /** So long it is known when a service was busy last. */
    private static final long MEMORY_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Predicate<FiveTuple> isOwn;
    private final LongSupplier clockNanos;
    private final Cache<Service, Pace> paces;
    /** When services went unseen last. */
    private final Cache<Service, Pause> pauses;
    private final Cache<FiveTuple, Long> noticed;

    /** One client's connections to one port of a server. */
    private static final class Service {
        /** A {@link org.onosproject.net.HostId}, or an {@link org.onlab.packet.IpAddress}. */
        private final Object client;
        private final Object server;
        private final int port;

        private Service(Object client, Object server, int port) {
            this.client = client;
            this.server = server;
            this.port = port;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Service && port == ((Service) other).port
                    && client.equals(((Service) other).client) && server.equals(((Service) other).server);
        }

        @Override
        public int hashCode() {
            return Objects.hash(client, server, port);
        }
    }

    /** The seconds for which a service goes unseen, and their end by the clock. */
    private static final class Pause {
        private final int seconds;
        private final long endNanos;

        private Pause(int seconds, long now) {
            this.seconds = seconds;
            this.endNanos = now + TimeUnit.SECONDS.toNanos(seconds);
        }

        /** Returns the one that follows if the service is busy again. What comes before the rules are there changes nothing. */
        private Pause next(long now) {
            long sinceEnd = now - endNanos;
            if (sinceEnd > TimeUnit.SECONDS.toNanos(UNSEEN_SECONDS)) {
                return new Pause(UNSEEN_SECONDS, now);
            }
            return new Pause(sinceEnd < 0 ? seconds : Math.min(2 * seconds, MOST_UNSEEN_SECONDS), now);
        }
    }

    /** How fast a service's connections come. */
    private static final class Pace {
        private long windowBegan;
        private int opened;

        private Pace(long now) {
            windowBegan = now;
        }

        private synchronized boolean opened(long now) {
            count(now);
            if (opened < BURST) {
                return false;
            }
            opened = 0;
            return true;
        }

        /** Counts one that has begun unseen; what makes the service busy is a SYN. */
        private synchronized void noticed(long now) {
            count(now);
            opened = Math.min(opened, BURST - 1);
        }

        private void count(long now) {
            if (now - windowBegan >= WINDOW_NANOS) {
                windowBegan = now;
                opened = 0;
            }
            opened++;
        }
    }

    /**
     * Makes it, with no service counted.
     *
     * @param isOwn      whether the source address of a five-tuple is one of the host that sends its frames; not null
     * @param clockNanos a monotonic clock, nanoseconds; not null
     */
    public BusyServices(Predicate<FiveTuple> isOwn, LongSupplier clockNanos) {
        this.isOwn = checkNotNull(isOwn, "isOwn");
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
        this.paces = cache(MOST, AFTERMATH_NANOS);
        this.pauses = cache(MOST, MEMORY_NANOS);
        this.noticed = cache(MOST_CONNECTIONS, SILENCE_NANOS);
    }

    /** Makes a cache that forgets what nobody has asked for so long. */
    private <K, V> Cache<K, V> cache(int most, long nanos) {
        Ticker ticker = new Ticker() {
            @Override
            public long read() {
                return clockNanos.getAsLong();
            }
        };
        return CacheBuilder.newBuilder().ticker(ticker).maximumSize(most).expireAfterAccess(nanos, TimeUnit.NANOSECONDS).build();
    }

    private Service service(FiveTuple initiators) {
        return new Service(end(initiators), end(initiators.reversed()), initiators.destinationPort());
    }

    private Object end(FiveTuple tuple) {
        return isOwn.test(tuple) ? tuple.sourceHost() : tuple.source();
    }

    /**
     * Counts a connection that begins, at its SYN: a controller that falls behind establishes few.
     *
     * @param initiators its five-tuple as its client sends it; not null
     * @param mayBeBusy  whether it is one that busy services go without; asked only for a SYN that would make its service busy; not
     *                   null
     * @return the seconds for which its service is to go unseen from now on; 0 if this one does not make it busy, or busy again
     */
    public int opened(FiveTuple initiators, BooleanSupplier mayBeBusy) {
        long now = clockNanos.getAsLong();
        Service service = service(initiators);
        boolean isBusy = pace(service, now).opened(now) && mayBeBusy.getAsBoolean();
        return isBusy ? pauses.asMap().merge(service, new Pause(UNSEEN_SECONDS, now), (last, first) -> last.next(now)).seconds : 0;
    }

    private Pace pace(Service service, long now) {
        return paces.asMap().computeIfAbsent(service, unused -> new Pace(now));
    }

    /**
     * Returns whether a connection whose begin was not seen may well be a short one of a busy service. Each counts as one that begins: a
     * service that many use is busy again at once.
     *
     * @param tuple either direction; not null
     */
    public boolean mayBeShort(FiveTuple tuple) {
        FiveTuple initiators = wasBusyWithin(tuple, 0) ? tuple : tuple.reversed();
        if (!wasBusyWithin(initiators, 0)) {
            return false;
        }
        long now = clockNanos.getAsLong();
        Long before = noticed.asMap().putIfAbsent(initiators, now);
        if (before == null) {
            pace(service(initiators), now).noticed(now);
        }
        return before == null || now - before < LONG_NANOS;
    }

    /**
     * Returns whether the service of a connection was busy of late. A service counts as busy for ten seconds after it went unseen last.
     *
     * @param initiators the connection's five-tuple as its client sends it; not null
     * @param nanos      so long ago at most, nanoseconds; an hour is remembered
     */
    public boolean wasBusyWithin(FiveTuple initiators, long nanos) {
        Pause last = pauses.getIfPresent(service(initiators));
        return last != null && clockNanos.getAsLong() - last.endNanos < AFTERMATH_NANOS + nanos;
    }
}
