// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.OtherOptions;

/** Connections of which only SYN and SYN/ACK were copied: what a later packet shows of them. */
class FallbackTest extends HandshakeScenario {
    @BeforeEach
    void earnByOctets() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capableWithoutThirdAck(FIRST));
        assertEquals(1, tokens.size());
    }

    /** A segment after which its sender has sent so many octets, and has received so many. */
    private static Segment segment(FiveTuple tuple, int sent, int received, boolean isMptcp) {
        byte[] options = isMptcp ? dss() : null;
        return Segment.of(tuple, Segment.ACK, 1 + sent, 1 + received, options, 0);
    }

    private static byte[] dss() {
        return MptcpOptionEncoder.encode(List.of(OtherOptions.prio(false)));
    }

    private void assertPlain() {
        done();
        assertTrue(stage.store.all().isEmpty(), "it gets no paths");
        assertEquals(0, tokens.size(), "nobody can join it");
        assertEquals(1, counters.get(Counter.ESTABLISHED_FELL_BACK));
        assertTrue(candidates.of(FIRST).filter(one -> !one.keys().isPresent()).isPresent(), "it is plain TCP from now on");
    }

    @Test
    void dataWithoutMptcpIsPlainTcp() {
        assertTrue(handler.counted(data(FIRST, 5000), nanos));
        assertPlain();
        handler.counted(data(FIRST, 9000), later(61_000));
        assertPlainlyForwarded();
    }

    private void assertPlainlyForwarded() {
        done();
        assertTrue(stage.store.all().isEmpty());
        assertEquals(1, plain.size());
    }

    @Test
    void anAcknowledgementOfDataWithoutMptcpIsPlainTcp() {
        assertTrue(handler.counted(segment(FIRST, 0, 5000, false), nanos));
        assertPlain();
    }

    @Test
    void theServersDataWithoutMptcpIsPlainTcp() {
        assertTrue(handler.counted(data(FIRST.reversed(), 5000), nanos));
        assertPlain();
    }

    @Test
    void anAcknowledgementOfTheHandshakeAloneShowsNothing() {
        assertTrue(handler.counted(segment(FIRST, 0, 0, false), nanos));
        assertTrue(candidates.of(FIRST).filter(one -> one.keys().isPresent()).isPresent());
        assertEquals(1, tokens.size());
    }

    /** So it is with a handshake whose third segment was not seen, where connections are managed at once. */
    @Test
    void plainTcpIsNeverManagedWhateverTheThreshold() {
        earn(0, 0);
        handler.capableEstablished(Handshakes.capableWithoutThirdAck(SECOND));
        handler.counted(data(SECOND, 5000), nanos);
        done();
        assertEquals(1, plain.size());
        handler.counted(data(SECOND, 6000), later(10));
        handler.age(later(61_000));
        done();
        assertTrue(stage.store.all().isEmpty());
        assertEquals(1, plain.size());
        assertFalse(candidates.of(SECOND).isPresent());
        assertTrue(tokens.find(Handshakes.KEYS.listenerToken.get()).stream().noneMatch(owner -> owner.connection.equals(SECOND)));
    }

    @Test
    void oneOptionShowsThatItIsMptcpForGood() {
        handler.counted(segment(FIRST, 10, 10, true), nanos);
        handler.counted(data(FIRST, 2000), nanos);
        assertEquals(FIRST, only().first().tuple());
    }

    @Test
    void aJoinShowsItToo() {
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.counted(data(FIRST, 2000), nanos);
        assertEquals(2, only().subflows().size());
    }

    @Test
    void whatHostsSayBeforeTheConnectionHasEarnedItsPathsIsKept() {
        handler.capableEstablished(Handshakes.denyingJoins(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST, true));
        handler.joinEstablished(Handshakes.join(THIRD, FIRST));
        byte[] prio = MptcpOptionEncoder.encode(List.of(OtherOptions.prio(true)));
        handler.counted(Segment.of(THIRD.reversed(), Segment.ACK, 1, 1, prio, 0), nanos);
        handler.counted(data(FIRST, 2000), nanos);
        assertTrue(only().deniesJoins());
        assertFalse(only().subflow(FIRST).orElseThrow().isBackup());
        assertTrue(only().subflow(SECOND).orElseThrow().isBackup());
        assertTrue(only().subflow(THIRD).orElseThrow().isBackup());
    }

    @Test
    void aBackupThatJoinsLaterIsOne() {
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.counted(data(FIRST, 2000), nanos);
        only();
        handler.joinEstablished(Handshakes.join(THIRD, FIRST, true));
        assertTrue(only().subflow(THIRD).orElseThrow().isBackup());
    }
}
