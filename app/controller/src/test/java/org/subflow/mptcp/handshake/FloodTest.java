// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.handshake.Decision.Kind;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** Floods: tables stay bounded, and hosts that mean it still get in. */
class FloodTest {
    private static final int LIMIT = 1000;
    private static final int FLOOD = 20_000;
    private static final MptcpOption[] NONE = {};

    private final Bench bench = new Bench(new TrackerLimits(LIMIT, 100, LIMIT, LIMIT, 50, TrackerLimits.DEFAULTS.synNanos));
    private final Random random = new Random(1);

    private FiveTuple forged() {
        return FiveTuple.of(IpAddress.valueOf(0x0b000000 | random.nextInt(1 << 24)), random.nextInt(1 << 16),
                            IpAddress.valueOf("10.0.0.2"), 5201);
    }

    private void assertBounded() {
        assertTrue(bench.tracker.handshakes() <= 4 * LIMIT, () -> bench.tracker.handshakes() + " handshakes");
        assertTrue(bench.tracker.recent() <= LIMIT, () -> bench.tracker.recent() + " recent");
        assertTrue(bench.tracker.midstream() <= LIMIT, () -> bench.tracker.midstream() + " midstream");
    }

    /** Sends a flood of SYNs, each answered or not, and a legitimate handshake in the midst of it. */
    private void legitimateDuring(IntFunction<MptcpOption[]> options, boolean answered, int between) {
        FiveTuple legitimate = Bench.tuple("10.0.0.1", 40000);
        for (int i = 0; i < FLOOD; i++) {
            FiveTuple source = forged();
            bench.syn(source, options.apply(i));
            if (answered) {
                bench.synAck(source);
            }
            if (i == FLOOD / 2) {
                bench.syn(legitimate, Bench.capableSyn(MptcpVersion.V1, 0));
            } else if (i == FLOOD / 2 + between) {
                bench.synAck(legitimate, Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
            } else if (i == FLOOD / 2 + 2 * between) {
                assertEquals(Kind.ESTABLISHED, bench.ack(legitimate, Bench.capableAck(
                        MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY)).kind);
            }
            assertBounded();
        }
        assertEquals(1, bench.count(Counter.ESTABLISHED_CAPABLE_V1));
        assertEquals(0, bench.count(Counter.ESTABLISHED_PLAIN));
        bench.pass(40, TimeUnit.SECONDS);
        bench.tracker.expire(bench.now);
        assertEquals(0, bench.tracker.handshakes(), "after the flood everything is as before");
    }

    @Test
    void plainSyns() {
        legitimateDuring(i -> NONE, false, LIMIT - 1);
        assertTrue(bench.count(Counter.EVICTED_SYN) > FLOOD / 2);
    }

    @Test
    void capableSyns() {
        legitimateDuring(i -> new MptcpOption[] {Bench.capableSyn(MptcpVersion.V0, i)}, false, LIMIT - 1);
    }

    /** Joins with guessed tokens, while a host makes a true one. */
    @Test
    void joinStorm() {
        bench.capable(Bench.tuple("10.0.0.1", 40000));
        FiveTuple join = Bench.tuple("10.0.0.1", 40001);
        bench.syn(join, Bench.joiner().syn(false));
        for (int i = 0; i < FLOOD; i++) {
            bench.syn(forged(), new MpJoin.Syn(false, 1, Token.of(random.nextInt()), i));
            assertBounded();
        }
        bench.synAck(join, Bench.joiner().synAck());
        assertEquals(Kind.ESTABLISHED, bench.ack(join, Bench.joiner().ack()).kind);
        assertEquals(1, bench.count(Counter.ESTABLISHED_JOIN));
        assertEquals(FLOOD, bench.count(Counter.JOIN_UNKNOWN_TOKEN));
    }

    /** Half-open handshakes that a listener answers: they crowd out each other, not those that wait for an answer. */
    @Test
    void answeredSyns() {
        legitimateDuring(i -> NONE, true, LIMIT - 1);
        assertTrue(bench.count(Counter.EVICTED_SYN_ACK) > FLOOD / 2);
        assertEquals(0, bench.count(Counter.EVICTED_SYN));
    }

    /** A host that completed a handshake keeps the next one through a flood of any length. */
    @Test
    void knownSourceOutlastsTheFlood() {
        bench.capable(Bench.tuple("10.0.0.1", 40000));
        FiveTuple next = Bench.tuple("10.0.0.1", 40001);
        bench.syn(next);
        for (int i = 0; i < FLOOD; i++) {
            bench.syn(forged());
        }
        bench.synAck(next);
        for (int i = 0; i < FLOOD; i++) {
            FiveTuple source = forged();
            bench.syn(source);
            bench.synAck(source);
        }
        assertEquals(Kind.ESTABLISHED, bench.ack(next).kind);
    }

    /** So many are remembered as known: whoever completed a handshake before all others is a stranger again. */
    @ParameterizedTest
    @CsvSource({"49, ESTABLISHED", "50, UNKNOWN_MIDSTREAM"})
    void onlySoManySourcesAreKnown(int others, Kind afterwards) {
        bench.capable(Bench.tuple("10.0.0.1", 40000));
        for (int i = 1; i <= others; i++) {
            FiveTuple other = Bench.tuple("10.1.0." + i, 40000);
            bench.syn(other);
            bench.synAck(other);
            bench.ack(other);
        }
        FiveTuple next = Bench.tuple("10.0.0.1", 40001);
        bench.syn(next);
        for (int i = 0; i < FLOOD; i++) {
            bench.syn(forged());
        }
        bench.synAck(next);
        assertEquals(afterwards, bench.ack(next).kind);
    }

    @Test
    void oneSourceHasItsShare() {
        FiveTuple victim = Bench.tuple("10.0.0.7", 1);
        bench.syn(victim);
        for (int i = 0; i < FLOOD; i++) {
            bench.syn(Bench.tuple("10.0.0.1", i));
        }
        assertEquals(101, bench.tracker.handshakes());
        assertEquals(FLOOD - 100, bench.count(Counter.EVICTED_SOURCE_LIMIT));
        assertEquals(0, bench.count(Counter.EVICTED_SYN));
        bench.synAck(victim);
        assertEquals(Kind.ESTABLISHED, bench.ack(victim).kind);
    }

    @Test
    void answeredHandshakesOfASourceOutlastItsUnanswered() {
        FiveTuple answered = Bench.tuple("10.0.0.1", 65000);
        bench.syn(answered);
        bench.synAck(answered);
        for (int i = 0; i < FLOOD; i++) {
            bench.syn(Bench.tuple("10.0.0.1", i));
        }
        assertEquals(Kind.ESTABLISHED, bench.ack(answered).kind);
    }

    @Test
    void strayAcksAndAnswersFillNothing() {
        for (int i = 0; i < FLOOD; i++) {
            assertEquals(Kind.UNKNOWN_MIDSTREAM,
                         bench.give(forged(), Segment.ACK, random.nextInt(), random.nextInt(), 0).kind);
            assertEquals(Kind.PASS, bench.give(forged().reversed(), Segment.SYN | Segment.ACK, random.nextInt(),
                                               random.nextInt(), 0).kind);
            assertBounded();
        }
        assertEquals(0, bench.tracker.handshakes());
        assertEquals(0, bench.count(Counter.MIDSTREAM_CONFIRMED));
    }

    @Test
    void manyEstablishedConnectionsAreForgotten() {
        for (int i = 0; i < 5 * LIMIT; i++) {
            FiveTuple fiveTuple = Bench.tuple("10.0.1." + i % 200, i);
            bench.syn(fiveTuple);
            bench.synAck(fiveTuple);
            assertEquals(Kind.ESTABLISHED, bench.ack(fiveTuple).kind);
            assertBounded();
        }
        assertEquals(LIMIT, bench.tracker.recent());
    }
}
