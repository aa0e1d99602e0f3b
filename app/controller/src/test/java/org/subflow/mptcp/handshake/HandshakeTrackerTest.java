// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Decision.Kind;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MalformedReason;
import org.subflow.mptcp.segment.option.MpCapable;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.segment.option.OtherOptions;
import org.subflow.mptcp.token.Keys;

/** Handshakes that go well, and what hosts make of them by the options they send. */
class HandshakeTrackerTest extends HandshakeScenario {
    @Test
    void plainHandshake() {
        assertEquals(Kind.IN_HANDSHAKE, bench.syn(A).kind);
        assertEquals(Kind.IN_HANDSHAKE, bench.synAck(A).kind);
        Decision third = bench.ack(A);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, third);
        assertFalse(((PlainEstablished) third.event.orElseThrow()).fallback());
        assertEquals(1, bench.count(Counter.ESTABLISHED_PLAIN));
        assertEquals(0, bench.count(Counter.ESTABLISHED_FALLBACK));
    }

    @ParameterizedTest
    @EnumSource(MptcpVersion.class)
    void capableHandshake(MptcpVersion version) {
        CapableEstablished event = bench.capable(A, version, Bench.CLIENT_KEY, Bench.SERVER_KEY);
        assertEquals(A, event.fiveTuple);
        assertEquals(version, event.keys.version);
        assertEquals(OptionalLong.of(Bench.CLIENT_KEY), event.keys.initiatorKey);
        assertEquals(OptionalLong.of(Bench.SERVER_KEY), event.keys.listenerKey);
        assertEquals(Optional.of(Keys.token(version, Bench.SERVER_KEY)), event.keys.listenerToken);
        assertFalse(event.listenerDeniesJoins);
        assertEquals(1, bench.count(version == MptcpVersion.V0 ? Counter.ESTABLISHED_CAPABLE_V0
                                            : Counter.ESTABLISHED_CAPABLE_V1));
    }

    @Test
    void ipv6() {
        FiveTuple six = Bench.tuple("fd00::1", 40000);
        assertEquals(six, bench.capable(six).fiveTuple);
    }

    @Test
    void listenerMayDenyJoins() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, MpCapable.oneKey(MptcpVersion.V1, MpCapable.HMAC | MpCapable.DENY_JOIN_TO_ADDRESS,
                                         Bench.SERVER_KEY));
        assertTrue(capable(bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)))
                           .listenerDeniesJoins);
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
        assertPlain(PlainEstablished.Cause.LOST, bench.data(A, OtherOptions.fail()));
    }

    @Test
    void thirdAckLostDataHasKeys() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        CapableEstablished event = capable(bench.data(A, MpCapable.withData(
                MpCapable.HMAC, Bench.CLIENT_KEY, Bench.SERVER_KEY, 100, OptionalInt.empty())));
        assertEquals(OptionalLong.of(Bench.CLIENT_KEY), event.keys.initiatorKey);
    }

    @Test
    void thirdAckAndFirstDataLost() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        CapableEstablished event = capable(bench.data(A, Bench.dss()));
        assertEquals(OptionalLong.empty(), event.keys.initiatorKey);
        assertEquals(Optional.of(Keys.token(MptcpVersion.V1, Bench.SERVER_KEY)), event.keys.listenerToken);
    }

    @Test
    void thirdAckLostListenerSpeaks() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V0, Bench.CLIENT_KEY));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V0, Bench.SERVER_KEY));
        CapableEstablished event = capable(bench.listenersData(A, Bench.dss()));
        assertEquals(A, event.fiveTuple);
        assertEquals(OptionalLong.of(Bench.CLIENT_KEY), event.keys.initiatorKey);
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
        assertEquals(Kind.IN_HANDSHAKE, bench.ack(A, Bench.capableAck(version, Bench.CLIENT_KEY, 1)).kind);
        assertEquals(1, bench.count(Counter.CAPABLE_KEY_MISMATCH));
        if (version == MptcpVersion.V0) {
            assertEquals(Kind.IN_HANDSHAKE, bench.ack(A, Bench.capableAck(version, 1, Bench.SERVER_KEY)).kind);
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
    void dataInTheSyn() {
        bench.give(A, Segment.SYN, 100, 0, 300, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.give(A.reversed(), Segment.SYN | Segment.ACK, 200, 401, 0,
                   Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        capable(bench.give(A, Segment.ACK, 401, 201, 0,
                           Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
    }

    @Test
    void sequenceNumbersWrapRound() {
        bench.give(A, Segment.SYN, -1, 0, 0);
        bench.give(A.reversed(), Segment.SYN | Segment.ACK, Integer.MAX_VALUE, 0, 0);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.give(A, Segment.ACK, 0, Integer.MIN_VALUE, 0));
    }
}
