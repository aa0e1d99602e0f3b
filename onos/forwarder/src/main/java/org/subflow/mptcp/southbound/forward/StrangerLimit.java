// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.forward;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onosproject.net.ConnectPoint;

/**
 * How many packets of hosts not known are forwarded, each port for itself. Every one of them costs a search for its path, at
 * each switch again, because it gets no rule. Thread-safe.
 */
final class StrangerLimit {

    /** Packets a second of one port. */
    static final int MOST_PER_SECOND = 100;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clock;
    /** As many as there are ports. */
    private final Map<ConnectPoint, Counted> ports = new ConcurrentHashMap<>();

    /** Makes a limit by a clock that counts nanoseconds. */
    StrangerLimit(LongSupplier clock) {
        this.clock = clock;
    }

    /** Counts a packet, and tells whether it may be forwarded. */
    boolean admits(ConnectPoint port) {
        return ports.computeIfAbsent(port, p -> new Counted(clock.getAsLong())).one(clock.getAsLong());
    }

    /** The packets of one second. */
    private static final class Counted {
        private long since;
        private int packets;

        Counted(long now) {
            since = now;
        }

        synchronized boolean one(long now) {
            if (now - since >= SECOND) {
                since = now;
                packets = 0;
            }
            if (packets == MOST_PER_SECOND) {
                return false;
            }
            packets++;
            return true;
        }
    }
}
