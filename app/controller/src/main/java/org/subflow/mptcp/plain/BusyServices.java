// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Finds services with many new connections: a client's address, a server's address, and the server's port.
 *
 * <p>Where switches copy no segments, all packets of a new connection come to the controller. From some tens of connections
 * per second on that costs more than paths can gain. So after {@value #PER_SECOND} connections within a second, a service is
 * busy: for a while its packets go the plain way unseen. Where switches copy segments, the embedded ONOS copies a part of those of a
 * service with very many connections. Thread-safe.
 */
public final class BusyServices {
    /** So many new connections within a second make a service busy. */
    public static final int PER_SECOND = 40;
    /** Seconds for which its packets then go the plain way, unseen. */
    public static final int UNSEEN_SECONDS = 1;
    /** Limit of services that are counted; the ones seen longest ago are forgotten. */
    static final int MOST = 4096;
    /** Limit of connections in the midst of which a busy service has been seen. */
    static final int MOST_CONNECTIONS = 20_000;

    /** So long after its last busy second a service still counts as busy for connections whose begin was not seen. */
    private static final long AFTERMATH_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** A connection that still sends so long after it was noticed is not a short one. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    /** After so long without a packet a five-tuple may be that of another connection. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clockNanos;
    private final Cache<Service, Pace> services;
    private final Cache<FiveTuple, Long> noticed;

    /** One client's connections to one port of a server. */
    private static final class Service {
        private final IpAddress client;
        private final IpAddress server;
        private final int port;

        private Service(FiveTuple initiators) {
            client = initiators.source();
            server = initiators.destination();
            port = initiators.destinationPort();
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

    /** How fast a service's connections come. */
    private static final class Pace {
        private long secondBegan;
        private int opened;
        private boolean wasBusy;
        private long busyAt;

        private Pace(long now) {
            secondBegan = now;
        }

        private synchronized boolean opened(long now) {
            if (now - secondBegan >= SECOND_NANOS) {
                secondBegan = now;
                opened = 0;
            }
            opened++;
            if (opened < PER_SECOND) {
                return false;
            }
            opened = 0;
            wasBusy = true;
            busyAt = now;
            return true;
        }

        private synchronized boolean isBusy(long now) {
            return wasBusy && now - busyAt < AFTERMATH_NANOS;
        }
    }

    /**
     * Makes it, with no service counted.
     *
     * @param clockNanos a monotonic clock, nanoseconds; not null
     */
    public BusyServices(LongSupplier clockNanos) {
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
        this.services = cache(MOST, AFTERMATH_NANOS);
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

    /**
     * Counts a new connection.
     *
     * @param initiators its five-tuple as its client sends it; not null
     * @return whether this one makes its service busy, or busy again
     */
    public boolean opened(FiveTuple initiators) {
        long now = clockNanos.getAsLong();
        return services.asMap().computeIfAbsent(new Service(initiators), unused -> new Pace(now)).opened(now);
    }

    /**
     * Returns whether a connection whose begin was not seen may well be a short one of a busy service.
     *
     * @param tuple either direction; not null
     */
    public boolean mayBeShort(FiveTuple tuple) {
        long now = clockNanos.getAsLong();
        FiveTuple initiators = isBusy(tuple, now) ? tuple : tuple.reversed();
        if (!isBusy(initiators, now)) {
            return false;
        }
        return now - noticed.asMap().computeIfAbsent(initiators, unused -> now) < LONG_NANOS;
    }

    /**
     * Returns whether the end of a connection may have gone unseen of late, because its service is busy or was so a moment ago.
     *
     * @param initiators its five-tuple as its client sends it; not null
     */
    public boolean isBusy(FiveTuple initiators) {
        return isBusy(initiators, clockNanos.getAsLong());
    }

    private boolean isBusy(FiveTuple initiators, long now) {
        Pace pace = services.getIfPresent(new Service(initiators));
        return pace != null && pace.isBusy(now);
    }
}
