// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Decision.Kind;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** Resets, and segments that do not belong to a handshake by their numbers, flags or addresses. */
class HandshakeForgeryTest extends HandshakeScenario {
    @Test
    void resetByListener() {
        bench.syn(A);
        Decision reset = bench.give(A.reversed(), Segment.RST | Segment.ACK, 0, Bench.CLIENT_ISN + 1, 0);
        assertEquals(Kind.PASS, reset.kind);
        assertEquals(0, bench.tracker.handshakes());
        assertEquals(1, bench.count(Counter.HANDSHAKE_RESET));
    }

    /** From the number after the SYN on, as far as the largest window without a scale may reach, and more. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0", "1048576, 0", "1048577, 1"})
    void aResetCountsWithinTheWindow(int beyond, int left) {
        bench.syn(A);
        bench.give(A, Segment.RST, Bench.CLIENT_ISN + beyond, 0, 0);
        assertEquals(left, bench.tracker.handshakes());
        assertEquals(left, bench.count(Counter.RESET_IGNORED));
    }

    /** What it acknowledges has no meaning then (RFC 9293, section 3.1). */
    @Test
    void aListenersResetWithoutAckRefusesNoSyn() {
        bench.syn(A);
        bench.give(A.reversed(), Segment.RST, 0, Bench.CLIENT_ISN + 1, 0);
        assertEquals(1, bench.tracker.handshakes());
    }

    @Test
    void resetByInitiator() {
        bench.syn(A);
        bench.synAck(A);
        bench.give(A, Segment.RST, Bench.CLIENT_ISN + 1, 0, 0);
        assertEquals(0, bench.tracker.handshakes());
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.ack(A).kind);
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
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.give(A, Segment.ACK, Bench.CLIENT_ISN + 1, 1 << 30, 0).kind);
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.give(A, Segment.ACK, 1 << 28, Bench.SERVER_ISN + 1, 0).kind);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.ack(A));
    }

    @Test
    void nothingIsEstablishedWithoutTheListener() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        Decision ack = bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY));
        assertEquals(Kind.UNKNOWN_MIDSTREAM, ack.kind);
        assertFalse(ack.confirmed);
    }

    @Test
    void listenersAckWithoutDataDecidesNothing() {
        bench.syn(A);
        bench.synAck(A);
        assertEquals(Kind.IN_HANDSHAKE,
                     bench.give(A.reversed(), Segment.ACK, Bench.SERVER_ISN + 1, Bench.CLIENT_ISN + 1, 0).kind);
    }

    @Test
    void answerToAnotherSynIsUnsolicited() {
        bench.syn(A);
        assertEquals(Kind.PASS, bench.give(A.reversed(), Segment.SYN | Segment.ACK, 5, 12345, 0).kind);
        assertEquals(1, bench.count(Counter.SYN_ACK_UNSOLICITED));
        bench.synAck(A);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.ack(A));
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
    void forgedSynOfTheOtherDirectionDoesNotTurnTheHandshakeRound() {
        bench.give(A.reversed(), Segment.SYN, 200, 0, 0);
        CapableEstablished event = bench.capable(A);
        assertEquals(A, event.fiveTuple);
        assertEquals(0, bench.tracker.handshakes());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Segment.SYN | Segment.FIN, Segment.SYN | Segment.RST, Segment.FIN, 0x3f, 0x08})
    void flagsThatNoTcpSends(int flags) {
        assertEquals(Kind.PASS, bench.give(A, flags, 1, 1, 0).kind);
        assertEquals(1, bench.count(Counter.SEGMENTS_BAD_FLAGS));
        assertEquals(0, bench.tracker.handshakes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "224.0.0.1", "255.255.255.255"})
    void addressesOfNoHost(String source) {
        assertEquals(Kind.PASS, bench.syn(Bench.tuple(source, 1)).kind);
        assertEquals(1, bench.count(Counter.SEGMENTS_BAD_ADDRESS));
    }

    @Test
    void segmentToItself() {
        FiveTuple self = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 7, IpAddress.valueOf("10.0.0.1"), 7);
        assertEquals(Kind.PASS, bench.syn(self).kind);
        assertEquals(0, bench.tracker.handshakes());
    }
}
