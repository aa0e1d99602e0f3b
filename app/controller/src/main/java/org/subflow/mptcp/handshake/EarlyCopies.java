// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.Segment;

/**
 * Copies of segments that have overtaken others. Every switch sends its copies on a connection of its own, so a SYN/ACK may
 * come before its SYN, and an MP_JOIN before the connection that it joins. They wait for a moment. Confined to the tracker.
 */
final class EarlyCopies {
    private static final int MOST = 4096;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ExpiringTable<Segment> answers = new ExpiringTable<>(MOST, NANOS);
    private final ExpiringTable<Attempt> joins = new ExpiringTable<>(MOST, NANOS);

    /** Keeps a SYN/ACK whose SYN has not come. */
    void keep(Segment synAck, long now) {
        answers.put(synAck.fiveTuple().reversed(), synAck, now);
    }

    /** Takes the SYN/ACK that has overtaken a SYN. */
    Optional<Segment> takeAnswer(FiveTuple initiators) {
        return answers.take(initiators);
    }

    /** Keeps an answered MP_JOIN whose connection is not known. */
    void keepJoin(FiveTuple fiveTuple, Attempt attempt, long now) {
        joins.put(fiveTuple, attempt, now);
    }

    /** Takes the MP_JOINs whose connection is known now. */
    List<Map.Entry<FiveTuple, Attempt>> takeJoins(Predicate<Attempt> isKnown) {
        List<Map.Entry<FiveTuple, Attempt>> known = new ArrayList<>();
        joins.forEach((key, attempt) -> {
            if (isKnown.test(attempt)) {
                known.add(Map.entry(key, attempt));
            }
        });
        known.forEach(join -> joins.remove(join.getKey()));
        return known;
    }

    boolean hasJoins() {
        return joins.size() > 0;
    }

    void expire(long now) {
        answers.expire(now);
        joins.expire(now);
    }
}
