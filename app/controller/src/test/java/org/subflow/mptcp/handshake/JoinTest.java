// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Decision.Kind;
import org.subflow.mptcp.handshake.PlainEstablished.Cause;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.token.Keys;
import org.subflow.mptcp.token.TokenDirectory;
import org.subflow.mptcp.token.TokenOwner;

/** Which connection a join belongs to, and the joins that belong to none. */
class JoinTest {
    private static final FiveTuple A = Bench.tuple("10.0.0.1", 40000);
    private static final FiveTuple JOIN = Bench.tuple("10.0.0.11", 50000);

    private final Bench bench = new Bench();

    private static JoinEstablished joined(Decision decision) {
        return (JoinEstablished) decision.event.orElseThrow();
    }

    private static void assertPlain(Cause cause, Decision decision) {
        assertEquals("plain " + JOIN + " " + cause, decision.event.orElseThrow().toString());
    }

    @ParameterizedTest
    @EnumSource(MptcpVersion.class)
    void clientJoinsWithTheServersToken(MptcpVersion version) {
        bench.capable(A, version, Bench.CLIENT_KEY, Bench.SERVER_KEY);
        JoinEstablished join = joined(bench.join(JOIN,
                                                 new Bench.Joiner(version, Bench.CLIENT_KEY, Bench.SERVER_KEY)));
        assertEquals(JOIN, join.fiveTuple);
        assertEquals(A, join.owner.connection);
        assertEquals(Keys.token(version, Bench.SERVER_KEY), join.token);
        assertEquals(version, join.owner.version());
        assertEquals(Direction.UP, join.owner.joins);
        assertTrue(join.authenticated);
        assertFalse(join.backup);
        assertEquals(3, join.addressId);
        assertEquals(4, join.listenerAddressId);
    }

    @ParameterizedTest
    @EnumSource(MptcpVersion.class)
    void serverJoinsWithTheClientsToken(MptcpVersion version) {
        bench.capable(A, version, Bench.CLIENT_KEY, Bench.SERVER_KEY);
        FiveTuple fromServer = FiveTuple.of(IpAddress.valueOf("10.0.0.3"), 5201, IpAddress.valueOf("10.0.0.1"), 41000);
        JoinEstablished join = joined(bench.join(fromServer,
                                                 new Bench.Joiner(version, Bench.SERVER_KEY, Bench.CLIENT_KEY)));
        assertEquals(A, join.owner.connection);
        assertEquals(Direction.DOWN, join.owner.joins);
        assertTrue(join.authenticated);
        assertEquals(fromServer, join.fiveTuple);
    }

    @Test
    void backupByEitherHost() {
        bench.capable(A);
        Bench.Joiner joiner = Bench.joiner();
        Decision syn = bench.syn(JOIN, joiner.syn(true));
        assertTrue(syn.joinAttempt.orElseThrow().backup);
        bench.synAck(JOIN, joiner.synAck());
        assertTrue(joined(bench.ack(JOIN, joiner.ack())).backup);

        FiveTuple second = Bench.tuple("10.0.0.12", 50000);
        bench.syn(second, joiner.syn(false));
        bench.synAck(second, new MpJoin.SynAck(true, 4, joiner.synAck().hmac(), Bench.SERVER_NONCE));
        assertTrue(joined(bench.ack(second, joiner.ack())).backup);
    }

    @Test
    void synSaysWhichConnectionIsJoined() {
        bench.capable(A);
        JoinAttempt attempt = bench.syn(JOIN, Bench.joiner().syn(false)).joinAttempt.orElseThrow();
        assertEquals(JOIN, attempt.fiveTuple);
        assertEquals(3, attempt.addressId);
        assertEquals(Optional.of(A), attempt.owner.map(owner -> owner.connection));
    }

    @Test
    void unknownTokenIsPlain() {
        Decision syn = bench.syn(JOIN, Bench.joiner().syn(false));
        assertEquals(Kind.IN_HANDSHAKE, syn.kind);
        assertEquals(Optional.empty(), syn.joinAttempt.orElseThrow().owner);
        assertEquals(1, bench.count(Counter.JOIN_UNKNOWN_TOKEN));
        bench.syn(JOIN, Bench.joiner().syn(false));
        assertEquals(1, bench.count(Counter.JOIN_UNKNOWN_TOKEN), "a retransmission is no further join");
        bench.synAck(JOIN, Bench.joiner().synAck());
        assertPlain(Cause.UNKNOWN_TOKEN, bench.ack(JOIN, Bench.joiner().ack()));
        assertEquals(0, bench.count(Counter.ESTABLISHED_JOIN));
    }

    @Test
    void unknownTokenIsResetByTheListener() {
        bench.syn(JOIN, Bench.joiner().syn(false));
        bench.give(JOIN.reversed(), Segment.RST | Segment.ACK, 0, Bench.CLIENT_ISN + 1, 0);
        assertEquals(0, bench.tracker.handshakes());
    }

    /** The join's segments may come before the third ACK of the connection. */
    @Test
    void joinOvertakesTheConnection() {
        bench.syn(A, Bench.capableSyn(MptcpVersion.V1, 0));
        bench.synAck(A, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
        bench.syn(JOIN, Bench.joiner().syn(false));
        bench.synAck(JOIN, Bench.joiner().synAck());
        bench.ack(A, Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY));
        assertEquals(A, joined(bench.ack(JOIN, Bench.joiner().ack())).owner.connection);
    }

    @Test
    void listenerWithoutTheKeysIsPlain() {
        bench.capable(A);
        bench.syn(JOIN, Bench.joiner().syn(false));
        bench.synAck(JOIN, new MpJoin.SynAck(false, 4, new byte[8], Bench.SERVER_NONCE));
        assertPlain(Cause.BAD_HMAC, bench.ack(JOIN, Bench.joiner().ack()));
        assertEquals(1, bench.count(Counter.JOIN_BAD_HMAC));
        assertEquals(0, bench.count(Counter.ESTABLISHED_JOIN));
    }

    @Test
    void initiatorWithoutTheKeysIsNotJoined() {
        bench.capable(A);
        bench.syn(JOIN, Bench.joiner().syn(false));
        bench.synAck(JOIN, Bench.joiner().synAck());
        assertEquals(Kind.IN_HANDSHAKE, bench.ack(JOIN, new MpJoin.Ack(new byte[20])).kind);
        assertEquals(1, bench.count(Counter.JOIN_BAD_HMAC));
        assertEquals(A, joined(bench.ack(JOIN, Bench.joiner().ack())).owner.connection, "the right one came after all");
    }

    @Test
    void listenerRefusesTheJoin() {
        bench.capable(A);
        bench.syn(JOIN, Bench.joiner().syn(false));
        bench.synAck(JOIN);
        assertPlain(Cause.REFUSED, bench.ack(JOIN));
    }

    @Test
    void thirdAckWithoutMpJoinWaits() {
        bench.capable(A);
        bench.syn(JOIN, Bench.joiner().syn(false));
        bench.synAck(JOIN, Bench.joiner().synAck());
        assertEquals(Kind.IN_HANDSHAKE, bench.ack(JOIN).kind);
        assertEquals(A, joined(bench.ack(JOIN, Bench.joiner().ack())).owner.connection);
    }

    @Test
    void dataWithoutOptionIsPlain() {
        bench.capable(A);
        bench.syn(JOIN, Bench.joiner().syn(false));
        bench.synAck(JOIN, Bench.joiner().synAck());
        assertPlain(Cause.LOST, bench.data(JOIN));
    }

    @Test
    void thirdAckLostListenerConfirms() {
        bench.capable(A);
        bench.syn(JOIN, Bench.joiner().syn(false));
        bench.synAck(JOIN, Bench.joiner().synAck());
        assertEquals(A, joined(bench.listenersData(JOIN, Bench.dss())).owner.connection);
    }

    @Test
    void retransmittedJoinIsOneSubflow() {
        bench.capable(A);
        bench.join(JOIN, Bench.joiner());
        assertEquals(Kind.OVERTAKING, bench.syn(JOIN, Bench.joiner().syn(false)).kind);
        assertEquals(Kind.OVERTAKING, bench.synAck(JOIN, Bench.joiner().synAck()).kind);
        assertEquals(Kind.OVERTAKING, bench.ack(JOIN, Bench.joiner().ack()).kind);
        assertEquals(1, bench.count(Counter.ESTABLISHED_JOIN));
    }

    /** Two connections of different hosts may have the same token by chance; the hash tells them apart. */
    @Test
    void keyedHashDecidesBetweenTwoConnections() {
        FiveTuple other = FiveTuple.of(IpAddress.valueOf("10.0.0.9"), 1, IpAddress.valueOf("10.0.0.2"), 5201);
        List<TokenOwner> owners = List.of(new TokenOwner(other, Bench.keys(666, Bench.SERVER_KEY), Direction.UP),
                                          new TokenOwner(A, Bench.keys(Bench.CLIENT_KEY, Bench.SERVER_KEY), Direction.UP));
        JoinEstablished join = joined(joinWith(Handshakes.directory(token -> owners)));
        assertEquals(A, join.owner.connection);
        assertEquals(1, bench.count(Counter.JOIN_AMBIGUOUS_TOKEN));
    }

    @Test
    void joinedAddressDecidesWithoutKeys() {
        ConnectionKeys half = new ConnectionKeys(MptcpVersion.V1, OptionalLong.empty(),
                                                OptionalLong.of(Bench.SERVER_KEY));
        FiveTuple other = FiveTuple.of(IpAddress.valueOf("10.0.0.9"), 1, IpAddress.valueOf("10.0.0.99"), 5201);
        List<TokenOwner> owners = List.of(new TokenOwner(other, half, Direction.UP), new TokenOwner(A, half, Direction.UP));
        JoinEstablished join = joined(joinWith(Handshakes.directory(token -> owners)));
        assertEquals(A, join.owner.connection);
        assertFalse(join.authenticated);
    }

    /** A connection of which a key was missed fits any hash; one whose hash was checked comes first. */
    @Test
    void checkedHashBeatsTheJoinedAddress() {
        ConnectionKeys half = new ConnectionKeys(MptcpVersion.V1, OptionalLong.empty(),
                                                OptionalLong.of(Bench.SERVER_KEY));
        FiveTuple elsewhere = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1, IpAddress.valueOf("10.0.0.99"), 5201);
        List<TokenOwner> owners = List.of(
                new TokenOwner(A, half, Direction.UP),
                new TokenOwner(elsewhere, Bench.keys(Bench.CLIENT_KEY, Bench.SERVER_KEY), Direction.UP));
        JoinEstablished join = joined(joinWith(Handshakes.directory(token -> owners)));
        assertEquals(elsewhere, join.owner.connection);
        assertTrue(join.authenticated);
    }

    private Decision joinWith(TokenDirectory directory) {
        HandshakeTracker tracker = new HandshakeTracker(TrackerLimits.DEFAULTS, directory, bench.counters);
        Bench.Joiner joiner = Bench.joiner();
        int isn = Bench.CLIENT_ISN;
        tracker.process(segment(JOIN, Segment.SYN, isn, 0, joiner.syn(false)), 1);
        tracker.process(segment(JOIN.reversed(), Segment.SYN | Segment.ACK, 7, isn + 1, joiner.synAck()), 2);
        return tracker.process(segment(JOIN, Segment.ACK, isn + 1, 8, joiner.ack()), 3);
    }

    private static Segment segment(FiveTuple fiveTuple, int flags, int sequence, int acknowledgement, MpJoin join) {
        return Segment.of(fiveTuple, flags, sequence, acknowledgement, join.toBytes(), 0);
    }

    /** A second connection with the keys of the first is one of its own, and does not get the first one's joins. */
    @Test
    void twoConnectionsWithOneToken() {
        FiveTuple second = Bench.tuple("10.0.0.1", 40001);
        bench.capable(A);
        assertEquals(0, bench.count(Counter.TOKEN_DUPLICATE));
        assertEquals(second, bench.capable(second).fiveTuple);
        assertEquals(1, bench.count(Counter.TOKEN_DUPLICATE));
        assertEquals(2, bench.tokens.size());
        assertEquals(A, joined(bench.join(JOIN, Bench.joiner())).owner.connection);
        assertEquals(1, bench.count(Counter.JOIN_AMBIGUOUS_TOKEN));
        assertEquals(1, bench.count(Counter.ESTABLISHED_JOIN));
    }

    @Test
    void tableForgetsBothTokens() {
        CapableEstablished event = bench.capable(A);
        bench.tokens.register(A, event.keys);
        assertEquals(1, bench.tokens.find(event.keys.listenerToken.orElseThrow()).size());
        bench.tokens.register(A, Bench.keys(5, 6));
        assertEquals(List.of(), bench.tokens.find(event.keys.listenerToken.orElseThrow()));
        bench.tokens.remove(A);
        bench.tokens.remove(A);
        assertEquals(0, bench.tokens.size());
        assertEquals(List.of(), bench.tokens.find(Keys.token(MptcpVersion.V1, 5)));
    }
}
