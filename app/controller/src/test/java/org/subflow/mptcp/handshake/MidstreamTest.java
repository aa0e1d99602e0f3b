// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.handshake.Decision.Kind;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;

/** Connections whose handshake the tracker did not see, or whose rules do not come. */
class MidstreamTest extends HandshakeScenario {
    @Test
    void rulesThatDoNotComeMakeItMidstream() {
        bench.syn(A);
        bench.synAck(A);
        bench.ack(A);
        assertEquals(Kind.OVERTAKING, bench.data(A).kind);
        assertEquals(1, bench.tracker.recent());
        bench.pass(4, TimeUnit.SECONDS);
        assertEquals(Kind.UNKNOWN_MIDSTREAM, bench.data(A).kind);
        assertEquals(0, bench.tracker.recent());
    }

    @Test
    void midstreamIsConfirmedByBothDirections() {
        assertFalse(bench.give(A, Segment.ACK, 1000, 9000, 1448).confirmed);
        assertFalse(bench.give(A, Segment.ACK, 2448, 9000, 1448).confirmed);
        assertEquals(1, bench.tracker.midstream());
        Decision answer = bench.give(A.reversed(), Segment.ACK, 9000, 2448, 0);
        assertEquals(Kind.UNKNOWN_MIDSTREAM, answer.kind);
        assertTrue(answer.confirmed);
        assertEquals(0, bench.tracker.midstream());
        assertEquals(Kind.OVERTAKING, bench.give(A, Segment.ACK, 3896, 9000, 1448).kind);
        assertEquals(1, bench.count(Counter.MIDSTREAM_CONFIRMED));
    }

    @Test
    void midstreamOfNumbersThatDoNotFitIsNotConfirmed() {
        bench.give(A, Segment.ACK, 1000, 9000, 1448);
        assertFalse(bench.give(A.reversed(), Segment.ACK, 1 << 30, 2448, 0).confirmed);
        assertFalse(bench.give(A, Segment.ACK, 1000, 9000, 1448).confirmed);
        assertEquals(0, bench.count(Counter.MIDSTREAM_CONFIRMED));
    }

    @Test
    void endOfUnknownConnectionDeservesNoRule() {
        assertEquals(Kind.PASS, bench.give(A, Segment.ACK | Segment.FIN, 1000, 9000, 0).kind);
        assertEquals(Kind.PASS, bench.give(A, Segment.RST, 1000, 0, 0).kind);
        assertEquals(0, bench.tracker.midstream());
    }
}
