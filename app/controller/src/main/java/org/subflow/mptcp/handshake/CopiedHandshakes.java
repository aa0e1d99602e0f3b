// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpOptionParser;
import org.subflow.mptcp.segment.option.MptcpOptions;

/**
 * Follows handshakes of which only copies of SYN and SYN/ACK come, in any order. It shares the tables of the {@link
 * HandshakeTracker}, and is confined to its thread.
 */
final class CopiedHandshakes {
    private final HandshakeTracker tracker;
    private final HandshakeTable table;
    private final Negotiation negotiation;
    private final DetectCounters counters;
    private final EarlyCopies early = new EarlyCopies();

    CopiedHandshakes(HandshakeTracker tracker, HandshakeTable table, Negotiation negotiation, DetectCounters counters) {
        this.tracker = tracker;
        this.table = table;
        this.negotiation = negotiation;
        this.counters = counters;
    }

    void expire(long now) {
        early.expire(now);
    }

    Decision decide(Segment segment, long now) {
        if (!HandshakeTracker.hasHosts(segment.fiveTuple())) {
            counters.increment(Counter.SEGMENTS_BAD_ADDRESS);
            return Decision.PASS;
        }
        if (segment.isReset()) {
            return tracker.reset(segment);
        }
        if (!segment.isSyn() && !segment.isSynAck()) {
            return Decision.PASS;
        }
        MptcpOptions options = MptcpOptionParser.parse(segment.rawOptions(), segment.flags());
        counters.malformed(options.malformed);
        if (segment.isSyn()) {
            Decision decision = tracker.syn(segment, options, now);
            return early.takeAnswer(segment.fiveTuple()).map(answer -> overtaken(answer, now)).orElse(decision);
        }
        return answer(segment, options, now);
    }

    private Decision overtaken(Segment synAck, long now) {
        return answer(synAck, MptcpOptionParser.parse(synAck.rawOptions(), synAck.flags()), now);
    }

    private Decision answer(Segment synAck, MptcpOptions options, long now) {
        FiveTuple initiators = synAck.fiveTuple().reversed();
        if (table.get(initiators).isEmpty() && !tracker.isRecent(initiators)) {
            early.keep(synAck, now);
            return Decision.PASS;
        }
        Decision decision = tracker.synAck(synAck, options, now);
        return decision == Decision.IN_HANDSHAKE ? answered(synAck, now) : decision;
    }

    private Decision answered(Segment synAck, long now) {
        FiveTuple initiators = synAck.fiveTuple().reversed();
        Handshake handshake = table.get(initiators).orElseThrow();
        Attempt attempt = handshake.find(one -> one.isAcknowledgedBy(synAck) && one.isAnsweredBy(synAck)).orElseThrow();
        Optional<HandshakeEvent> event = negotiation.unconfirmed(initiators, attempt, now);
        if (event.isPresent()) {
            return tracker.established(handshake, attempt, event.get(), now);
        }
        if (attempt.agreed() == Attempt.Agreed.JOIN && !negotiation.isKnown(attempt)) {
            early.keepJoin(initiators, attempt, now);
        }
        // Of plain TCP there is nothing to remember.
        table.remove(handshake);
        return Decision.PASS;
    }

    List<HandshakeEvent> overtakenJoins(long now) {
        List<HandshakeEvent> events = new ArrayList<>();
        if (early.hasJoins()) {
            early.takeJoins(negotiation::isKnown).forEach(join ->
                    negotiation.unconfirmed(join.getKey(), join.getValue(), now).ifPresent(event -> {
                        tracker.established(join.getKey(), join.getValue(), event, now);
                        events.add(event);
                    }));
        }
        return events;
    }
}
