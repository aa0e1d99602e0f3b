// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.UDP;
import org.onlab.packet.VlanId;
import org.onosproject.net.Host;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.packet.OutboundPacket;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Bench;

/** What becomes of packets: who forwards them, and whether they are tracked. */
class PacketInterceptorTest extends InterceptorScenario {
    @Test
    void aPacketGoesStraightToThePortOfItsDestination() {
        Packet packet = send(syn(TUPLE));

        OutboundPacket out = switches.next();
        assertEquals(SERVERS.deviceId(), out.sendThrough());
        assertEquals(DefaultTrafficTreatment.builder().setOutput(SERVERS.port()).build(), out.treatment());
        assertArrayEquals(packet.octets, out.data().array());
        assertTrue(packet.isHandled(), "nobody else is to forward it");
    }

    @Test
    void whatAnotherApplicationHasHandledIsLeftAlone() {
        Packet packet = new Packet(CLIENTS, syn(TUPLE));
        packet.block();
        interceptor.process(packet);

        assertNothingWasSent();
        assertEquals(1, bench.count(Counter.SEGMENTS), "the other packet's");
    }

    @Test
    void whatIsNotTcpOrCouldNotBeReadIsLeftToOthers() {
        IPv4 datagram = new IPv4();
        datagram.setSourceAddress("10.0.0.1").setDestinationAddress("10.0.0.2").setProtocol(IPv4.PROTOCOL_UDP)
                .setPayload(new UDP());
        Ethernet udp = frame(datagram);
        for (Ethernet frame : Arrays.asList(udp, null)) {
            assertFalse(send(frame).isHandled());
        }
        assertNothingWasSent();
    }

    @Test
    void aTaggedPacketIsForwardedBetweenTheHostsOfItsVlan() {
        hosts.attach(TUPLE.source(), 1, VlanId.vlanId(VLAN), CLIENTS);
        hosts.attach(TUPLE.destination(), 2, VlanId.vlanId(VLAN), FARTHER);
        Ethernet frame = syn(TUPLE);
        frame.setVlanID(VLAN);

        Packet packet = send(frame);
        OutboundPacket out = switches.next();
        assertEquals(FARTHER.deviceId(), out.sendThrough(), "not to the twin without a tag");
        assertArrayEquals(packet.octets, out.data().array());
        assertEquals(1, bench.count(Counter.SEGMENTS));
    }

    @Test
    void oneWithTwoTagsIsLeftToOthersAndCounted() {
        Ethernet frame = syn(TUPLE);
        frame.setVlanID(VLAN);
        frame.setQinQVID(VLAN);

        assertFalse(send(frame).isHandled());
        assertNothingWasSent();
        assertEquals(1, bench.count(Counter.IGNORED_VLAN));
        assertEquals(1, bench.count(Counter.SEGMENTS), "the other packet's");
    }

    @Test
    void oneToABroadcastAddressOfEthernetIsLeftToOthersAndCounted() {
        Ethernet frame = syn(TUPLE);
        frame.setDestinationMACAddress(MacAddress.BROADCAST);

        assertFalse(send(frame).isHandled());
        assertNothingWasSent();
        assertEquals(1, bench.count(Counter.SEGMENTS_BAD_ADDRESS));
        assertEquals(1, bench.count(Counter.SEGMENTS), "the other packet's");
    }

    @Test
    void theFrameDecidesWhereAPacketGoes() {
        hosts.attach(IpAddress.valueOf("10.0.0.254"), 9, VlanId.NONE, FARTHER);
        Ethernet frame = syn(TUPLE);
        frame.setDestinationMACAddress(MacAddress.valueOf(9));

        assertTrue(send(frame).isHandled());
        assertEquals(FARTHER.deviceId(), switches.next().sendThrough(), "to the router, not to who has the address");
    }

    @Test
    void aPacketToAnUnknownHostIsLeftToOthersButTracked() {
        Set<Host> server = hosts.known.remove(TUPLE.destination());
        assertFalse(send(syn(TUPLE)).isHandled());
        hosts.known.put(TUPLE.destination(), server);
        send(segment(TUPLE.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1, NO_OPTIONS));
        send(segment(TUPLE, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1, NO_OPTIONS));

        assertEquals(CLIENTS.deviceId(), switches.next().sendThrough(), "others have forwarded the SYN");
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
        assertEquals(List.of("plain " + TUPLE), told.all());
        assertEquals(1, bench.count(Counter.IGNORED_UNKNOWN_HOST));
    }

    @Test
    void aPacketThatAnotherNodeForwardsIsTrackedAndNotForwarded() {
        interceptor.observe(new Packet(CLIENTS, syn(TUPLE)).inPacket());
        interceptor.observe(new Packet(SERVERS, segment(
                TUPLE.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1, NO_OPTIONS)).inPacket());
        interceptor.observe(new Packet(CLIENTS, segment(
                TUPLE, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1, NO_OPTIONS)).inPacket());

        awaitTracking();
        assertEquals(List.of("plain " + TUPLE), told.all());
        assertNothingWasSent();
    }

    @Test
    void aPacketWhoseDestinationIsBehindThePortItComesFromGoesNowhere() {
        Packet packet = new Packet(SERVERS, syn(TUPLE));
        interceptor.process(packet);

        assertTrue(packet.isHandled());
        assertNothingWasSent();
    }

    @Test
    void ofAConnectionThatGetsNoRulesFewPacketsAreForwarded() {
        for (int i = 0; i < PacketInterceptor.BURST; i++) {
            send(segment(TUPLE, Segment.ACK, i, 1, NO_OPTIONS));
            switches.next();
        }
        assertTrue(send(segment(TUPLE, Segment.ACK, -1, 1, NO_OPTIONS)).isHandled(), "nobody else is to forward it");
        assertNothingWasSent();
        assertEquals(1, bench.count(Counter.RELAY_LIMIT));
        assertTrue(told.all().contains("overflowed " + TUPLE + " at " + CLIENTS), "the switches take it from there");
        send(segment(NEXT, Segment.ACK, 1, 1, NO_OPTIONS));
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough(), "another connection has its own allowance");
        send(segment(TUPLE.reversed(), Segment.ACK, 1, 1, NO_OPTIONS));
        assertEquals(CLIENTS.deviceId(), switches.next().sendThrough(), "so has the other direction");

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < 2 * PacketInterceptor.PER_SECOND; i++) {
            send(segment(TUPLE, Segment.ACK, i, 1, NO_OPTIONS));
            if (i < PacketInterceptor.PER_SECOND) {
                switches.next();
            }
        }
        assertNothingWasSent();
        assertEquals(1 + PacketInterceptor.PER_SECOND, bench.count(Counter.RELAY_LIMIT));
    }

    /** To a switch, no fragment has ports, so no rule of a connection takes it. */
    @Test
    void fragmentsBetweenTwoHostsHaveOneAllowanceAndThenRulesOfTheirOwn() {
        FiveTuple withoutPorts = FiveTuple.of(TUPLE.source(), 0, TUPLE.destination(), 0);
        for (int i = 0; i <= PacketInterceptor.BURST; i++) {
            Ethernet fragment = segment(i % 2 == 0 ? TUPLE : NEXT, Segment.ACK, i, 1, NO_OPTIONS);
            ((IPv4) fragment.getPayload()).setFlags((byte) (i % 3 == 0 ? 1 : 0)).setFragmentOffset((short) (i % 3 == 0 ? 0 : 100));
            assertTrue(send(fragment).isHandled());
            if (i < PacketInterceptor.BURST) {
                assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
            }
        }
        assertNothingWasSent();
        assertEquals(1, bench.count(Counter.RELAY_LIMIT));
        assertEquals(0, bench.count(Counter.SEGMENTS_BAD_FLAGS), "they tell nothing");
        assertTrue(told.all().contains("overflowed " + withoutPorts + " at " + CLIENTS), told.all().toString());
        assertTrue(send(segment(TUPLE, Segment.ACK, 1, 1, NO_OPTIONS)).isHandled());
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough(), "whole segments have their own");
    }

    @Test
    void whatComesInElsewhereIsTakenByTheSwitchesThereButNeverASyn() {
        for (int i = 0; i <= PacketInterceptor.BURST; i++) {
            interceptor.process(new Packet(FARTHER, segment(TUPLE, Segment.ACK, i, 1, NO_OPTIONS)));
            interceptor.process(new Packet(FARTHER, syn(NEXT)));
        }
        assertEquals(2, bench.count(Counter.RELAY_LIMIT));
        assertEquals(List.of("overflowed " + TUPLE + " at " + FARTHER), told.all());
    }

    @Test
    void whatGoesToAnInterfaceIsLeftToItsApplicationAndSeenAllTheSame() {
        interfaces.add(2);
        for (Ethernet frame : List.of(syn(TUPLE), segment(TUPLE.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN,
                                                          Bench.CLIENT_ISN + 1, NO_OPTIONS),
                                      segment(TUPLE, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1, NO_OPTIONS))) {
            assertFalse(send(frame).isHandled());
        }
        awaitTracking();
        assertEquals(List.of("plain " + TUPLE), told.all());
        assertTrue(switches.sent.isEmpty());
    }

    @Test
    void whateverAPacketIsLikeItIsLeftToOthersOrForwarded() {
        interceptor.stop();
        start(bench.tracker, 5000);
        told.letsJoin = true;
        Random random = new Random(20260102);
        int handled = 0;
        for (int i = 0; i < 5000; i++) {
            byte[] octets = segment(NEXT, random.nextInt(64), random.nextInt(), random.nextInt(), options(random)).serialize();
            for (int change = random.nextInt(4); change > 0; change--) {
                octets[random.nextInt(octets.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = Arrays.copyOf(octets, random.nextInt(4) == 0 ? random.nextInt(octets.length) : octets.length);
            Packet packet = new Packet(CLIENTS, parsed(cut), cut);
            interceptor.process(packet);
            nanos.addAndGet(HeldSegments.NANOS);
            sources.age();
            if (packet.isHandled() && !isToTheClient(cut)) {
                assertArrayEquals(cut, switches.next().data().array());
                handled++;
            }
        }
        assertTrue(handled > 1000 && handled < 4900, handled + " were forwarded");
        assertNothingWasSent();
    }

    private static byte[] options(Random random) {
        byte[] options = new byte[4 * random.nextInt(11)];
        random.nextBytes(options);
        if (options.length > 1 && random.nextBoolean()) {
            options[0] = 30;
            options[1] = (byte) random.nextInt(options.length + 2);
        }
        return options;
    }

    /** As ONOS's southbound gives a frame to the interceptor: null if its classes make no sense of it. */
    private static Ethernet parsed(byte[] octets) {
        try {
            return Ethernet.deserializer().deserialize(octets, 0, octets.length);
        } catch (DeserializationException | RuntimeException e) {
            return null;
        }
    }

    private static boolean isToTheClient(byte[] octets) {
        return ByteBuffer.wrap(octets).getInt(30) == TUPLE.source().getIp4Address().toInt();
    }
}
