// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Copies of segments that came while no node decided. The next one that does gets them, and so knows the connections that began
 * meanwhile. Bounded: the oldest give way. Thread-safe.
 */
final class HeldPackets {
    /** How many are kept; a copy has 256 octets at most. */
    static final int MOST = 4096;
    /** How long one is kept, nanoseconds. */
    static final long NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier clockNanos;
    private final Deque<Held> held = new ArrayDeque<>();

    /** One of them. */
    static final class Held {
        final RelayedPacket packet;
        private final long sinceNanos;

        private Held(RelayedPacket packet, long sinceNanos) {
            this.packet = packet;
            this.sinceNanos = sinceNanos;
        }
    }

    HeldPackets(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
    }

    /** Keeps a copy; returns false if the oldest one had to give way. */
    boolean add(RelayedPacket packet) {
        return keep(new Held(packet, clockNanos.getAsLong()));
    }

    /** Keeps one again that could not be delivered; its time goes on. Returns false if the oldest one had to give way. */
    synchronized boolean keep(Held one) {
        held.addLast(one);
        if (held.size() <= MOST) {
            return true;
        }
        held.removeFirst();
        return false;
    }

    /** Takes out so many at most, the oldest first, but none that has been kept for too long: those are forgotten. */
    synchronized List<Held> take(int most) {
        long now = clockNanos.getAsLong();
        List<Held> taken = new ArrayList<>();
        while (!held.isEmpty() && taken.size() < most) {
            Held one = held.removeFirst();
            if (now - one.sinceNanos <= NANOS) {
                taken.add(one);
            }
        }
        return taken;
    }

    synchronized int size() {
        return held.size();
    }
}
