// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Decision.Kind;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MalformedReason;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.token.TokenOwner;

/** What is no handshake, what is forgotten in time, and what counters say. */
class HandshakeEdgesTest extends HandshakeScenario {
    private static final FiveTuple B = Bench.tuple("10.0.0.11", 40001);

    private Decision copy(FiveTuple tuple, int flags, int sequence, int acknowledgement, MptcpOption... options) {
        bench.now += 1000;
        return bench.tracker.processCopy(
                Segment.of(tuple, flags, sequence, acknowledgement, MptcpOptionEncoder.encode(List.of(options)), 0), bench.now);
    }

    private Decision copiedSyn() {
        return copy(A, Segment.SYN, Bench.CLIENT_ISN, 0, Bench.capableSyn(MptcpVersion.V0, Bench.CLIENT_KEY));
    }

    private Decision copiedAnswer() {
        return copy(A.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1,
                    Bench.capableSynAck(MptcpVersion.V0, Bench.SERVER_KEY));
    }

    private Kind synFrom(String address) {
        IpAddress source = IpAddress.valueOf(address);
        IpAddress other = IpAddress.valueOf(source.isIp4() ? "10.0.0.2" : "fd00::2");
        return bench.syn(FiveTuple.of(source, 1000, other, 80)).kind;
    }

    @ParameterizedTest
    @ValueSource(strings = {"224.0.0.1", "239.255.255.255", "255.255.255.255", "0.0.0.0", "ff02::1", "::"})
    void groupsAndNobodyOpenNothing(String address) {
        assertEquals(Kind.PASS, synFrom(address));
        assertEquals(1, bench.count(Counter.SEGMENTS_BAD_ADDRESS));
        assertEquals(0, bench.tracker.handshakes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"223.255.255.255", "240.0.0.1", "fe80::1", "fd00::1"})
    void hostsOpenConnections(String address) {
        assertEquals(Kind.IN_HANDSHAKE, synFrom(address));
    }

    @Test
    void aHostMayTalkToItselfBetweenTwoPorts() {
        IpAddress host = IpAddress.valueOf("10.0.0.1");
        assertEquals(Kind.IN_HANDSHAKE, bench.syn(FiveTuple.of(host, 1, host, 2)).kind);
        assertEquals(Kind.PASS, bench.syn(FiveTuple.of(host, 1, host, 1)).kind);
        assertEquals(1, bench.count(Counter.SEGMENTS_BAD_ADDRESS));
    }

    @Test
    void anOptionThatComesWithTheSecondSynCounts() {
        bench.syn(A);
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        capable(bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
    }

    @Test
    void aSimultaneousOpenLeavesNeitherHandshake() {
        bench.give(A, Segment.SYN, 100, 0, 0);
        bench.give(A.reversed(), Segment.SYN, 200, 0, 0);
        bench.give(A, Segment.SYN | Segment.ACK, 100, 201, 0);
        bench.give(A.reversed(), Segment.SYN | Segment.ACK, 200, 101, 0);
        assertEquals(0, bench.tracker.handshakes());
    }

    @Test
    void resetsThatHitAndThatMissAreCountedApart() {
        bench.give(B, Segment.RST, 1, 0, 0);
        assertEquals(0, bench.count(Counter.HANDSHAKE_RESET), "there is none");
        bench.syn(A);
        bench.give(A, Segment.RST, Bench.CLIENT_ISN - 5, 0, 0);
        assertEquals(0, bench.count(Counter.HANDSHAKE_RESET));
        assertEquals(1, bench.count(Counter.RESET_IGNORED));
        bench.give(A.reversed(), Segment.RST | Segment.ACK, 0, Bench.CLIENT_ISN + 1, 0);
        assertEquals(1, bench.count(Counter.HANDSHAKE_RESET));
        assertEquals(0, bench.tracker.handshakes());
    }

    @Test
    void aListenerTakesItsAnswerBackByItsOwnNumberAlone() {
        bench.syn(A);
        bench.give(A.reversed(), Segment.RST, Bench.SERVER_ISN + 1, 0, 0);
        assertEquals(1, bench.tracker.handshakes(), "it has not answered, and refuses nothing");
        bench.synAck(A);
        bench.give(A.reversed(), Segment.RST | Segment.ACK, Bench.SERVER_ISN - 5, Bench.CLIENT_ISN + 9, 0);
        assertEquals(1, bench.tracker.handshakes(), "neither number fits");
        bench.give(A.reversed(), Segment.RST, Bench.SERVER_ISN + 1, 0, 0);
        assertEquals(0, bench.tracker.handshakes());
    }

    @Test
    void aResetEndsTheAttemptThatItHits() {
        bench.syn(A);
        bench.give(A, Segment.SYN, 500, 0, 0);
        bench.give(A, Segment.RST, 501, 0, 0);
        bench.synAck(A);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.ack(A));
    }

    @Test
    void anAnsweredSynOutlivesTwoMore() {
        bench.syn(A);
        bench.synAck(A);
        bench.give(A, Segment.SYN, 1 << 30, 0, 0);
        bench.give(A, Segment.SYN, 1 << 29, 0, 0);
        assertPlain(PlainEstablished.Cause.NOT_OFFERED, bench.ack(A));
    }

    @Test
    void onlyAThirdSegmentCompletesAHandshake() {
        copiedSyn();
        assertFalse(capable(copiedAnswer()).isComplete());
        assertTrue(bench.capable(B).isComplete());
    }

    @Test
    void anEndIsNoAnswer() {
        copy(A.reversed(), Segment.FIN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1,
             Bench.capableSynAck(MptcpVersion.V0, Bench.SERVER_KEY));
        assertFalse(copiedSyn().event.isPresent());
        assertEquals(1, bench.tracker.handshakes());
    }

    @Test
    void copiesOfGroupsAndMalformedOnesAreCounted() {
        FiveTuple group = FiveTuple.of(IpAddress.valueOf("224.0.0.1"), 1, IpAddress.valueOf("10.0.0.2"), 2);
        assertEquals(Kind.PASS, copy(group, Segment.SYN, 1, 0).kind);
        assertEquals(1, bench.count(Counter.SEGMENTS_BAD_ADDRESS));
        bench.tracker.processCopy(Segment.of(A, Segment.SYN, 1, 0, new byte[] {30, 20, 1, 1}, 0), bench.now);
        assertEquals(1, bench.counters.get(MalformedReason.PAST_END));
    }

    /** A listener with SYN cookies may answer two SYNs with one number of its own. */
    @Test
    void anAnswerIsToTheSynThatItAcknowledges() {
        copiedSyn();
        copy(A, Segment.SYN, 500, 0);
        copy(A.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, 501);
        assertEquals(0, bench.tracker.handshakes(), "plain TCP leaves nothing");
    }

    @Test
    void eachKindOfSegmentIsCounted() {
        bench.capable(A);
        bench.join(B, Bench.joiner());
        bench.data(A, Bench.dss());
        bench.data(Bench.tuple("10.0.0.5", 5), Bench.dss());
        assertEquals(List.of(8L, 2L, 1L, 1L, 2L, 1L, 1L, 0L), List.of(
                bench.count(Counter.SEGMENTS), bench.count(Counter.SYN), bench.count(Counter.SYN_CAPABLE), bench.count(Counter.SYN_JOIN),
                bench.count(Counter.SYN_ACK), bench.count(Counter.OVERTAKING), bench.count(Counter.MIDSTREAM), bench.count(Counter.COPIES)));
    }

    @Test
    void copiesAreCountedAndFillTheTableUntilTheyAreAnswered() {
        copiedSyn();
        assertEquals(1, bench.tracker.handshakes());
        copiedAnswer();
        assertEquals(0, bench.tracker.handshakes());
        assertEquals(1, bench.tracker.recent());
        assertEquals(2, bench.count(Counter.COPIES));
        copiedAnswer();
        assertEquals(1, bench.count(Counter.SYN_ACK_RETRANSMITTED), "the answer once more opens nothing");
    }

    @Test
    void copiesAloneLetTimePass() {
        copiedSyn();
        bench.pass(11, TimeUnit.SECONDS);
        assertFalse(copiedAnswer().event.isPresent());
        assertEquals(1, bench.count(Counter.TIMEOUT_SYN));
    }

    @Test
    void anAnswerWaitsForItsSynNoLongerThanAMoment() {
        copiedAnswer();
        bench.pass(3, TimeUnit.SECONDS);
        assertFalse(copiedSyn().event.isPresent());
        assertEquals(1, bench.tracker.handshakes());
    }

    @Test
    void oneDirectionWithoutHandshakeIsForgotten() {
        bench.data(A, Bench.dss());
        assertEquals(1, bench.tracker.midstream());
        bench.pass(11, TimeUnit.SECONDS);
        bench.tracker.expire(bench.now);
        assertEquals(0, bench.tracker.midstream());
    }

    @Test
    void aClientsKeyThatAnotherConnectionHasIsCounted() {
        bench.capable(A, MptcpVersion.V0, Bench.CLIENT_KEY, Bench.SERVER_KEY);
        bench.capable(B, MptcpVersion.V0, Bench.CLIENT_KEY, Bench.SERVER_KEY + 1);
        assertEquals(1, bench.count(Counter.TOKEN_DUPLICATE));
    }

    @Test
    void theLegBetweenTheHostsOfTheFramesBeatsTheOthers() {
        FiveTuple join = B.between(host(1), host(2));
        ConnectionKeys keys = new ConnectionKeys(MptcpVersion.V1, OptionalLong.of(Bench.CLIENT_KEY), OptionalLong.of(Bench.SERVER_KEY));
        TokenOwner fromElsewhere = new TokenOwner(A.between(host(9), host(2)), keys, Direction.UP);
        TokenOwner here = new TokenOwner(A.between(host(1), host(2)), keys, Direction.UP);
        assertEquals(Optional.of(here), Negotiation.preferred(List.of(fromElsewhere, here), join));
        TokenOwner toElsewhere = new TokenOwner(A.between(host(1), host(9)), keys, Direction.UP);
        assertEquals(Optional.of(here), Negotiation.preferred(List.of(toElsewhere, here), join));
    }

    private static HostId host(int number) {
        return HostId.hostId("00:00:00:00:00:0" + number + "/None");
    }
}
