// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import com.google.common.collect.Maps;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;

/**
 * What hosts say of their demand, by connection and direction. A word counts for five seconds. Thread-safe.
 *
 * <p>Small changes are not passed on: a demand rises by at least a tenth and falls by at least a quarter.
 */
public final class SenderWords {
    /** How long a word counts, milliseconds. */
    public static final long FRESH_MILLIS = 5000;

    private static final double LEAST_RISE = 1.1;
    private static final double LEAST_FALL = 0.75;

    private final Map<Direction, Map<ConnectionId, Word>> words =
            Maps.toMap(List.of(Direction.values()), unused -> new ConcurrentHashMap<>());

    private static final class Word {
        private final OptionalDouble demand;
        private final long millis;

        private Word(OptionalDouble demand, long millis) {
            this.demand = demand;
            this.millis = millis;
        }

        private boolean isFresh(long nowMillis) {
            return nowMillis - millis <= FRESH_MILLIS;
        }
    }

    /**
     * Notes what a host says.
     *
     * @param id        the connection
     * @param sent      the direction in which the host sends; not null
     * @param demand    the host's demand, bit/s on the wire, infinite if it has no limit; empty if the host does not say
     * @param nowMillis milliseconds of the Unix epoch
     * @return whether that differs noticeably from what it said before
     */
    public boolean note(ConnectionId id, Direction sent, OptionalDouble demand, long nowMillis) {
        boolean[] isNews = new boolean[1];
        words.get(sent).compute(id, (same, before) -> {
            OptionalDouble old = before == null ? OptionalDouble.empty() : before.demand;
            isNews[0] = differ(old, demand);
            return new Word(isNews[0] ? demand : old, nowMillis);
        });
        return isNews[0];
    }

    private static boolean differ(OptionalDouble before, OptionalDouble now) {
        if (!before.isPresent() || !now.isPresent()) {
            return before.isPresent() != now.isPresent();
        }
        double old = before.getAsDouble();
        double next = now.getAsDouble();
        return next > LEAST_RISE * old || next < LEAST_FALL * old;
    }

    /** Returns what a host says now, bit/s on the wire; empty if nothing. */
    public OptionalDouble of(ConnectionId id, Direction sent, long nowMillis) {
        Word word = words.get(sent).get(id);
        return word != null && word.isFresh(nowMillis) ? word.demand : OptionalDouble.empty();
    }

    /** Returns whether the host that sends in a direction has reported the connection within the last five seconds. */
    public boolean isHeard(ConnectionId id, Direction sent, long nowMillis) {
        Word word = words.get(sent).get(id);
        return word != null && word.isFresh(nowMillis);
    }

    /** Forgets the words that no longer count; returns their connections. */
    public Set<ConnectionId> expire(long nowMillis) {
        Set<ConnectionId> expired = new LinkedHashSet<>();
        words.values().forEach(each -> each.forEach((id, word) -> {
            if (!word.isFresh(nowMillis) && each.remove(id, word)) {
                expired.add(id);
            }
        }));
        return expired;
    }
}
