// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Decision.Kind;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** Handshakes whose segments come twice, too late or from both sides, and five-tuples used again. */
class HandshakeRepetitionTest extends HandshakeScenario {
    @Test
    void retransmissionsAreOneHandshake() {
        for (int i = 0; i < 3; i++) {
            assertEquals(Kind.IN_HANDSHAKE, bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0)).kind);
        }
        assertEquals(1, bench.tracker.handshakes());
        for (int i = 0; i < 3; i++) {
            bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        }
        capable(bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
        // All of them once more, now that the connection is established.
        assertEquals(Kind.OVERTAKING, bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0)).kind);
        assertEquals(Kind.OVERTAKING,
                     bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY)).kind);
        assertEquals(Kind.OVERTAKING,
                     bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)).kind);
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
        assertEquals(Kind.PASS, bench.synAck(A).kind);
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
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.ack(A).kind);
        assertEquals(1, bench.count(Counter.TIMEOUT_SYN_ACK));
        assertEquals(0, bench.tracker.handshakes());
    }

    /** A host that crashed opens the five-tuple again; the answer to either SYN counts. */
    @Test
    void secondSynBeforeTheAnswer() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        assertEquals(Kind.IN_HANDSHAKE, bench.give(A, Segment.SYN, 500, 0, 0).kind);
        assertEquals(1, bench.count(Counter.SYN_REUSED));
        assertEquals(1, bench.tracker.handshakes());
        bench.give(A.reversed(), Segment.SYN | Segment.ACK, 900, 501, 0);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.give(A, Segment.ACK, 501, 901, 0));
    }

    @Test
    void synOnAnEstablishedFiveTuple() {
        bench.capable(A);
        assertEquals(Kind.IN_HANDSHAKE, bench.give(A, Segment.SYN, 500, 0, 0).kind);
        assertEquals(1, bench.count(Counter.SYN_REUSED));
        // The listener knows better and challenges; the connection goes on.
        assertEquals(Kind.OVERTAKING, bench.listenersData(A, Bench.dss()).kind);
        assertEquals(Kind.OVERTAKING, bench.data(A, Bench.dss()).kind);
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
        assertEquals(Kind.IN_HANDSHAKE, bench.give(A, Segment.SYN | Segment.ACK, 100, 201, 0).kind);
        Decision last = bench.give(back, Segment.SYN | Segment.ACK, 200, 101, 0);
        assertPlain(PlainEstablished.Cause.SIMULTANEOUS_OPEN, last);
        assertEquals(Kind.OVERTAKING, bench.give(A, Segment.ACK, 101, 201, 10).kind);
    }
}
