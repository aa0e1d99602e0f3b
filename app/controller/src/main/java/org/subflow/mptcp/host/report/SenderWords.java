// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import org.subflow.mptcp.api.ConnectionId;

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

    private final Map<ConnectionId, Said> byConnection = new ConcurrentHashMap<>();

    private static final class Said {
        private Word up;
        private Word down;

        private Word of(boolean upwards) {
            return upwards ? up : down;
        }

        private void set(boolean upwards, Word word) {
            if (upwards) {
                up = word;
            } else {
                down = word;
            }
        }
    }

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
     * @param upwards   whether the host is the connection's client
     * @param demand    the host's demand, bit/s on the wire, infinite if it has no limit; empty if the host does not say
     * @param nowMillis milliseconds of the Unix epoch
     * @return whether that differs noticeably from what it said before
     */
    public boolean note(ConnectionId id, boolean upwards, OptionalDouble demand, long nowMillis) {
        boolean[] isNews = new boolean[1];
        byConnection.compute(id, (same, known) -> {
            Said said = known == null ? new Said() : known;
            Word before = said.of(upwards);
            OptionalDouble old = before == null ? OptionalDouble.empty() : before.demand;
            isNews[0] = differ(old, demand);
            said.set(upwards, new Word(isNews[0] ? demand : old, nowMillis));
            return said;
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
    public OptionalDouble of(ConnectionId id, boolean upwards, long nowMillis) {
        OptionalDouble[] demand = {OptionalDouble.empty()};
        byConnection.computeIfPresent(id, (same, said) -> {
            Word word = said.of(upwards);
            demand[0] = word != null && word.isFresh(nowMillis) ? word.demand : OptionalDouble.empty();
            return said;
        });
        return demand[0];
    }

    /** Returns whether the host that sends in a direction has reported the connection within the last five seconds. */
    public boolean isHeard(ConnectionId id, boolean upwards, long nowMillis) {
        boolean[] isHeard = new boolean[1];
        byConnection.computeIfPresent(id, (same, said) -> {
            isHeard[0] = said.of(upwards) != null && said.of(upwards).isFresh(nowMillis);
            return said;
        });
        return isHeard[0];
    }

    /** Forgets the words that no longer count; returns their connections. */
    public List<ConnectionId> expire(long nowMillis) {
        List<ConnectionId> expired = new ArrayList<>();
        for (ConnectionId each : byConnection.keySet()) {
            byConnection.computeIfPresent(each, (id, said) -> {
                boolean isUp = said.up != null && !said.up.isFresh(nowMillis);
                boolean isDown = said.down != null && !said.down.isFresh(nowMillis);
                if (isUp || isDown) {
                    expired.add(id);
                }
                said.up = isUp ? null : said.up;
                said.down = isDown ? null : said.down;
                return said.up == null && said.down == null ? null : said;
            });
        }
        return expired;
    }
}
