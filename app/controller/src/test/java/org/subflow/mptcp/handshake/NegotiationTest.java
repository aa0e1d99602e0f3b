// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.PlainEstablished.Cause;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MpCapable;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.MptcpOptionParser;
import org.subflow.mptcp.segment.option.MptcpOptions;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.segment.option.OtherOptions;
import org.subflow.mptcp.token.Keys;
import org.subflow.mptcp.token.TokenOwner;

/** What a handshake becomes, by its options alone: the table in the package documentation, row by row. */
class NegotiationTest {
    private static final FiveTuple FIRST = Bench.tuple("10.0.0.1", 40000);
    private static final FiveTuple JOIN = Bench.tuple("10.0.0.11", 50000);
    private static final FiveTuple OTHER = FiveTuple.of(IpAddress.valueOf("10.0.0.8"), 1, IpAddress.valueOf("10.0.0.9"), 2);
    private static final Bench.Joiner JOINER = Bench.joiner();
    private static final TokenOwner OWNER = new TokenOwner(FIRST, Bench.keys(Bench.CLIENT_KEY, Bench.SERVER_KEY), Direction.UP);
    private static final int DATA = 100;

    private final DetectCounters counters = new DetectCounters();
    private final List<TokenOwner> owners = new ArrayList<>();
    private final Negotiation negotiation = new Negotiation(
            Handshakes.directory(token -> token.equals(JOINER.token()) ? owners : List.of()), counters);

    @Test
    void aConnectionWithoutOptionsIsPlain() {
        Attempt plain = attempt(List.of(), List.of());
        assertPlain(Cause.NOT_OFFERED, initiator(FIRST, plain, 0));
        assertEquals(Optional.empty(), listener(FIRST, plain, 0), "the listener's bare ACK shows nothing");
        assertPlain(Cause.NOT_OFFERED, listener(FIRST, plain, DATA));
    }

    @Test
    void anOfferThatTheListenerDoesNotTakeIsRefused() {
        assertPlain(Cause.REFUSED, initiator(FIRST, attempt(capableSyn(), List.of()), 0));
        assertPlain(Cause.REFUSED, initiator(FIRST, attempt(List.of(JOINER.syn(false)), List.of()), 0));
        assertPlain(Cause.REFUSED, initiator(FIRST, attempt(List.of(JOINER.syn(false)), capableSynAck()), 0));
    }

    @Test
    void theThirdAckMakesAConnectionWithBothTokens() {
        CapableEstablished event = capable(initiator(FIRST, agreed(), 0,
                Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
        assertEquals(FIRST, event.fiveTuple);
        assertEquals(Optional.of(Keys.token(MptcpVersion.V1, Bench.CLIENT_KEY)), event.keys.initiatorToken);
        assertEquals(Optional.of(Keys.token(MptcpVersion.V1, Bench.SERVER_KEY)), event.keys.listenerToken);
    }

    @Test
    void aThirdAckOfAnotherVersionOrKeyDecidesNothing() {
        assertEquals(Optional.empty(), initiator(FIRST, agreed(), 0,
                Bench.capableAck(MptcpVersion.V0, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
        assertEquals(Optional.empty(), initiator(FIRST, agreed(), 0,
                Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY + 1)));
        assertEquals(2, counters.get(Counter.CAPABLE_KEY_MISMATCH));
    }

    @Test
    void aWorkingSubflowShowsTheConnectionWithoutItsThirdAck() {
        CapableEstablished event = capable(initiator(FIRST, agreed(), DATA, Bench.dss()));
        assertEquals(OptionalLong.empty(), event.keys.initiatorKey, "version 1 sends it in the third ACK only");
        capable(initiator(FIRST, agreed(), 0, OtherOptions.prio(false)));
        capable(listener(FIRST, agreed(), 0, Bench.dss()));
    }

    @Test
    void dataWithoutOptionsIsAFallback() {
        assertPlain(Cause.LOST, initiator(FIRST, agreed(), 0));
        assertPlain(Cause.LOST, initiator(FIRST, agreed(), DATA, OtherOptions.fail()));
        assertPlain(Cause.LOST, listener(FIRST, agreed(), DATA));
        assertEquals(Optional.empty(), listener(FIRST, agreed(), 0), "a bare ACK of the listener is none");
    }

    @Test
    void aTokenThatAnotherConnectionHasIsCounted() {
        owners.add(new TokenOwner(OTHER, Bench.keys(1, Bench.SERVER_KEY), Direction.UP));
        capable(initiator(FIRST, agreed(), 0, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
        assertEquals(1, counters.get(Counter.TOKEN_DUPLICATE));
    }

    @Test
    void aConnectionSeenTwiceIsNoDuplicate() {
        owners.add(OWNER);
        capable(initiator(FIRST, agreed(), 0, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
        assertEquals(0, counters.get(Counter.TOKEN_DUPLICATE));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, MpCapable.DENY_JOIN_TO_ADDRESS})
    void onlyVersionOneHasTheFlagThatDeniesJoins(int flag) {
        for (MptcpVersion version : MptcpVersion.values()) {
            Attempt attempt = attempt(List.of(Bench.capableSyn(version, Bench.CLIENT_KEY)),
                    List.of(MpCapable.oneKey(version, MpCapable.HMAC | flag, Bench.SERVER_KEY)));
            assertEquals(flag != 0 && version == MptcpVersion.V1,
                    capable(initiator(FIRST, attempt, DATA, Bench.dss())).listenerDeniesJoins, version.toString());
        }
    }

    @Test
    void aJoinBelongsToTheOwnerOfItsToken() {
        owners.add(OWNER);
        JoinEstablished event = joined(initiator(JOIN, joining(), 0, JOINER.ack()));
        assertEquals(JOIN, event.fiveTuple);
        assertEquals(FIRST, event.owner.connection);
        assertTrue(event.authenticated);
    }

    @Test
    void aJoinWaitsForItsAckUnlessDataShowHowItEnded() {
        owners.add(OWNER);
        assertEquals(Optional.empty(), initiator(JOIN, joining(), 0));
        assertPlain(Cause.LOST, initiator(JOIN, joining(), DATA));
        assertEquals(Optional.empty(), listener(JOIN, joining(), DATA), "a listener may send before the ACK comes");
        assertEquals(FIRST, joined(listener(JOIN, joining(), DATA, Bench.dss())).owner.connection);
    }

    @Test
    void aJoinOfNobodysTokenIsPlain() {
        assertPlain(Cause.UNKNOWN_TOKEN, initiator(JOIN, joining(), 0, JOINER.ack()));
        assertEquals(Optional.empty(), negotiation.join(JOIN, joining()).orElseThrow().owner);
    }

    @Test
    void aListenerWithoutTheKeysMakesTheJoinPlainAndAnInitiatorWithoutThemIsIgnored() {
        owners.add(OWNER);
        Attempt wrongAnswer = attempt(List.of(JOINER.syn(false)),
                List.of(new MpJoin.SynAck(false, 4, new byte[8], Bench.SERVER_NONCE)));
        assertPlain(Cause.BAD_HMAC, initiator(JOIN, wrongAnswer, 0, JOINER.ack()));
        assertEquals(Optional.empty(), initiator(JOIN, joining(), 0, new MpJoin.Ack(new byte[20])));
        assertEquals(2, counters.get(Counter.JOIN_BAD_HMAC));
    }

    @Test
    void theOldestOfEqualOwnersGetsTheJoin() {
        owners.add(OWNER);
        owners.add(new TokenOwner(Bench.tuple("10.0.0.1", 40001), OWNER.keys, Direction.UP));
        assertEquals(FIRST, joined(initiator(JOIN, joining(), 0, JOINER.ack())).owner.connection);
    }

    @Test
    void tokensOfNobodyAndOfSeveralAreCounted() {
        negotiation.countToken(JOINER.token());
        owners.add(OWNER);
        negotiation.countToken(JOINER.token());
        owners.add(OWNER);
        negotiation.countToken(JOINER.token());
        assertEquals(1, counters.get(Counter.JOIN_UNKNOWN_TOKEN));
        assertEquals(1, counters.get(Counter.JOIN_AMBIGUOUS_TOKEN));
    }

    @Test
    void aSynWithoutMpJoinAsksForNone() {
        assertEquals(Optional.empty(), negotiation.join(FIRST, agreed()));
    }

    /** Whatever hosts send: an MPTCP event needs an offer, a fitting answer and a sign that the subflow works. */
    @Property(tries = 2000)
    void noMptcpEventWithoutOfferAndAnswer(@ForAll("options") List<MptcpOption> syn,
                                           @ForAll("options") List<MptcpOption> synAck,
                                           @ForAll("options") List<MptcpOption> third,
                                           @ForAll boolean byInitiator, @ForAll boolean data, @ForAll boolean known) {
        if (known) {
            owners.add(OWNER);
        }
        Attempt attempt = attempt(syn, synAck);
        MptcpOption[] options = third.toArray(MptcpOption[]::new);
        Optional<HandshakeEvent> event = byInitiator ? initiator(JOIN, attempt, data ? DATA : 0, options)
                : listener(JOIN, attempt, data ? DATA : 0, options);
        owners.clear();
        if (event.isPresent() && event.get() instanceof CapableEstablished) {
            assertEquals(Attempt.Agreed.CAPABLE, attempt.agreed());
            assertFalse(third.isEmpty());
        } else if (event.isPresent() && event.get() instanceof JoinEstablished) {
            assertEquals(Attempt.Agreed.JOIN, attempt.agreed());
            assertTrue(known && !third.isEmpty());
        }
    }

    @Provide
    Arbitrary<List<MptcpOption>> options() {
        return Arbitraries.of(
                Bench.capableSyn(MptcpVersion.V0, Bench.CLIENT_KEY), Bench.capableSyn(MptcpVersion.V1, 0),
                Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY),
                Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY),
                JOINER.syn(true), JOINER.synAck(), JOINER.ack(), new MpJoin.Ack(new byte[20]),
                Bench.dss(), OtherOptions.fail(), OtherOptions.prio(true)).list().uniqueElements().ofMaxSize(2);
    }

    private static List<MptcpOption> capableSyn() {
        return List.of(Bench.capableSyn(MptcpVersion.V1, 0));
    }

    private static List<MptcpOption> capableSynAck() {
        return List.of(Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
    }

    private static Attempt agreed() {
        return attempt(capableSyn(), capableSynAck());
    }

    private static Attempt joining() {
        return attempt(List.of(JOINER.syn(false)), List.of(JOINER.synAck()));
    }

    private static Attempt attempt(List<MptcpOption> syn, List<MptcpOption> synAck) {
        Attempt attempt = new Attempt(segment(FIRST, Segment.SYN, 0, syn), parsed(Segment.SYN, syn));
        int both = Segment.SYN | Segment.ACK;
        attempt.answer(segment(FIRST.reversed(), both, 0, synAck), parsed(both, synAck));
        return attempt;
    }

    private Optional<HandshakeEvent> initiator(FiveTuple tuple, Attempt attempt, int payload, MptcpOption... options) {
        List<MptcpOption> sent = List.of(options);
        return negotiation.byInitiator(tuple, attempt, segment(tuple, Segment.ACK, payload, sent),
                parsed(Segment.ACK, sent), 0);
    }

    private Optional<HandshakeEvent> listener(FiveTuple tuple, Attempt attempt, int payload, MptcpOption... options) {
        List<MptcpOption> sent = List.of(options);
        return negotiation.byListener(tuple, attempt, segment(tuple.reversed(), Segment.ACK, payload, sent),
                parsed(Segment.ACK, sent), 0);
    }

    private static Segment segment(FiveTuple tuple, int flags, int payload, List<MptcpOption> options) {
        return Segment.of(tuple, flags, 1, 1, bytes(options), payload);
    }

    private static MptcpOptions parsed(int flags, List<MptcpOption> options) {
        return MptcpOptionParser.parse(bytes(options), flags);
    }

    /** The options on the wire; what does not fit into a TCP header is left out. */
    private static byte[] bytes(List<MptcpOption> options) {
        int room = 40;
        List<MptcpOption> fitting = new ArrayList<>();
        for (MptcpOption option : options) {
            room -= option.toBytes().length + 3;
            if (room >= 0) {
                fitting.add(option);
            }
        }
        return MptcpOptionEncoder.encode(fitting);
    }

    private static void assertPlain(Cause cause, Optional<HandshakeEvent> event) {
        assertEquals(cause, ((PlainEstablished) event.orElseThrow()).cause);
    }

    private static CapableEstablished capable(Optional<HandshakeEvent> event) {
        return (CapableEstablished) event.orElseThrow();
    }

    private static JoinEstablished joined(Optional<HandshakeEvent> event) {
        return (JoinEstablished) event.orElseThrow();
    }
}
