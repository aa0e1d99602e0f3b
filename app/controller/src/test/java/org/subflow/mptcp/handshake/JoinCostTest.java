// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;

/** What the MP_JOINs of two ports that work together cost at most: each as many HMACs as its token has owners, and a port so many. */
class JoinCostTest {
    /** So many SYNs of a port come in a second, by the southbound's default of {@code mostCopiesPerSecond}. */
    private static final int MOST_A_SECOND = 8000;
    private static final int ROUNDS = 5;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(1) / (2 * MOST_A_SECOND);
    private static final int OWNERS = 16;
    private static final ConnectPoint PORT = ConnectPoint.deviceConnectPoint("of:0000000000000001/1");
    private static final ConnectPoint OTHER = ConnectPoint.deviceConnectPoint("of:0000000000000001/2");
    private static final FiveTuple VICTIMS = Bench.tuple("10.0.0.7", 40000);
    private static final long VICTIMS_KEY = 77;

    private final Bench bench = new Bench();
    private int number;

    private void own(MptcpVersion version, int owner) {
        FiveTuple connection = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), owner,
                                            IpAddress.valueOf("10.0.1." + owner / 16), 80);
        bench.tokens.register(connection, new ConnectionKeys(version, OptionalLong.of(owner), OptionalLong.of(Bench.SERVER_KEY)));
    }

    private void own(MptcpVersion version) {
        for (int owner = 0; owner < 1000; owner++) {
            own(version, owner);
        }
    }

    private static Segment segment(FiveTuple tuple, int flags, int sequence, int acknowledgement, MptcpOption option) {
        return Segment.of(tuple, flags, sequence, acknowledgement, MptcpOptionEncoder.encode(List.of(option)), 0);
    }

    private Optional<HandshakeEvent> copy(Segment segment) {
        bench.now += BETWEEN_NANOS;
        return bench.tracker.processCopy(segment, bench.now).event;
    }

    /** Copies of the SYN and the SYN/ACK of a join; the answer comes from elsewhere. */
    private Optional<HandshakeEvent> join(FiveTuple tuple, ConnectPoint from, Bench.Joiner joiner) {
        number++;
        copy(segment(tuple, Segment.SYN, number, 0, joiner.syn(false)).at(from));
        return copy(segment(tuple.reversed(), Segment.SYN | Segment.ACK, number, number + 1, joiner.synAck()).at(OTHER));
    }

    private FiveTuple next() {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1 + number % MOST_A_SECOND,
                            IpAddress.valueOf("10.0.1.1"), 1 + number / MOST_A_SECOND);
    }

    /** The hash fits none of them, so it would be compared with that of each. */
    private static Bench.Joiner forger(MptcpVersion version) {
        return new Bench.Joiner(version, -1, Bench.SERVER_KEY);
    }

    private double secondsOfASecond(MptcpVersion version) {
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < MOST_A_SECOND; i++) {
            join(next(), PORT, forger(version));
        }
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin) / NANOS_PER_SECOND;
    }

    @Test
    void allJoinsOfAPortCostNoMoreHashesThanItMayHave() {
        for (MptcpVersion version : MptcpVersion.values()) {
            own(version);
            double least = Double.POSITIVE_INFINITY;
            for (int round = 0; round < ROUNDS; round++) {
                least = Math.min(least, secondsOfASecond(version));
            }
            System.out.printf(Locale.ROOT, "%d joins a second, version %s: %.3f of a core%n", MOST_A_SECOND, version, least);
        }
        long checked = bench.count(Counter.JOIN_BAD_HMAC);
        // One more second's worth: the bucket was full.
        assertEquals((2 * ROUNDS + 1) * TrackerLimits.HMACS_PER_SECOND / OWNERS, (double) checked, 1.0);
        long refused = 2L * ROUNDS * MOST_A_SECOND - checked;
        assertEquals(refused, bench.count(Counter.JOIN_LIMIT));
        assertEquals(Map.of("limit.joins." + PORT, refused), bench.tracker.uncheckedByPort());
    }

    @Test
    void anotherPortsJoinsAreCheckedMeanwhile() {
        own(MptcpVersion.V0);
        ConnectionKeys keys = new ConnectionKeys(MptcpVersion.V0, OptionalLong.of(VICTIMS_KEY), OptionalLong.of(VICTIMS_KEY + 1));
        bench.tokens.register(VICTIMS, keys);
        // Of the oldest connection, as there may be others at the attacker's port.
        Bench.Joiner honest = new Bench.Joiner(MptcpVersion.V0, 0, Bench.SERVER_KEY);
        Bench.Joiner victim = new Bench.Joiner(MptcpVersion.V0, VICTIMS_KEY, VICTIMS_KEY + 1);
        secondsOfASecond(MptcpVersion.V0);
        long checked = bench.count(Counter.JOIN_BAD_HMAC);
        for (int i = 0; i < OWNERS && bench.count(Counter.JOIN_BAD_HMAC) == checked; i++) {
            join(next(), PORT, forger(MptcpVersion.V0));
        }
        assertFalse(join(next(), PORT, honest).isPresent(), "its own are not");
        // The attacker has had the host at the other port answer all the time.
        assertInstanceOf(JoinEstablished.class, join(Bench.tuple("10.0.0.17", 50000), OTHER, victim).orElseThrow());

        bench.now += TimeUnit.SECONDS.toNanos(1);
        assertInstanceOf(JoinEstablished.class, join(next(), PORT, honest).orElseThrow(), "a second later");
    }

    /** Where only copies come, the token of a host that opened a connection of version 1 is not known: the hosts tell whose it may be. */
    @Test
    void aJoinByHostsCostsTheSameHoweverManyConnectionsTheyHave() {
        secondsByHosts(2);
        double few = secondsByHosts(2);
        double many = secondsByHosts(4096);
        System.out.printf(Locale.ROOT, "%d joins by hosts: %.3f s with 2 connections, %.3f s with 4096%n", 1000, few, many);
        assertEquals(0, bench.count(Counter.JOIN_BY_HOSTS), "there are several");
        assertTrue(many < 3 * few, many + " s");
    }

    private double secondsByHosts(int connections) {
        for (int owner = 1; owner <= connections; owner++) {
            bench.tokens.register(Bench.tuple("10.0.0.1", owner),
                                  new ConnectionKeys(MptcpVersion.V1, OptionalLong.empty(), OptionalLong.of(owner)));
        }
        double least = Double.POSITIVE_INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int i = 0; i < 1000; i++) {
                join(Bench.tuple("10.0.0.1", 50_000 + i).reversed(), PORT, forger(MptcpVersion.V1));
            }
            least = Math.min(least, (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin) / NANOS_PER_SECOND);
        }
        return least;
    }

    /** Where all TCP comes to the controller, each ACK with a wrong hash costs as much again. */
    @Test
    void wrongThirdAcksEndAHandshakeOnceTheyHaveCostTooMuch() {
        bench.tokens.register(VICTIMS, Bench.keys(Bench.CLIENT_KEY, Bench.SERVER_KEY));
        FiveTuple tuple = Bench.tuple("10.0.0.11", 50000);
        bench.give(segment(tuple, Segment.SYN, 1, 0, Bench.joiner().syn(false)).at(PORT));
        bench.give(segment(tuple.reversed(), Segment.SYN | Segment.ACK, 1, 2, Bench.joiner().synAck()).at(OTHER));
        Segment wrong = segment(tuple, Segment.ACK, 2, 2, new MpJoin.Ack(new byte[20])).at(PORT);
        int waiting = 0;
        while (bench.give(wrong).event.isEmpty() && waiting < 2 * MOST_A_SECOND) {
            waiting++;
        }
        assertEquals(TrackerLimits.HMACS_PER_SECOND / 2, waiting, 100);
        assertEquals(1, bench.count(Counter.JOIN_LIMIT));
        assertEquals(0, bench.tracker.handshakes());
        assertEquals(1, bench.count(Counter.ESTABLISHED_PLAIN), "it is left to plain forwarding");
    }

    /** Who listens cannot spend what the initiator has. */
    @Test
    void aListenersThirdAckCostsTheInitiatorNothing() {
        bench.tokens.register(VICTIMS, Bench.keys(Bench.CLIENT_KEY, Bench.SERVER_KEY));
        FiveTuple tuple = Bench.tuple("10.0.0.11", 50000);
        bench.syn(tuple, Bench.joiner().syn(false));
        bench.synAck(tuple, Bench.joiner().synAck());
        assertTrue(bench.listenersData(tuple, new MpJoin.Ack(new byte[20])).event.isEmpty());
        assertInstanceOf(JoinEstablished.class,
                         bench.listenersData(tuple, new MpJoin.Ack(new byte[20]), Bench.dss()).event.orElseThrow());
        assertEquals(0, bench.count(Counter.JOIN_BAD_HMAC));
    }
}
