// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.ARP;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.host.HostEvent;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketProcessor;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Bench;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.topology.KnownHosts;
import org.subflow.mptcp.topology.Nets;

/** Segments of hosts that are not, or not yet, attached where the segments come in. */
class SourceCheckTest extends InterceptorScenario {
    private static final byte[] CAPABLE = options(Bench.capableSyn(MptcpVersion.V1, 0));
    private static final byte[] ANSWER = options(Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY));
    private static final byte[] KEYS = options(Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY));
    private static final ConnectPoint FORGERS = Nets.edge(3);
    private static final int FORGER = 3;
    private static final int SYN_ACK = Segment.SYN | Segment.ACK;

    private final Host forger = hosts.attach(IpAddress.valueOf("10.0.0.3"), FORGER, VlanId.NONE, FORGERS);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onePortForgesNoHandshakeBetweenOthersByCopies(boolean withItsOwnMac) {
        copying.add(FORGERS.deviceId());
        interceptor.processCopy(forged(segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, CAPABLE), withItsOwnMac));
        interceptor.processCopy(forged(segment(TUPLE.reversed(), SYN_ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1, ANSWER),
                                       withItsOwnMac));
        judge();
        assertEquals(0, bench.count(Counter.COPIES));
        assertEquals(2, bench.count(Counter.SPOOFED));
        assertEquals(Map.of("spoofed." + FORGERS, 2L), sources.spoofedByPort());
        assertEquals(List.of(), told.all());
    }

    @Test
    void norByPacketsThatTheControllerForwards() {
        sendForged(segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, CAPABLE));
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough(), "plain forwarding goes on");
        sendForged(segment(TUPLE.reversed(), SYN_ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1, ANSWER));
        assertEquals(CLIENTS.deviceId(), switches.next().sendThrough());
        sendForged(segment(TUPLE, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1, KEYS));
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
        judge();
        assertEquals(0, bench.count(Counter.SEGMENTS));
        assertEquals(3, bench.count(Counter.SPOOFED));
        assertEquals(List.of(), told.all());
        assertNull(switches.sent.poll(), "once each");
    }

    @Test
    void norByDivertedSyns() {
        interceptor.processDiverted(forged(syn(TUPLE), true));
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
        judge();
        assertEquals(0, bench.count(Counter.SEGMENTS));
        assertEquals(1, bench.count(Counter.SPOOFED));
    }

    @Test
    void norByPacketsThatNobodyForwards() {
        copying.add(FORGERS.deviceId());
        Packet packet = forged(syn(TUPLE), true);
        for (PacketProcessor processor : switches.processors) {
            if (processor != interceptor) {
                processor.process(packet);
            }
        }
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
        judge();
        assertEquals(List.of(), told.all());
        assertEquals(1, bench.count(Counter.SPOOFED));
    }

    @Test
    void twoForgedSegmentsThatFitAreNoConnectionInItsMidst() {
        sendForged(segment(TUPLE, Segment.ACK, 100, 200, NO_OPTIONS));
        sendForged(segment(TUPLE.reversed(), Segment.ACK, 200, 100, NO_OPTIONS));
        judge();
        assertEquals(0, bench.count(Counter.MIDSTREAM));
        assertEquals(List.of(), told.all());
    }

    @Test
    void aPacketThatTheApplicationWaitsForWakesNothingIfForged() {
        copying.add(FORGERS.deviceId());
        told.awaits = true;
        Packet packet = forged(segment(TUPLE, Segment.ACK, 100, 200, NO_OPTIONS), true);
        interceptor.process(packet);
        assertFalse(packet.isHandled(), "others forward it, with rules");
        judge();
        assertEquals(List.of(), told.all());
        assertTrue(told.counted.isEmpty());
        assertEquals(1, bench.count(Counter.SPOOFED));
    }

    @Test
    void aForgedEndIsNone() {
        interceptor.processCopy(forged(segment(TUPLE, Segment.RST, 1, 0, NO_OPTIONS), true));
        interceptor.processCopy(forged(segment(TUPLE.reversed(), Segment.FIN | Segment.ACK, 1, 1, NO_OPTIONS), false));
        judge();
        assertEquals(List.of(), told.all());
        interceptor.processCopy(new Packet(CLIENTS, segment(TUPLE, Segment.RST, 1, 0, NO_OPTIONS)));
        awaitTracking();
        assertEquals(List.of("ended " + TUPLE), told.all(), "the host's own");
    }

    @Test
    void aForgedFrameDoesNotSayWhichOfSeveralHostsIsMeant() {
        IpAddress twice = IpAddress.valueOf("10.0.0.9");
        hosts.attach(twice, 9, VlanId.NONE, SERVERS);
        hosts.attach(twice, 10, VlanId.NONE, FORGERS);
        FiveTuple tuple = FiveTuple.of(twice, 1, TUPLE.destination(), 5201);
        interceptor.process(new Packet(FORGERS, from(9, syn(tuple))));
        judge();
        assertEquals(1, bench.count(Counter.SPOOFED));
        Ethernet own = from(9, syn(FiveTuple.of(twice, 1, TUPLE.source(), 5201)));
        own.setDestinationMACAddress(MacAddress.valueOf(1));
        interceptor.process(new Packet(SERVERS, own));
        judge();
        assertEquals(1, bench.count(Counter.SEGMENTS), "an address known twice counts where its frame's host is");
    }

    @Test
    void allPortsOfAHostCount() {
        FiveTuple tuple = Bench.tuple("10.0.0.8", 1);
        hosts.attach(tuple.source(), 8, VlanId.NONE, CLIENTS, FORGERS);
        for (ConnectPoint port : List.of(CLIENTS, FORGERS)) {
            interceptor.process(new Packet(port, from(8, syn(tuple))));
            assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
            assertEquals(Optional.of(port), attachments.port(tuple.between(
                    KnownHosts.id(8, VlanId.NONE), KnownHosts.id(2, VlanId.NONE))), "its end is where it came in");
        }
        assertEquals(2, bench.count(Counter.SEGMENTS));
    }

    @Test
    void anUnknownAddressCountsBehindARoutersPortOnly() {
        FiveTuple far = Bench.tuple("203.0.113.7", 1);
        interceptor.process(new Packet(FORGERS, from(FORGER, syn(far))));
        awaitTracking();
        assertEquals(1, bench.count(Counter.SEGMENTS));
        interceptor.process(new Packet(FORGERS, from(1, syn(far))));
        judge();
        assertEquals(1, bench.count(Counter.SEGMENTS));
        assertEquals(1, bench.count(Counter.SPOOFED));
    }

    @Test
    void aNewHostsFirstSegmentWaitsForTheHostsEvent() {
        FiveTuple tuple = Bench.tuple("10.0.0.8", 1);
        Packet packet = new Packet(FORGERS, from(8, syn(tuple)));
        interceptor.process(packet);
        assertTrue(packet.isHandled());
        assertEquals(1, sources.held());
        assertTrue(switches.sent.isEmpty(), "its answer must not overtake it");
        sources.event(new HostEvent(HostEvent.Type.HOST_ADDED, hosts.attach(tuple.source(), 8, VlanId.NONE, FORGERS)));
        assertArrayEquals(packet.octets, switches.next().data().array());
        assertEquals(1, bench.count(Counter.SEGMENTS));
        judge();
        assertEquals(0, bench.count(Counter.SPOOFED));
        assertNull(switches.sent.poll());
    }

    /** ONOS itself learns hosts from ARP alone, and a host that knows its peers says nothing more of itself. */
    @Test
    void aNewHostIsAskedForItsAddressOnce() {
        FiveTuple tuple = Bench.tuple("10.0.0.8", 1);
        interceptor.process(new Packet(FORGERS, from(8, syn(tuple))));
        interceptor.process(new Packet(FORGERS, from(8, syn(Bench.tuple("10.0.0.8", 2)))));
        OutboundPacket sent = questions.next();
        assertNull(questions.sent.poll(), "one question for all its segments that wait");
        assertEquals(FORGERS.deviceId(), sent.sendThrough());
        assertEquals(List.of(Instructions.createOutput(FORGERS.port())), sent.treatment().allInstructions());
        Ethernet frame = frame(sent);
        assertEquals(MacAddress.valueOf(8), frame.getDestinationMAC());
        assertEquals(Ethernet.VLAN_UNTAGGED, frame.getVlanID());
        ARP probe = (ARP) frame.getPayload();
        assertEquals(ARP.OP_REQUEST, probe.getOpCode());
        assertArrayEquals(tuple.source().toOctets(), probe.getTargetProtocolAddress());
        assertArrayEquals(new byte[4], probe.getSenderProtocolAddress(), "no cache learns from a probe");
        judge();
        interceptor.process(new Packet(FORGERS, from(8, syn(tuple))));
        assertFalse(questions.sent.isEmpty(), "it may not have answered");
    }

    @Test
    void whoIsKnownElsewhereIsNotAsked() {
        sendForged(segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, CAPABLE));
        assertTrue(questions.sent.isEmpty());
    }

    private static Ethernet frame(OutboundPacket sent) {
        byte[] octets = sent.data().array();
        try {
            return Ethernet.deserializer().deserialize(octets, 0, octets.length);
        } catch (DeserializationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void withoutAnEventItIsForwardedAllTheSame() {
        Packet packet = new Packet(FORGERS, from(8, syn(Bench.tuple("10.0.0.8", 1))));
        interceptor.process(packet);
        sources.age();
        assertTrue(switches.sent.isEmpty());
        judge();
        assertArrayEquals(packet.octets, switches.next().data().array());
        assertEquals(1, bench.count(Counter.SPOOFED));
        assertEquals(0, bench.count(Counter.SEGMENTS));
    }

    @Test
    void aHostThatHasJustMovedGoesOn() {
        interceptor.processCopy(new Packet(FORGERS, segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, CAPABLE)));
        hosts.known.remove(TUPLE.source());
        Host moved = hosts.attach(TUPLE.source(), 1, VlanId.NONE, FORGERS);
        sources.event(new HostEvent(HostEvent.Type.HOST_MOVED, moved));
        interceptor.processCopy(new Packet(SERVERS, segment(TUPLE.reversed(), SYN_ACK, Bench.SERVER_ISN,
                                                            Bench.CLIENT_ISN + 1, ANSWER)));
        awaitTracking();
        assertEquals(List.of("capable " + TUPLE), told.all());
        assertEquals(0, sources.held());
    }

    @Test
    void oneWhoseEventWasMissedCountsWhenItsTimeIsUp() {
        interceptor.processCopy(new Packet(FORGERS, segment(TUPLE, Segment.RST, 1, 0, NO_OPTIONS)));
        hosts.known.remove(TUPLE.source());
        hosts.attach(TUPLE.source(), 1, VlanId.NONE, FORGERS);
        judge();
        assertEquals(List.of("ended " + TUPLE), told.all());
    }

    @Test
    void aFloodFromOnePortLeavesRoomForTheOthers() {
        for (int i = 0; i < 5000; i++) {
            interceptor.processCopy(forged(syn(TUPLE), true));
        }
        assertEquals(HeldSegments.MOST_OF_A_PORT, sources.held());
        assertEquals(5000 - HeldSegments.MOST_OF_A_PORT, bench.count(Counter.SPOOFED));
        interceptor.processCopy(new Packet(SERVERS, from(8, syn(Bench.tuple("10.0.0.8", 1)))));
        assertEquals(HeldSegments.MOST_OF_A_PORT + 1, sources.held());
        judge();
        assertEquals(0, sources.held());
        assertEquals(5001, bench.count(Counter.SPOOFED));
    }

    @Test
    void whatComesInBetweenSwitchesIsSomebodyElsesCopy() {
        links.addAll(Nets.diamondLinks());
        linkPorts.start();
        interceptor.processCopy(new Packet(Nets.port(2, 1), segment(TUPLE, Segment.RST, 1, 0, NO_OPTIONS)));
        copying.add(Nets.device(2));
        told.awaits = true;
        interceptor.process(new Packet(Nets.port(2, 1), segment(TUPLE, Segment.ACK, 1, 1, NO_OPTIONS)));
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
        judge();
        assertEquals(List.of(), told.all());
        assertEquals(0, bench.count(Counter.SPOOFED));
    }

    @Test
    void butWhereEverySwitchShowsAllItHasLostItsRule() {
        links.addAll(Nets.diamondLinks());
        linkPorts.start();
        interceptor.process(new Packet(Nets.port(2, 1), segment(TUPLE, Segment.ACK, 1, 1, NO_OPTIONS)));
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
        awaitTracking();
        assertEquals(List.of("midstream " + TUPLE + " false"), told.all());
        interceptor.process(new Packet(Nets.port(2, 1), syn(TUPLE)));
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
        awaitTracking();
        assertEquals(1, bench.count(Counter.SEGMENTS), "no rule lets a SYN in");
    }

    @Test
    void aLinkThatIsFoundMeanwhileExplainsIt() {
        interceptor.processCopy(new Packet(Nets.port(2, 1), segment(TUPLE, Segment.RST, 1, 0, NO_OPTIONS)));
        links.addAll(Nets.diamondLinks());
        linkPorts.start();
        judge();
        assertEquals(0, bench.count(Counter.SPOOFED));
        assertEquals(List.of(), told.all());
    }

    @Test
    void theForgersOwnConnectionsGoOn() {
        FiveTuple own = FiveTuple.of(forger.ipAddresses().iterator().next(), 1, TUPLE.destination(), 5201);
        interceptor.process(new Packet(FORGERS, from(FORGER, syn(own))));
        switches.next();
        assertEquals(1, bench.count(Counter.SEGMENTS));
        assertEquals(Set.of(), sources.spoofedByPort().keySet());
    }

    /** Lets the time pass for which segments are held back. */
    private void judge() {
        nanos.addAndGet(HeldSegments.NANOS);
        sources.age();
        awaitTracking();
    }

    private void sendForged(Ethernet frame) {
        interceptor.process(forged(frame, true));
    }

    private static Packet forged(Ethernet frame, boolean withItsOwnMac) {
        return new Packet(FORGERS, withItsOwnMac ? from(FORGER, frame) : frame);
    }

    private static Ethernet from(int mac, Ethernet frame) {
        frame.setSourceMACAddress(MacAddress.valueOf(mac));
        return frame;
    }
}
