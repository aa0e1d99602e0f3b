// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ethernet;
import org.onosproject.net.packet.PacketProcessor;
import org.subflow.mptcp.handshake.Bench;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** Packets at a switch that copies SYN, FIN and RST to the controller. */
class CopyingSwitchTest extends InterceptorScenario {
    private static final byte[] CAPABLE = options(Bench.capableSyn(MptcpVersion.V1, 0));
    private static final byte[] ANSWER = options(Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));

    @BeforeEach
    void copy() {
        copying.add(CLIENTS.deviceId());
        copying.add(SERVERS.deviceId());
    }

    @Test
    void whatComesToTheControllerIsLeftToOtherApplications() {
        assertFalse(send(syn(TUPLE)).isHandled());
        awaitTracking();
        assertEquals(0, bench.count(Counter.SEGMENTS));
        assertTrue(switches.sent.isEmpty());
    }

    @Test
    void unlessTheApplicationHasAskedForIt() {
        told.awaits = true;
        assertTrue(send(syn(TUPLE)).isHandled());
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
    }

    @Test
    void whatNoApplicationForwardsIsForwardedAndTold() {
        Packet packet = new Packet(CLIENTS, syn(TUPLE));
        for (PacketProcessor processor : switches.processors) {
            if (processor != interceptor) {
                processor.process(packet);
            }
        }
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
        assertEquals(List.of("unclaimed " + TUPLE), told.all());

        Packet handled = new Packet(CLIENTS, syn(NEXT));
        handled.block();
        switches.processors.forEach(processor -> processor.process(handled));
        awaitTracking();
        assertTrue(switches.sent.isEmpty());
    }

    @Test
    void copiesOfTheFirstTwoSegmentsOpenAConnectionAndNothingIsForwarded() {
        interceptor.processCopy(new Packet(CLIENTS, segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, CAPABLE)));
        interceptor.processCopy(new Packet(SERVERS, segment(TUPLE.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN,
                                                            Bench.CLIENT_ISN + 1, ANSWER)));
        awaitTracking();
        assertEquals(List.of("capable " + TUPLE), told.all());
        assertTrue(switches.sent.isEmpty());
    }

    @Test
    void onlyTheCopyOfTheSwitchAtTheEdgeCounts() {
        interceptor.processCopy(new Packet(SERVERS, segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, CAPABLE)));
        awaitTracking();
        assertEquals(0, bench.count(Counter.COPIES));
    }

    @Test
    void anEndIsTold() {
        interceptor.processCopy(new Packet(CLIENTS, segment(TUPLE, Segment.FIN | Segment.ACK, 1, 1, NO_OPTIONS)));
        awaitTracking();
        assertEquals(List.of("ended " + TUPLE), told.all());
    }

    @Test
    void aDivertedSynIsForwardedByTheController() {
        Ethernet syn = segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, CAPABLE);
        interceptor.processDiverted(new Packet(CLIENTS, syn));
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
    }

    /** Nobody else forwards it: the rules of the application that has the interface are behind the one that diverts SYNs. */
    @Test
    void soIsOneToAnInterfaceOfAnotherApplication() {
        interfaces.add(2);
        interceptor.processDiverted(new Packet(CLIENTS, segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, CAPABLE)));
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
    }
}
