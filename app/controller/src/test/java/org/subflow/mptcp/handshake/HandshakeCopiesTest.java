// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.Keys;

/** Handshakes of which only copies of SYN and SYN/ACK are seen. */
class HandshakeCopiesTest extends HandshakeScenario {
    private static final FiveTuple B = Bench.tuple("10.0.0.11", 40001);

    /** From another port of the listener's to the initiator's. */
    private static final FiveTuple FROM_SERVER = FiveTuple.of(IpAddress.valueOf("10.0.0.2"), 9999, A.source(), A.sourcePort());

    private Decision copy(FiveTuple tuple, int flags, int sequence, int acknowledgement, MptcpOption... options) {
        bench.now += 1000;
        Decision decision = bench.tracker.processCopy(
                Segment.of(tuple, flags, sequence, acknowledgement, MptcpOptionEncoder.encode(List.of(options)), 0),
                bench.now);
        decision.event.filter(CapableEstablished.class::isInstance).map(CapableEstablished.class::cast)
                .ifPresent(event -> bench.tokens.register(event.fiveTuple, event.keys));
        return decision;
    }

    private Decision handshake(FiveTuple tuple, MptcpOption syn, MptcpOption synAck) {
        copy(tuple, Segment.SYN, Bench.CLIENT_ISN, 0, syn);
        return copy(tuple.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1, synAck);
    }

    private CapableEstablished opened(FiveTuple tuple, MptcpVersion version) {
        return capable(handshake(tuple, Bench.capableSyn(version, Bench.CLIENT_KEY),
                                 Bench.capableSynAck(version, Bench.SERVER_KEY)));
    }

    @Test
    void theAnswerOpensAConnectionThatMayBeHalfOpen() {
        CapableEstablished event = opened(A, MptcpVersion.V1);
        assertEquals(Optional.of(Keys.token(MptcpVersion.V1, Bench.SERVER_KEY)), event.keys.listenerToken);
        assertFalse(event.keys.initiatorToken.isPresent(), "its key is in the third segment");
        assertEquals(0, bench.tracker.handshakes());
    }

    @Test
    void ofVersionZeroBothKeysAreKnown() {
        assertTrue(opened(A, MptcpVersion.V0).keys.initiatorToken.isPresent());
    }

    @Test
    void plainTcpLeavesNothing() {
        copy(A, Segment.SYN, Bench.CLIENT_ISN, 0);
        Decision answer = copy(A.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1);
        assertFalse(answer.event.isPresent());
        assertEquals(0, bench.tracker.handshakes());
        assertEquals(0, bench.tracker.recent());
    }

    @Test
    void aJoinIsKnownByTheListenersTokenAndCountedAsUnchecked() {
        opened(A, MptcpVersion.V1);
        Bench.Joiner joiner = new Bench.Joiner(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY);
        JoinEstablished join = (JoinEstablished) handshake(B, joiner.syn(false), joiner.synAck()).event.orElseThrow();
        assertEquals(A, join.owner.connection);
        assertEquals(Direction.UP, join.owner.joins);
        assertFalse(join.authenticated);
        assertEquals(1, bench.count(Counter.JOIN_UNCHECKED));
    }

    @Test
    void whereBothKeysAreKnownTheAnswersHashIsChecked() {
        opened(A, MptcpVersion.V0);
        Bench.Joiner forger = new Bench.Joiner(MptcpVersion.V0, 666, Bench.SERVER_KEY);
        assertFalse(handshake(B, forger.syn(false), forger.synAck()).event.isPresent());
        assertEquals(1, bench.count(Counter.JOIN_BAD_HMAC));
        assertEquals(0, bench.count(Counter.JOIN_UNCHECKED));
    }

    @Test
    void aServersJoinIsKnownByThePairOfHosts() {
        opened(A, MptcpVersion.V1);
        Bench.Joiner server = new Bench.Joiner(MptcpVersion.V1, Bench.SERVER_KEY, Bench.CLIENT_KEY);
        JoinEstablished join =
                (JoinEstablished) handshake(FROM_SERVER, server.syn(false), server.synAck()).event.orElseThrow();
        assertEquals(A, join.owner.connection);
        assertEquals(Direction.DOWN, join.owner.joins);
        assertEquals(1, bench.count(Counter.JOIN_BY_HOSTS));
    }

    @Test
    void unlessTheHostsHaveSeveralConnections() {
        opened(A, MptcpVersion.V1);
        handshake(Bench.tuple("10.0.0.1", 40002), Bench.capableSyn(MptcpVersion.V1, 5),
                  Bench.capableSynAck(MptcpVersion.V1, 6));
        Bench.Joiner server = new Bench.Joiner(MptcpVersion.V1, Bench.SERVER_KEY, Bench.CLIENT_KEY);
        assertFalse(handshake(FROM_SERVER, server.syn(false), server.synAck()).event.isPresent());
    }

    @Test
    void anAnswerThatOvertakesItsSynWaitsForIt() {
        assertFalse(copy(A.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1,
                         Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY)).event.isPresent());
        Decision syn = copy(A, Segment.SYN, Bench.CLIENT_ISN, 0, Bench.capableSyn(MptcpVersion.V1, Bench.CLIENT_KEY));
        assertEquals(A, capable(syn).fiveTuple);
        assertEquals(0, bench.count(Counter.SYN_ACK_UNSOLICITED));
    }

    @Test
    void butNotForALaterOne() {
        copy(A.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1,
             Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        assertFalse(copy(A, Segment.SYN, Bench.CLIENT_ISN + 77, 0, Bench.capableSyn(MptcpVersion.V1, Bench.CLIENT_KEY))
                            .event.isPresent());
    }

    @Test
    void aJoinThatOvertakesItsConnectionIsKnownWithIt() {
        Bench.Joiner joiner = new Bench.Joiner(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY);
        assertFalse(handshake(B, joiner.syn(false), joiner.synAck()).event.isPresent());
        assertTrue(bench.tracker.overtakenJoins(bench.now).isEmpty());
        opened(A, MptcpVersion.V1);
        List<HandshakeEvent> joins = bench.tracker.overtakenJoins(bench.now);
        assertEquals(List.of(B), List.of(joins.get(0).fiveTuple));
        assertTrue(bench.tracker.overtakenJoins(bench.now).isEmpty(), "once");
    }

    @Test
    void aResetEndsAHandshake() {
        copy(A, Segment.SYN, Bench.CLIENT_ISN, 0, Bench.capableSyn(MptcpVersion.V1, Bench.CLIENT_KEY));
        assertEquals(Decision.PASS, copy(A.reversed(), Segment.RST | Segment.ACK, 0, Bench.CLIENT_ISN + 1));
        assertEquals(0, bench.tracker.handshakes());
    }

    /** A later SYN, which anybody behind the port may forge, does not take the answer to the true one. */
    @Test
    void theSynThatIsAnsweredCounts() {
        copy(A, Segment.SYN, Bench.CLIENT_ISN, 0, Bench.capableSyn(MptcpVersion.V1, Bench.CLIENT_KEY));
        copy(A, Segment.SYN, Bench.CLIENT_ISN + 77, 0);
        assertEquals(A, capable(copy(A.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1,
                                     Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY))).fiveTuple);
    }

    @Test
    void aTokenIsForgottenWithItsConnection() {
        opened(A, MptcpVersion.V1);
        assertTrue(bench.tokens.onlyByHosts(A).isPresent());
        bench.tokens.remove(A);
        assertTrue(bench.tokens.onlyByHosts(A).isEmpty());
    }
}
