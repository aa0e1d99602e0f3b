// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.detect.Decision.Kind;
import org.subflow.mptcp.detect.option.MalformedReason;
import org.subflow.mptcp.detect.option.MpCapable;
import org.subflow.mptcp.detect.option.MpFail;
import org.subflow.mptcp.detect.option.MptcpVersion;

/** Handshakes that go well, and those of which something is lost, doubled or refused. */
class HandshakeTrackerTest {
    private static final FiveTuple A = Bench.tuple("10.0.0.1", 40000);

    private final Bench bench = new Bench();

    private void assertPlain(PlainEstablished.Cause cause, Decision decision) {
        assertEquals(Kind.ESTABLISHED, decision.kind());
        assertEquals("plain " + A + " " + cause, decision.event().orElseThrow().toString());
        assertEquals(0, bench.tracker.handshakes());
    }

    private static CapableEstablished capable(Decision decision) {
        return (CapableEstablished) decision.event().orElseThrow();
    }

    @Test
    void plainHandshake() {
        assertEquals(Kind.IN_HANDSHAKE, bench.syn(A).kind());
        assertEquals(Kind.IN_HANDSHAKE, bench.synAck(A).kind());
        Decision third = bench.ack(A);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, third);
        assertFalse(((PlainEstablished) third.event().orElseThrow()).fallback());
        assertEquals(1, bench.count(Counter.ESTABLISHED_PLAIN));
        assertEquals(0, bench.count(Counter.ESTABLISHED_FALLBACK));
    }

    @ParameterizedTest
    @EnumSource(MptcpVersion.class)
    void capableHandshake(MptcpVersion version) {
        CapableEstablished event = bench.capable(A, version, Bench.CLIENT_KEY, Bench.SERVER_KEY);
        assertEquals(A, event.fiveTuple());
        assertEquals(version, event.version());
        assertEquals(OptionalLong.of(Bench.CLIENT_KEY), event.keys().initiatorKey());
        assertEquals(OptionalLong.of(Bench.SERVER_KEY), event.keys().listenerKey());
        assertEquals(Optional.of(Keys.token(version, Bench.SERVER_KEY)), event.keys().listenerToken());
        assertFalse(event.listenerDeniesJoins());
        assertEquals(1, bench.count(version == MptcpVersion.V0 ? Counter.ESTABLISHED_CAPABLE_V0
                                            : Counter.ESTABLISHED_CAPABLE_V1));
    }

    @Test
    void ipv6() {
        FiveTuple six = Bench.tuple("fd00::1", 40000);
        assertEquals(six, bench.capable(six).fiveTuple());
    }

    @Test
    void listenerMayDenyJoins() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, MpCapable.oneKey(MptcpVersion.V1, MpCapable.HMAC | MpCapable.DENY_JOIN_TO_ADDRESS,
                                         Bench.SERVER_KEY));
        assertTrue(capable(bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)))
                           .listenerDeniesJoins());
    }

    @Test
    void listenerAnswersPlain() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A);
        assertPlain(PlainEstablished.Cause.REFUSED, bench.ack(A));
        assertEquals(1, bench.count(Counter.ESTABLISHED_FALLBACK));
    }

    @Test
    void listenerAnswersAnotherVersion() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V0, Bench.SERVER_KEY));
        assertEquals(1, bench.count(Counter.CAPABLE_NOT_OFFERED));
        assertPlain(PlainEstablished.Cause.REFUSED, bench.ack(A));
    }

    @Test
    void listenerAnswersWhatNobodyAsked() {
        bench.syn(A);
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        assertEquals(1, bench.count(Counter.CAPABLE_NOT_OFFERED));
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.ack(A));
    }

    @Test
    void optionVanishesFromThirdAck() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        assertPlain(PlainEstablished.Cause.LOST, bench.ack(A));
    }

    @Test
    void hostsFallBackByMpFail() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        assertPlain(PlainEstablished.Cause.LOST, bench.data(A, new MpFail(1)));
    }

    @Test
    void thirdAckLostDataHasKeys() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        CapableEstablished event = capable(bench.data(A, MpCapable.withData(
                MpCapable.HMAC, Bench.CLIENT_KEY, Bench.SERVER_KEY, 100, OptionalInt.empty())));
        assertEquals(OptionalLong.of(Bench.CLIENT_KEY), event.keys().initiatorKey());
    }

    @Test
    void thirdAckAndFirstDataLost() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        CapableEstablished event = capable(bench.data(A, Bench.dss()));
        assertEquals(OptionalLong.empty(), event.keys().initiatorKey());
        assertEquals(Optional.of(Keys.token(MptcpVersion.V1, Bench.SERVER_KEY)), event.keys().listenerToken());
    }

    @Test
    void thirdAckLostListenerSpeaks() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V0, Bench.CLIENT_KEY));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V0, Bench.SERVER_KEY));
        CapableEstablished event = capable(bench.listenersData(A, Bench.dss()));
        assertEquals(A, event.fiveTuple());
        assertEquals(OptionalLong.of(Bench.CLIENT_KEY), event.keys().initiatorKey());
    }

    @Test
    void thirdAckLostListenerSpeaksPlain() {
        bench.syn(A);
        bench.synAck(A);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.listenersData(A));
    }

    @ParameterizedTest
    @EnumSource(MptcpVersion.class)
    void thirdAckWithOtherKeysWaitsForTheRightOne(MptcpVersion version) {
        bench.syn(A, Bench.capableSyn(version, Bench.CLIENT_KEY));
        bench.synAck(A, Bench.capableSynAck(version, Bench.SERVER_KEY));
        assertEquals(Kind.IN_HANDSHAKE, bench.ack(A, Bench.capableAck(version, Bench.CLIENT_KEY, 1)).kind());
        assertEquals(1, bench.count(Counter.CAPABLE_KEY_MISMATCH));
        if (version == MptcpVersion.V0) {
            assertEquals(Kind.IN_HANDSHAKE, bench.ack(A, Bench.capableAck(version, 1, Bench.SERVER_KEY)).kind());
            assertEquals(2, bench.count(Counter.CAPABLE_KEY_MISMATCH));
        }
        capable(bench.ack(A, Bench.capableAck(version, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
    }

    @Test
    void malformedThirdAckIsNone() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        byte[] cut = {30, 20, 1, 1, 5, 5, 5, 5};
        assertPlain(PlainEstablished.Cause.LOST, bench.give(Segment.of(
                A, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1, cut, 0)));
        assertEquals(1, bench.counters.get(MalformedReason.PAST_END));
    }

    @Test
    void retransmissionsAreOneHandshake() {
        for (int i = 0; i < 3; i++) {
            assertEquals(Kind.IN_HANDSHAKE, bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0)).kind());
        }
        assertEquals(1, bench.tracker.handshakes());
        for (int i = 0; i < 3; i++) {
            bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        }
        capable(bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
        // All of them once more, now that the connection is established.
        assertEquals(Kind.OVERTAKING, bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0)).kind());
        assertEquals(Kind.OVERTAKING,
                     bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY)).kind());
        assertEquals(Kind.OVERTAKING,
                     bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)).kind());
        assertEquals(1, bench.count(Counter.SYN));
        assertEquals(3, bench.count(Counter.SYN_RETRANSMITTED));
        assertEquals(3, bench.count(Counter.SYN_ACK_RETRANSMITTED));
        assertEquals(1, bench.count(Counter.ESTABLISHED_CAPABLE_V1));
        assertEquals(0, bench.tracker.handshakes());
    }

    /** Hosts leave the option out of a SYN after some trials; the answer may still be to the first one. */
    @Test
    void retransmittedSynWithoutOption() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.syn(A);
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        capable(bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
    }

    @Test
    void synWithoutAnswerIsForgotten() {
        bench.syn(A);
        bench.pass(11, TimeUnit.SECONDS);
        bench.tracker.expire(bench.now);
        assertEquals(0, bench.tracker.handshakes());
        assertEquals(1, bench.count(Counter.TIMEOUT_SYN));
        assertEquals(Kind.PASS, bench.synAck(A).kind());
        assertEquals(1, bench.count(Counter.SYN_ACK_UNSOLICITED));
    }

    @Test
    void synWithoutAckIsForgotten() {
        bench.syn(A);
        bench.synAck(A);
        bench.pass(29, TimeUnit.SECONDS);
        bench.tracker.expire(bench.now);
        assertEquals(1, bench.tracker.handshakes());
        bench.pass(2, TimeUnit.SECONDS);
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.ack(A).kind());
        assertEquals(1, bench.count(Counter.TIMEOUT_SYN_ACK));
        assertEquals(0, bench.tracker.handshakes());
    }

    @Test
    void resetByListener() {
        bench.syn(A);
        Decision reset = bench.give(A.reversed(), Segment.RST | Segment.ACK, 0, Bench.CLIENT_ISN + 1, 0);
        assertEquals(Kind.PASS, reset.kind());
        assertEquals(0, bench.tracker.handshakes());
        assertEquals(1, bench.count(Counter.HANDSHAKE_RESET));
    }

    @Test
    void resetByInitiator() {
        bench.syn(A);
        bench.synAck(A);
        bench.give(A, Segment.RST, Bench.CLIENT_ISN + 1, 0, 0);
        assertEquals(0, bench.tracker.handshakes());
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.ack(A).kind());
    }

    @Test
    void forgedResetIsWithoutEffect() {
        bench.syn(A);
        bench.give(A.reversed(), Segment.RST | Segment.ACK, 1 << 28, 1 << 28, 0);
        bench.synAck(A);
        bench.give(A.reversed(), Segment.RST, 1 << 28, 0, 0);
        bench.give(A, Segment.RST, 1 << 28, 0, 0);
        assertEquals(3, bench.count(Counter.RESET_IGNORED));
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.ack(A));
    }

    @Test
    void ackOutsideTheWindowIsNoThirdAck() {
        bench.syn(A);
        bench.synAck(A);
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.give(A, Segment.ACK, Bench.CLIENT_ISN + 1, 1 << 30, 0).kind());
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.give(A, Segment.ACK, 1 << 28, Bench.SERVER_ISN + 1, 0).kind());
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.ack(A));
    }

    @Test
    void nothingIsEstablishedWithoutTheListener() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        Decision ack = bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY));
        assertEquals(Kind.UNKNOWN_MIDSTREAM, ack.kind());
        assertFalse(ack.confirmed());
    }

    @Test
    void listenersAckWithoutDataDecidesNothing() {
        bench.syn(A);
        bench.synAck(A);
        assertEquals(Kind.IN_HANDSHAKE,
                     bench.give(A.reversed(), Segment.ACK, Bench.SERVER_ISN + 1, Bench.CLIENT_ISN + 1, 0).kind());
    }

    @Test
    void answerToAnotherSynIsUnsolicited() {
        bench.syn(A);
        assertEquals(Kind.PASS, bench.give(A.reversed(), Segment.SYN | Segment.ACK, 5, 12345, 0).kind());
        assertEquals(1, bench.count(Counter.SYN_ACK_UNSOLICITED));
        bench.synAck(A);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.ack(A));
    }

    /** A host that crashed opens the five-tuple again; the answer to either SYN counts. */
    @Test
    void secondSynBeforeTheAnswer() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        assertEquals(Kind.IN_HANDSHAKE, bench.give(A, Segment.SYN, 500, 0, 0).kind());
        assertEquals(1, bench.count(Counter.SYN_REUSED));
        assertEquals(1, bench.tracker.handshakes());
        bench.give(A.reversed(), Segment.SYN | Segment.ACK, 900, 501, 0);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.give(A, Segment.ACK, 501, 901, 0));
    }

    @Test
    void forgedSynsDoNotHideTheTrueOne() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        for (int i = 0; i < 10; i++) {
            bench.give(A, Segment.SYN, 500 + i, 0, 0);
        }
        capable(bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
    }

    @Test
    void synOnAnEstablishedFiveTuple() {
        bench.capable(A);
        assertEquals(Kind.IN_HANDSHAKE, bench.give(A, Segment.SYN, 500, 0, 0).kind());
        assertEquals(1, bench.count(Counter.SYN_REUSED));
        // The listener knows better and challenges; the connection goes on.
        assertEquals(Kind.OVERTAKING, bench.listenersData(A, Bench.dss()).kind());
        assertEquals(Kind.OVERTAKING, bench.data(A, Bench.dss()).kind());
        assertEquals(1, bench.count(Counter.ESTABLISHED_CAPABLE_V1));
    }

    @Test
    void fiveTupleIsUsedAgain() {
        bench.capable(A);
        bench.give(A, Segment.SYN, 500, 0, 0);
        bench.give(A.reversed(), Segment.SYN | Segment.ACK, 900, 501, 0);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.give(A, Segment.ACK, 501, 901, 0));
    }

    @Test
    void simultaneousOpen() {
        FiveTuple back = A.reversed();
        bench.give(A, Segment.SYN, 100, 0, 0, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.give(back, Segment.SYN, 200, 0, 0, Bench.capableSyn(MptcpVersion.V1, 0));
        assertEquals(Kind.IN_HANDSHAKE, bench.give(A, Segment.SYN | Segment.ACK, 100, 201, 0).kind());
        Decision last = bench.give(back, Segment.SYN | Segment.ACK, 200, 101, 0);
        assertPlain(PlainEstablished.Cause.SIMULTANEOUS_OPEN, last);
        assertEquals(Kind.OVERTAKING, bench.give(A, Segment.ACK, 101, 201, 10).kind());
    }

    @Test
    void forgedSynOfTheOtherDirectionDoesNotTurnTheHandshakeRound() {
        bench.give(A.reversed(), Segment.SYN, 200, 0, 0);
        CapableEstablished event = bench.capable(A);
        assertEquals(A, event.fiveTuple());
        assertEquals(0, bench.tracker.handshakes());
    }

    @Test
    void dataInTheSyn() {
        bench.give(A, Segment.SYN, 100, 0, 300, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.give(A.reversed(), Segment.SYN | Segment.ACK, 200, 401, 0,
                   Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        capable(bench.give(A, Segment.ACK, 401, 201, 0,
                           Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
    }

    @Test
    void rulesThatDoNotComeMakeItMidstream() {
        bench.syn(A);
        bench.synAck(A);
        bench.ack(A);
        assertEquals(Kind.OVERTAKING, bench.data(A).kind());
        assertEquals(1, bench.tracker.recent());
        bench.pass(4, TimeUnit.SECONDS);
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.data(A).kind());
        assertEquals(0, bench.tracker.recent());
    }

    @Test
    void midstreamIsConfirmedByBothDirections() {
        assertFalse(bench.give(A, Segment.ACK, 1000, 9000, 1448).confirmed());
        assertFalse(bench.give(A, Segment.ACK, 2448, 9000, 1448).confirmed());
        assertEquals(1, bench.tracker.midstream());
        Decision answer = bench.give(A.reversed(), Segment.ACK, 9000, 2448, 0);
        assertEquals(Kind.UNKNOWN_MIDSTREAM, answer.kind());
        assertTrue(answer.confirmed());
        assertEquals(0, bench.tracker.midstream());
        assertEquals(Kind.OVERTAKING, bench.give(A, Segment.ACK, 3896, 9000, 1448).kind());
        assertEquals(1, bench.count(Counter.MIDSTREAM_CONFIRMED));
    }

    @Test
    void midstreamOfNumbersThatDoNotFitIsNotConfirmed() {
        bench.give(A, Segment.ACK, 1000, 9000, 1448);
        assertFalse(bench.give(A.reversed(), Segment.ACK, 1 << 30, 2448, 0).confirmed());
        assertFalse(bench.give(A, Segment.ACK, 1000, 9000, 1448).confirmed());
        assertEquals(0, bench.count(Counter.MIDSTREAM_CONFIRMED));
    }

    @Test
    void endOfUnknownConnectionDeservesNoRule() {
        assertEquals(Kind.PASS, bench.give(A, Segment.ACK | Segment.FIN, 1000, 9000, 0).kind());
        assertEquals(Kind.PASS, bench.give(A, Segment.RST, 1000, 0, 0).kind());
        assertEquals(0, bench.tracker.midstream());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Segment.SYN | Segment.FIN, Segment.SYN | Segment.RST, Segment.FIN, 0x3f, 0x08})
    void flagsThatNoTcpSends(int flags) {
        assertEquals(Kind.PASS, bench.give(A, flags, 1, 1, 0).kind());
        assertEquals(1, bench.count(Counter.SEGMENTS_BAD_FLAGS));
        assertEquals(0, bench.tracker.handshakes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "224.0.0.1", "255.255.255.255"})
    void addressesOfNoHost(String source) {
        assertEquals(Kind.PASS, bench.syn(Bench.tuple(source, 1)).kind());
        assertEquals(1, bench.count(Counter.SEGMENTS_BAD_ADDRESS));
    }

    @Test
    void segmentToItself() {
        FiveTuple self = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 7, IpAddress.valueOf("10.0.0.1"), 7);
        assertEquals(Kind.PASS, bench.syn(self).kind());
        assertEquals(0, bench.tracker.handshakes());
    }

    @Test
    void sequenceNumbersWrapRound() {
        bench.give(A, Segment.SYN, -1, 0, 0);
        bench.give(A.reversed(), Segment.SYN | Segment.ACK, Integer.MAX_VALUE, 0, 0);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.give(A, Segment.ACK, 0, Integer.MIN_VALUE, 0));
    }
}
