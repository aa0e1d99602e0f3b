// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.segment.Allowances;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.PortCounts;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MpCapable;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOptions;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.token.Keys;
import org.subflow.mptcp.token.TokenDirectory;
import org.subflow.mptcp.token.TokenOwner;

/**
 * What an answered handshake becomes, by the options of the segments that follow it. Knows keys, tokens and keyed
 * hashes; holds no state but how many hashes each port has cost of late. The port of an MP_JOIN's SYN pays for them: so nobody
 * spends what is another one's.
 */
final class Negotiation {
    private static final Logger LOG = LoggerFactory.getLogger(Negotiation.class);

    private final TokenDirectory tokens;
    private final DetectCounters counters;
    private final Allowances<ConnectPoint> hashes =
            new Allowances<>(TrackerLimits.HMACS_PER_SECOND, TrackerLimits.HMACS_PER_SECOND);
    private final PortCounts unchecked;

    Negotiation(TokenDirectory tokens, DetectCounters counters) {
        this.tokens = tokens;
        this.counters = counters;
        this.unchecked = new PortCounts(counters, Counter.JOIN_LIMIT, (tuple, port) -> LOG.warn(
                "MP_JOINs of {} ({}) at {} cost more than {} HMACs a second: those beyond go unchecked, and join nothing",
                tuple.source(), tuple.sourceHost(), port, TrackerLimits.HMACS_PER_SECOND));
    }

    /** Returns the counts of joins that were not checked, by {@code COUNTER.PORT}. */
    Map<String, Long> uncheckedByPort() {
        return unchecked.byPort();
    }

    /** Counts the token of an MP_JOIN if it stands for nobody or for several. */
    void countToken(Token token) {
        int owners = tokens.find(token).size();
        if (owners == 0) {
            counters.increment(Counter.JOIN_UNKNOWN_TOKEN);
        } else if (owners > 1) {
            counters.increment(Counter.JOIN_AMBIGUOUS_TOKEN);
        }
    }

    /** Returns the MP_JOIN that a SYN asks for. */
    Optional<JoinAttempt> join(FiveTuple fiveTuple, Attempt attempt) {
        return attempt.join().map(
                join -> joinAttempt(fiveTuple, join, preferred(tokens.find(join.token), fiveTuple)));
    }

    private static JoinAttempt joinAttempt(FiveTuple fiveTuple, MpJoin.Syn join, Optional<TokenOwner> owner) {
        return new JoinAttempt(fiveTuple, join.token, join.addressId, join.backup, owner);
    }

    /**
     * Returns what the handshake became by a segment of its initiator, at a time in nanoseconds.
     *
     * @return the event; empty if the segment does not decide it
     */
    Optional<HandshakeEvent> byInitiator(FiveTuple fiveTuple, Attempt attempt, Segment segment, MptcpOptions options, long now) {
        switch (attempt.agreed()) {
            case CAPABLE:
                Optional<MpCapable> capable = options.get(MpCapable.class);
                if (capable.isPresent()) {
                    return thirdAck(fiveTuple, attempt, capable.get());
                }
                // Without its third ACK the data tells: on an MPTCP connection it carries DSS, after fallback nothing.
                return Optional.of(options.showsWorkingSubflow() ? withoutThirdAck(fiveTuple, attempt)
                                           : new PlainEstablished(fiveTuple, attempt.numbers(), PlainEstablished.Cause.LOST));
            case JOIN:
                return joined(fiveTuple, attempt, segment, options, now);
            default:
                return Optional.of(plain(fiveTuple, attempt));
        }
    }

    /**
     * Returns what the handshake became by a segment of its listener, which shows that the third ACK arrived there, at a time in
     * nanoseconds. An initiator's MP_JOIN in it counts for nothing.
     *
     * @return the event; empty if the segment does not decide it
     */
    Optional<HandshakeEvent> byListener(FiveTuple fiveTuple, Attempt attempt, Segment segment, MptcpOptions options, long now) {
        boolean data = segment.payloadLength() > 0;
        switch (attempt.agreed()) {
            case CAPABLE:
                if (options.showsWorkingSubflow()) {
                    return Optional.of(withoutThirdAck(fiveTuple, attempt));
                }
                return data ? Optional.of(new PlainEstablished(fiveTuple, attempt.numbers(), PlainEstablished.Cause.LOST))
                        : Optional.empty();
            case JOIN:
                return options.showsWorkingSubflow() ? joined(fiveTuple, attempt, Optional.empty(), now) : Optional.empty();
            default:
                return data ? Optional.of(plain(fiveTuple, attempt)) : Optional.empty();
        }
    }

    /**
     * Returns what the handshake becomes if its third segment, which nobody shows, completes it, at a time in nanoseconds.
     *
     * @return the event; empty for plain TCP
     */
    Optional<HandshakeEvent> unconfirmed(FiveTuple fiveTuple, Attempt attempt, long now) {
        switch (attempt.agreed()) {
            case CAPABLE:
                return Optional.of(capable(fiveTuple, attempt, attempt.capable().orElseThrow().senderKey, false));
            case JOIN:
                return unconfirmedJoin(fiveTuple, attempt, now);
            default:
                return Optional.empty();
        }
    }

    /** Returns whether the connection that an MP_JOIN joins is known. */
    boolean isKnown(Attempt join) {
        return !tokens.find(join.join().orElseThrow().token).isEmpty();
    }

    private Optional<HandshakeEvent> unconfirmedJoin(FiveTuple fiveTuple, Attempt attempt, long now) {
        List<TokenOwner> owners = tokens.find(attempt.join().orElseThrow().token);
        if (owners.isEmpty()) {
            Optional<TokenOwner> only = tokens.onlyByHosts(fiveTuple.reversed());
            if (only.isEmpty()) {
                return Optional.empty();
            }
            owners = List.of(only.get());
            counters.increment(Counter.JOIN_BY_HOSTS);
        }
        if (!pays(fiveTuple, attempt, owners, now)) {
            return Optional.empty();
        }
        List<TokenOwner> fitting = fitting(owners, owner -> listenerFits(owner, attempt));
        if (fitting.isEmpty()) {
            counters.increment(Counter.JOIN_BAD_HMAC);
            return Optional.empty();
        }
        return preferred(fitting, fiveTuple).map(owner -> {
            if (!owner.canAuthenticate()) {
                counters.increment(Counter.JOIN_UNCHECKED);
            }
            return established(fiveTuple, attempt, owner);
        });
    }

    private static PlainEstablished plain(FiveTuple fiveTuple, Attempt attempt) {
        return new PlainEstablished(fiveTuple, attempt.numbers(), attempt.agreed() == Attempt.Agreed.REFUSED
                ? PlainEstablished.Cause.REFUSED : PlainEstablished.Cause.NOT_OFFERED);
    }

    /** Takes an MP_CAPABLE with both keys, if they are those of the handshake as far as it showed them. */
    private Optional<HandshakeEvent> thirdAck(FiveTuple fiveTuple, Attempt attempt, MpCapable ack) {
        MpCapable answer = attempt.listenerCapable().orElseThrow();
        OptionalLong offered = attempt.capable().orElseThrow().senderKey;
        boolean same = ack.version == answer.version && ack.receiverKey.equals(answer.senderKey)
                && (offered.isEmpty() || offered.equals(ack.senderKey));
        if (!same) {
            counters.increment(Counter.CAPABLE_KEY_MISMATCH);
            return Optional.empty();
        }
        return Optional.of(capable(fiveTuple, attempt, ack.senderKey, true));
    }

    /** The initiator's key is known from a v0 SYN alone. */
    private CapableEstablished withoutThirdAck(FiveTuple fiveTuple, Attempt attempt) {
        return capable(fiveTuple, attempt, attempt.capable().orElseThrow().senderKey, true);
    }

    private CapableEstablished capable(FiveTuple fiveTuple, Attempt attempt, OptionalLong initiatorKey, boolean complete) {
        MpCapable answer = attempt.listenerCapable().orElseThrow();
        MptcpVersion version = answer.version;
        ConnectionKeys keys = new ConnectionKeys(version, initiatorKey, answer.senderKey);
        if (isTaken(keys.listenerToken, fiveTuple) || isTaken(keys.initiatorToken, fiveTuple)) {
            counters.increment(Counter.TOKEN_DUPLICATE);
        }
        boolean deniesJoins = version == MptcpVersion.V1 && answer.has(MpCapable.DENY_JOIN_TO_ADDRESS);
        return new CapableEstablished(fiveTuple, attempt.numbers(), keys, deniesJoins, complete);
    }

    private boolean isTaken(Optional<Token> token, FiveTuple fiveTuple) {
        return token.map(tokens::find).orElse(List.of()).stream()
                .anyMatch(owner -> !owner.connection.withoutHosts().equals(fiveTuple.withoutHosts()));
    }

    /** Attributes a join: at its end, for the connection may have become known while it was under way. */
    private Optional<HandshakeEvent> joined(FiveTuple fiveTuple, Attempt attempt, Segment segment,
                                            MptcpOptions options, long now) {
        Optional<MpJoin.Ack> ack = options.get(MpJoin.Ack.class);
        boolean working = ack.isPresent() || options.showsWorkingSubflow();
        if (!working) {
            // A join has no fallback: the listener waits for the MP_JOIN. Whoever sends data all the same is plain TCP.
            return segment.payloadLength() > 0
                    ? Optional.of(new PlainEstablished(fiveTuple, attempt.numbers(), PlainEstablished.Cause.LOST)) : Optional.empty();
        }
        return joined(fiveTuple, attempt, ack, now);
    }

    private Optional<HandshakeEvent> joined(FiveTuple fiveTuple, Attempt attempt, Optional<MpJoin.Ack> ack, long now) {
        List<TokenOwner> owners = tokens.find(attempt.join().orElseThrow().token);
        if (owners.isEmpty()) {
            return Optional.of(new PlainEstablished(fiveTuple, attempt.numbers(), PlainEstablished.Cause.UNKNOWN_TOKEN));
        }
        if (!pays(fiveTuple, attempt, owners, now)) {
            return Optional.of(new PlainEstablished(fiveTuple, attempt.numbers(), PlainEstablished.Cause.UNCHECKED));
        }
        List<TokenOwner> answering = fitting(owners, owner -> listenerFits(owner, attempt));
        if (answering.isEmpty()) {
            counters.increment(Counter.JOIN_BAD_HMAC);
            return Optional.of(new PlainEstablished(fiveTuple, attempt.numbers(), PlainEstablished.Cause.BAD_HMAC));
        }
        if (ack.isPresent() && !pays(fiveTuple, attempt, answering, now)) {
            return Optional.of(new PlainEstablished(fiveTuple, attempt.numbers(), PlainEstablished.Cause.UNCHECKED));
        }
        List<TokenOwner> fitting = fitting(answering, owner -> ack.isEmpty() || initiatorFits(owner, attempt, ack.get()));
        if (fitting.isEmpty()) {
            // Not by the host that sent the SYN, or damaged: the true one may still come.
            counters.increment(Counter.JOIN_BAD_HMAC);
            return Optional.empty();
        }
        return preferred(fitting, fiveTuple).map(owner -> established(fiveTuple, attempt, owner));
    }

    private static JoinEstablished established(FiveTuple fiveTuple, Attempt attempt, TokenOwner owner) {
        MpJoin.Syn join = attempt.join().orElseThrow();
        MpJoin.SynAck answer = attempt.listenerJoin().orElseThrow();
        return new JoinEstablished(joinAttempt(fiveTuple, join, Optional.of(owner)), attempt.numbers(), owner, answer.addressId,
                                   join.backup || answer.backup, owner.canAuthenticate());
    }

    /**
     * An owner between the hosts of the frames beats others: a connection that crosses a router has an owner for each leg, all
     * with the same keys. Then one whose keys are known, then one at the address that is joined, then the oldest.
     */
    static Optional<TokenOwner> preferred(List<TokenOwner> owners, FiveTuple fiveTuple) {
        TokenOwner best = null;
        for (TokenOwner owner : owners) {
            if (best == null || rank(owner, fiveTuple) > rank(best, fiveTuple)) {
                best = owner;
            }
        }
        return Optional.ofNullable(best);
    }

    private static int rank(TokenOwner owner, FiveTuple fiveTuple) {
        FiveTuple towards = owner.joins == Direction.UP ? owner.connection : owner.connection.reversed();
        int hosts = (towards.destinationHost().equals(fiveTuple.destinationHost()) ? 1 : 0)
                + (towards.sourceHost().equals(fiveTuple.sourceHost()) ? 1 : 0);
        return 4 * hosts + (owner.canAuthenticate() ? 2 : 0) + (owner.address().equals(fiveTuple.destination()) ? 1 : 0);
    }

    private static List<TokenOwner> fitting(List<TokenOwner> owners, Predicate<TokenOwner> fits) {
        return owners.stream().filter(fits).collect(Collectors.toList());
    }

    /** Takes an HMAC for each owner whose keys are known; returns false, and counts it, if the port of the SYN has had too many. */
    private boolean pays(FiveTuple fiveTuple, Attempt attempt, List<TokenOwner> owners, long now) {
        int needed = (int) owners.stream().filter(TokenOwner::canAuthenticate).count();
        boolean enough = hashes.admits(attempt.port(), needed, now);
        if (!enough) {
            unchecked.note(fiveTuple, attempt.port());
        }
        return enough;
    }

    private static boolean listenerFits(TokenOwner owner, Attempt attempt) {
        MpJoin.SynAck answer = attempt.listenerJoin().orElseThrow();
        return !owner.canAuthenticate() || Arrays.equals(answer.hmac(),
                Keys.synAckHmac(owner.version(), owner.joinersKey().getAsLong(), owner.ownKey().getAsLong(),
                                attempt.join().orElseThrow().nonce, answer.nonce));
    }

    private static boolean initiatorFits(TokenOwner owner, Attempt attempt, MpJoin.Ack ack) {
        return !owner.canAuthenticate() || Arrays.equals(ack.hmac(),
                Keys.ackHmac(owner.version(), owner.joinersKey().getAsLong(), owner.ownKey().getAsLong(),
                             attempt.join().orElseThrow().nonce, attempt.listenerJoin().orElseThrow().nonce));
    }
}
