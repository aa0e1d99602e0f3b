// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpOptionParser;
import org.subflow.mptcp.segment.option.MptcpOptions;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.TokenDirectory;

/**
 * Follows TCP handshakes by the segments that come to the controller and says when one is complete, and as what.
 * The package documentation has the states.
 *
 * <p>Confined to one thread at a time: whoever calls {@link #process} and {@link #expire} from several threads holds
 * one lock around them; several trackers may share the work if both directions of a five-tuple go to the same one.
 * {@link #handshakes}, {@link #recent} and {@link #midstream} may be called from any thread. The token directory is
 * asked from within {@code process}.
 *
 * <p>Time is an argument, in nanoseconds of any origin, and should not go backwards. Memory is bounded by
 * {@link TrackerLimits}. No segment makes it throw.
 */
public final class HandshakeTracker {
    /** First octets of multicast addresses: 224.0.0.0/4 and ff00::/8. */
    private static final int FIRST_IPV4_GROUP = 224;
    private static final int LAST_IPV4_GROUP = 239;
    private static final int IPV6_GROUP = 0xff;

    private final TrackerLimits limits;
    private final DetectCounters counters;
    private final Negotiation negotiation;
    private final HandshakeTable table;
    /** Initial sequence numbers of the SYNs of connections just established; empty for a confirmed midstream one. */
    private final ExpiringTable<Optional<Integer>> recent;
    private final MidstreamWatch midstream;
    private final CopiedHandshakes copies;
    private final Set<IpAddress> knownSources = new LinkedHashSet<>();

    private volatile int handshakeCount;
    private volatile int recentCount;
    private volatile int midstreamCount;

    /**
     * Makes a tracker that knows no handshake.
     *
     * @param limits   what it may hold and for how long
     * @param tokens   which connection a token stands for
     * @param counters where it counts
     */
    public HandshakeTracker(TrackerLimits limits, TokenDirectory tokens, DetectCounters counters) {
        this.limits = checkNotNull(limits, "limits");
        this.counters = checkNotNull(counters, "counters");
        this.negotiation = new Negotiation(checkNotNull(tokens, "tokens"), counters);
        this.table = new HandshakeTable(limits, counters);
        this.recent = new ExpiringTable<>(limits.recent, TrackerLimits.RECENT_NANOS);
        this.midstream = new MidstreamWatch(limits);
        this.copies = new CopiedHandshakes(this, table, negotiation, counters);
    }

    /**
     * Takes a segment.
     *
     * @param segment a segment that came to the controller
     * @param now     the time in nanoseconds, as of {@link org.subflow.mptcp.loop.Clock#nanos()}
     * @return what it is and what to do with it
     */
    public Decision process(Segment segment, long now) {
        counters.increment(Counter.SEGMENTS);
        expireTables(now);
        Decision decision = decide(segment, now);
        publishSizes();
        return decision;
    }

    /**
     * Takes the copy of a segment that the switches forward: one with SYN, FIN or RST. The third segment of a handshake is
     * never seen, so the answer to an MPTCP SYN opens a connection whose handshake may not be complete.
     *
     * @param segment the segment
     * @param now     the time in nanoseconds
     * @return what it is
     */
    public Decision processCopy(Segment segment, long now) {
        counters.increment(Counter.COPIES);
        expireTables(now);
        Decision decision = copies.decide(segment, now);
        publishSizes();
        return decision;
    }

    /**
     * Returns the subflows of connections that have become known by copies that came after those of their MP_JOIN; to be
     * called after each event of {@link #processCopy}.
     *
     * @param now the time in nanoseconds
     */
    public List<HandshakeEvent> overtakenJoins(long now) {
        return copies.overtakenJoins(now);
    }

    /**
     * Forgets what has waited too long; for times without traffic, every few seconds.
     *
     * @param now the time in nanoseconds
     */
    public void expire(long now) {
        expireTables(now);
        publishSizes();
    }

    /** Returns the number of handshakes that are not complete. */
    public int handshakes() {
        return handshakeCount;
    }

    /** Returns the number of connections remembered as just established. */
    public int recent() {
        return recentCount;
    }

    /** Returns the number of connections without handshake of which one direction was seen. */
    public int midstream() {
        return midstreamCount;
    }

    /** Returns the MP_JOINs of each port that were not checked, by {@code limit.joins.PORT}. Any thread may ask. */
    public Map<String, Long> uncheckedByPort() {
        return negotiation.uncheckedByPort();
    }

    private void expireTables(long now) {
        table.expire(now);
        recent.expire(now);
        midstream.expire(now);
        copies.expire(now);
    }

    private void publishSizes() {
        handshakeCount = table.size();
        recentCount = recent.size();
        midstreamCount = midstream.size();
    }

    private Decision decide(Segment segment, long now) {
        if (!hasHosts(segment.fiveTuple())) {
            counters.increment(Counter.SEGMENTS_BAD_ADDRESS);
            return Decision.PASS;
        }
        MptcpOptions options = MptcpOptionParser.parse(segment.rawOptions(), segment.flags());
        counters.malformed(options.malformed);
        if (segment.isSyn()) {
            return syn(segment, options, now);
        }
        if (segment.isSynAck()) {
            return synAck(segment, options, now);
        }
        if (segment.isReset()) {
            return reset(segment);
        }
        if (segment.isAck()) {
            return ack(segment, options, now);
        }
        counters.increment(Counter.SEGMENTS_BAD_FLAGS);
        return Decision.PASS;
    }

    static boolean hasHosts(FiveTuple fiveTuple) {
        return isHost(fiveTuple.source()) && isHost(fiveTuple.destination())
                && !(fiveTuple.source().equals(fiveTuple.destination())
                        && fiveTuple.sourcePort() == fiveTuple.destinationPort());
    }

    private static boolean isHost(IpAddress address) {
        // Asked for both addresses of each segment: ONOS's own question makes a prefix and compares it.
        int first = Byte.toUnsignedInt(address.toOctets()[0]);
        boolean isGroupOrBroadcast = address.isIp4()
                ? first >= FIRST_IPV4_GROUP && (first <= LAST_IPV4_GROUP || isBroadcast(address)) : first == IPV6_GROUP;
        return !isGroupOrBroadcast && !address.isZero();
    }

    private static boolean isBroadcast(IpAddress address) {
        return address.getIp4Address().toInt() == -1;
    }

    Decision syn(Segment segment, MptcpOptions options, long now) {
        FiveTuple fiveTuple = segment.fiveTuple();
        Optional<Handshake> handshake = table.get(fiveTuple);
        if (handshake.isPresent()) {
            return furtherSyn(handshake.get(), segment, options);
        }
        Optional<Integer> before = recent.get(fiveTuple).orElse(Optional.empty());
        if (before.isPresent()) {
            if (before.get() == segment.sequence()) {
                counters.increment(Counter.SYN_RETRANSMITTED);
                return Decision.OVERTAKING;
            }
            counters.increment(Counter.SYN_REUSED);
        }
        Attempt attempt = newAttempt(segment, options);
        table.add(new Handshake(fiveTuple, attempt), knownSources.contains(fiveTuple.source()), now);
        return inHandshake(fiveTuple, attempt);
    }

    private Decision furtherSyn(Handshake handshake, Segment segment, MptcpOptions options) {
        Optional<Attempt> same = handshake.find(attempt -> attempt.initiatorSequence() == segment.sequence());
        if (same.isPresent()) {
            counters.increment(Counter.SYN_RETRANSMITTED);
            same.get().offerAgain(options);
            return inHandshake(segment.fiveTuple(), same.get());
        }
        counters.increment(Counter.SYN_REUSED);
        Attempt attempt = newAttempt(segment, options);
        handshake.add(attempt);
        return inHandshake(segment.fiveTuple(), attempt);
    }

    private Attempt newAttempt(Segment segment, MptcpOptions options) {
        Attempt attempt = new Attempt(segment, options);
        counters.increment(Counter.SYN);
        attempt.capable().ifPresent(capable -> counters.increment(Counter.SYN_CAPABLE));
        attempt.join().ifPresent(join -> {
            counters.increment(Counter.SYN_JOIN);
            negotiation.countToken(join.token);
        });
        return attempt;
    }

    private Decision inHandshake(FiveTuple fiveTuple, Attempt attempt) {
        return negotiation.join(fiveTuple, attempt).map(Decision::joinSyn).orElse(Decision.IN_HANDSHAKE);
    }

    Decision synAck(Segment segment, MptcpOptions options, long now) {
        FiveTuple initiators = segment.fiveTuple().reversed();
        Optional<Handshake> handshake = table.get(initiators);
        Optional<Attempt> asked = handshake.flatMap(known -> known.find(attempt -> attempt.isAcknowledgedBy(segment)));
        if (asked.isEmpty()) {
            boolean again = recent.get(initiators).isPresent();
            counters.increment(again ? Counter.SYN_ACK_RETRANSMITTED : Counter.SYN_ACK_UNSOLICITED);
            return again ? Decision.OVERTAKING : Decision.PASS;
        }
        Attempt attempt = asked.get();
        if (attempt.isAnsweredBy(segment)) {
            counters.increment(Counter.SYN_ACK_RETRANSMITTED);
            return Decision.IN_HANDSHAKE;
        }
        counters.increment(Counter.SYN_ACK);
        attempt.answer(segment, options);
        if (attempt.answersWithoutOffer()) {
            counters.increment(Counter.CAPABLE_NOT_OFFERED);
        }
        table.answered(handshake.get(), now);
        return simultaneous(handshake.get(), attempt, segment, now);
    }

    /** Completes a simultaneous open: each host answers the other's SYN with the sequence number of its own. */
    private Decision simultaneous(Handshake handshake, Attempt attempt, Segment segment, long now) {
        boolean crossed = table.get(segment.fiveTuple())
                .flatMap(back -> back.find(other -> other.answered()
                        && other.initiatorSequence() == segment.sequence())).isPresent();
        return crossed ? established(handshake, attempt, new PlainEstablished(handshake.fiveTuple(),
                attempt.numbers(),
                PlainEstablished.Cause.SIMULTANEOUS_OPEN), now) : Decision.IN_HANDSHAKE;
    }

    Decision reset(Segment segment) {
        boolean byInitiator = reset(segment.fiveTuple(), attempt -> attempt.isResetBy(segment));
        boolean byListener = reset(segment.fiveTuple().reversed(), attempt -> attempt.isResetByListeners(segment));
        if (byInitiator || byListener) {
            counters.increment(Counter.HANDSHAKE_RESET);
        }
        return Decision.PASS;
    }

    private boolean reset(FiveTuple initiators, Predicate<Attempt> hits) {
        Optional<Handshake> handshake = table.get(initiators);
        if (handshake.isEmpty()) {
            return false;
        }
        Optional<Attempt> hit = handshake.get().find(hits);
        if (hit.isEmpty()) {
            counters.increment(Counter.RESET_IGNORED);
        } else if (handshake.get().forget(hit.get())) {
            table.remove(handshake.get());
        }
        return hit.isPresent();
    }

    private Decision ack(Segment segment, MptcpOptions options, long now) {
        FiveTuple fiveTuple = segment.fiveTuple();
        Optional<Handshake> own = table.get(fiveTuple);
        Optional<Attempt> followed = own.flatMap(known -> known.find(attempt -> attempt.isFollowedBy(segment)));
        if (followed.isPresent()) {
            return negotiation.byInitiator(fiveTuple, followed.get(), segment, options, now)
                    .map(event -> established(own.get(), followed.get(), event, now)).orElse(Decision.IN_HANDSHAKE);
        }
        FiveTuple back = fiveTuple.reversed();
        Optional<Handshake> theirs = table.get(back);
        Optional<Attempt> answered =
                theirs.flatMap(known -> known.find(attempt -> attempt.isFollowedByListeners(segment)));
        if (answered.isPresent()) {
            return negotiation.byListener(back, answered.get(), segment, options, now)
                    .map(event -> established(theirs.get(), answered.get(), event, now))
                    .orElse(Decision.IN_HANDSHAKE);
        }
        return withoutHandshake(segment, now);
    }

    private Decision withoutHandshake(Segment segment, long now) {
        FiveTuple there = segment.fiveTuple();
        FiveTuple back = segment.fiveTuple().reversed();
        if (recent.get(there).isPresent() || recent.get(back).isPresent()) {
            counters.increment(Counter.OVERTAKING);
            return Decision.OVERTAKING;
        }
        counters.increment(Counter.MIDSTREAM);
        if (segment.isFin()) {
            return Decision.PASS;
        }
        if (!midstream.confirms(segment, now)) {
            return Decision.MIDSTREAM;
        }
        counters.increment(Counter.MIDSTREAM_CONFIRMED);
        recent.put(there, Optional.empty(), now);
        return Decision.MIDSTREAM_CONFIRMED;
    }

    Decision established(Handshake handshake, Attempt attempt, HandshakeEvent event, long now) {
        table.remove(handshake);
        return established(handshake.fiveTuple(), attempt, event, now);
    }

    Decision established(FiveTuple fiveTuple, Attempt attempt, HandshakeEvent event, long now) {
        table.get(fiveTuple.reversed()).ifPresent(table::remove);
        recent.remove(fiveTuple.reversed());
        recent.put(fiveTuple, Optional.of(attempt.initiatorSequence()), now);
        rememberSource(fiveTuple.source());
        event.tell(new EstablishedCount(counters));
        return Decision.established(event);
    }

    /** Returns whether a connection has just been established by the sender of a SYN with this five-tuple. */
    boolean isRecent(FiveTuple initiators) {
        return recent.get(initiators).isPresent();
    }

    private void rememberSource(IpAddress source) {
        knownSources.remove(source);
        if (knownSources.size() >= limits.knownSources) {
            Iterator<IpAddress> oldest = knownSources.iterator();
            oldest.next();
            oldest.remove();
        }
        knownSources.add(source);
    }

    /** Counts each kind of event. */
    private static final class EstablishedCount implements HandshakeEvent.Listener {
        private final DetectCounters counters;

        private EstablishedCount(DetectCounters counters) {
            this.counters = counters;
        }

        @Override
        public void plainEstablished(PlainEstablished event) {
            counters.increment(Counter.ESTABLISHED_PLAIN);
            if (event.fallback()) {
                counters.increment(Counter.ESTABLISHED_FALLBACK);
            }
        }

        @Override
        public void capableEstablished(CapableEstablished event) {
            counters.increment(event.keys.version == MptcpVersion.V0 ? Counter.ESTABLISHED_CAPABLE_V0
                                       : Counter.ESTABLISHED_CAPABLE_V1);
        }

        @Override
        public void joinEstablished(JoinEstablished event) {
            counters.increment(Counter.ESTABLISHED_JOIN);
        }
    }
}
