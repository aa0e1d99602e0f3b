// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.ExpiringTable;

/**
 * FINs and RSTs of connections that are not known yet. Every switch sends its copies on a connection of its own, so the FIN of
 * one host may overtake the SYN/ACK of the other. Bounded; for one thread at a time.
 */
final class EarlyEnds {
    private static final int MOST = 4096;
    /** After this time a five-tuple may be used again. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** By the sender's five-tuple; true for an RST. */
    private final ExpiringTable<Boolean> ends = new ExpiringTable<>(MOST, KEPT_NANOS);

    /** Notes a FIN or RST; its five-tuple has the sender as its source. */
    void note(FiveTuple sender, boolean reset, long now) {
        ends.expire(now);
        ends.put(sender, reset, now);
    }

    /**
     * Takes the ends of a subflow out.
     *
     * @param tuple five-tuple of the subflow, either way round
     * @param taker gets each sender's five-tuple; true for an RST
     */
    void take(FiveTuple tuple, long now, BiConsumer<FiveTuple, Boolean> taker) {
        ends.expire(now);
        for (FiveTuple sender : List.of(tuple, tuple.reversed())) {
            ends.take(sender).ifPresent(reset -> taker.accept(sender, reset));
        }
    }

    /** Returns the ends of a subflow, by the sender's five-tuple; true for an RST. */
    Map<FiveTuple, Boolean> of(FiveTuple tuple, long now) {
        ends.expire(now);
        Map<FiveTuple, Boolean> found = new LinkedHashMap<>();
        for (FiveTuple sender : List.of(tuple, tuple.reversed())) {
            ends.get(sender).ifPresent(reset -> found.put(sender, reset));
        }
        return found;
    }
}
