// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onosproject.net.packet.OutboundPacket;
import org.subflow.mptcp.handshake.Bench;
import org.subflow.mptcp.handshake.HandshakeTracker;
import org.subflow.mptcp.handshake.TrackerLimits;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** What packets tell the tracking thread, and how that thread waits, fails and ends. */
class PacketTrackingTest extends InterceptorScenario {
    @Test
    void malformedOptionsAreCountedAndThePacketIsForwarded() {
        byte[] cutOff = {30, 12, 0, 0};
        send(segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, cutOff));

        assertNotNull(switches.next());
        assertEquals(1, bench.counters.snapshot().entrySet().stream()
                .filter(counter -> counter.getKey().startsWith("malformed.")).mapToLong(Map.Entry::getValue).sum());
    }

    @Test
    void whatDoesNotFitIsCountedAndForwardedWhenItComesAgain() throws InterruptedException {
        told.close();
        tracking.age();
        assertTrue(told.entered.await(TIMEOUT_SECONDS, TimeUnit.SECONDS), "the tracking thread is busy");
        List<Packet> packets = new ArrayList<>();
        for (int i = 0; i <= MOST_WAITING; i++) {
            packets.add(send(syn(Bench.tuple("10.0.0.1", 50000 + i))));
        }
        tracking.expire();
        assertEquals(1, bench.count(Counter.QUEUE_FULL), "time-outs are no packets");
        assertTrue(packets.get(MOST_WAITING).isHandled(), "dropped");

        assertNull(switches.sent.poll(), "nobody overtakes");
        told.open();
        for (Packet packet : packets.subList(0, MOST_WAITING)) {
            assertArrayEquals(packet.octets, switches.next().data().array());
        }
        assertNull(switches.sent.poll());
        Packet again = send(syn(Bench.tuple("10.0.0.1", 50000 + MOST_WAITING)));
        assertArrayEquals(again.octets, switches.next().data().array());
        assertEquals(1, bench.count(Counter.QUEUE_FULL));
    }

    @Test
    void aPacketThatFindsNobodyBeforeItIsForwardedAtOnce() {
        Packet packet = send(syn(TUPLE));
        OutboundPacket sent = switches.sent.poll();
        assertNotNull(sent, "on the thread that brought it");
        assertArrayEquals(packet.octets, sent.data().array());
    }

    @Test
    void aJoinWaitsForWhoeverIsAsked() throws InterruptedException {
        bench.tokens.register(TUPLE, Bench.keys(Bench.CLIENT_KEY, Bench.SERVER_KEY));
        Packet join = send(segment(NEXT, Segment.SYN, Bench.CLIENT_ISN, 0,
                                   MptcpOptionEncoder.encode(List.of(Bench.joiner().syn(false)))));
        assertNothingWasSent();

        told.joins.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS).run();
        assertArrayEquals(join.octets, switches.next().data().array());
    }

    @Test
    void whatIsEstablishedIsToldBeforeItsPacketGoesOn() {
        send(segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, options(Bench.capableSyn(MptcpVersion.V1, 0))));
        send(segment(TUPLE.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1,
                     options(Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY))));
        switches.next();
        switches.next();
        send(segment(TUPLE, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1,
                     options(Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY))));
        switches.next();
        assertEquals(List.of("capable " + TUPLE), told.all());
    }

    @Test
    void aConnectionWhoseBeginningWasNotSeenIsToldAndForwarded() {
        send(segment(TUPLE, Segment.ACK, 1000, 2000, NO_OPTIONS));
        send(segment(TUPLE.reversed(), Segment.ACK, 2000, 1000, NO_OPTIONS));
        switches.next();
        switches.next();
        assertEquals(List.of("midstream " + TUPLE + " false", "midstream " + TUPLE.reversed() + " true"), told.all());
    }

    @Test
    void whoeverFailsOnWhatIsToldLosesNoPacket() {
        told.fails = true;
        send(segment(TUPLE, Segment.ACK, 1000, 2000, NO_OPTIONS));
        send(segment(NEXT, Segment.ACK, 1000, 2000, NO_OPTIONS));

        assertNotNull(switches.next());
        assertNotNull(switches.next());
        assertEquals(2, told.all().size());
    }

    @Test
    void handshakesTimeOutAlthoughNoPacketComes() throws InterruptedException {
        interceptor.stop();
        TrackerLimits hasty = new TrackerLimits(1, 1, 1, 1, 1, 1);
        start(new HandshakeTracker(hasty, bench.tokens, bench.counters), MOST_WAITING);
        send(syn(TUPLE));
        switches.next();
        assertEquals(0, bench.count(Counter.TIMEOUT_SYN));
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        tracking.expire();

        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (bench.count(Counter.TIMEOUT_SYN) == 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertEquals(1, bench.count(Counter.TIMEOUT_SYN));
    }

    @Test
    void onceStoppedItTakesNothingInAndItsThreadEnds() throws InterruptedException {
        send(syn(TUPLE));
        switches.next();
        assertTrue(switches.processors.contains(interceptor));

        interceptor.stop();
        tracking.stop();
        assertEquals(Set.of(), switches.processors);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
            assertFalse(thread.isAlive());
        }
        // One that ONOS is just handing over.
        send(syn(NEXT));
        tracking.expire();
        assertNull(switches.sent.poll());
    }
}
