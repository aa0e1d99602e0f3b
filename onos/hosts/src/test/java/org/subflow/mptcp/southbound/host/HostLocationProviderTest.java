// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.southbound.host.HostFrames.arp;
import static org.subflow.mptcp.southbound.host.HostFrames.ip;
import static org.subflow.mptcp.southbound.host.HostFrames.mac;

import com.google.common.base.Ticker;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onlab.packet.ARP;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.subflow.mptcp.southbound.fixtures.Configured;
import org.subflow.mptcp.southbound.fixtures.Links;

/** Which packets make hosts, where hosts are believed to be, and when they are forgotten. */
class HostLocationProviderTest {
    private static final ConnectPoint EDGE = ConnectPoint.deviceConnectPoint("of:0000000000000001/1");
    private static final ConnectPoint OTHER_EDGE = ConnectPoint.deviceConnectPoint("of:0000000000000002/1");
    private static final ConnectPoint FAR = ConnectPoint.deviceConnectPoint("of:0000000000000003/1");
    private static final DeviceId SWITCH = EDGE.deviceId();
    private static final String H1 = mac(1);
    private static final String H1_FOUND = H1 + " at " + EDGE + " [10.0.0.1]";
    private static final String H1_GONE = H1 + " no longer at " + EDGE;

    private final Edge edge = new Edge();
    private long millis;
    private final HostLocationProvider provider = new HostLocationProvider(new Ticker() {
        @Override
        public long read() {
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }, Runnable::run);

    @BeforeEach
    void start() {
        edge.start(provider);
    }

    @Test
    void whoeverSendsArpIsAHostWithThatAddress() {
        receive(arp(1, "10.0.0.1"), EDGE);
        assertTold(H1_FOUND);
    }

    @Test
    void aHostIsToldOnceAndAgainWithItsNextAddress() {
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(ip(1, "10.0.0.1"), EDGE);
        receive(ip(1, "10.0.0.11"), EDGE);
        assertTold(H1_FOUND, H1 + " at " + EDGE + " [10.0.0.11]");
    }

    @Test
    void aHostThatIsConfiguredAtTwoPortsIsBelievedAtBothAlsoWhenOneWasLostAndNowhereElse() {
        edge.configured.put(HostId.hostId(MacAddress.valueOf(H1)), Set.of(new HostLocation(EDGE, 1), new HostLocation(OTHER_EDGE, 1)));
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(ip(1, "10.0.0.1"), OTHER_EDGE);
        assertTold(H1_FOUND);
        edge.switches.tell(DeviceEvent.Type.PORT_UPDATED, EDGE, false);
        receive(ip(1, "10.0.0.1"), OTHER_EDGE);
        edge.switches.tell(DeviceEvent.Type.PORT_UPDATED, EDGE, true);
        receive(ip(1, "10.0.0.1"), EDGE);
        receive(ip(1, "10.0.0.1"), FAR);
        assertEquals(List.of(H1_FOUND, H1_GONE, H1 + " at " + EDGE + " []"), edge.told);
        assertEquals(2, edge.hosts.getHost(HostId.hostId(MacAddress.valueOf(H1))).locations().size());
        assertEquals(1, edge.packets.sent.size(), "it is asked, because of the third port");
    }

    @Test
    void plainPacketsNeedBringNoAddress() {
        provider.modified(new Configured(Map.of(HostLocationProvider.ADDRESSES_FROM_IP, "false")));
        receive(ip(1, "10.0.0.1"), EDGE);
        receive(arp(1, "10.0.0.1"), EDGE);
        assertTold(H1 + " at " + EDGE + " []", H1_FOUND);
    }

    @Test
    void aPacketFromAnotherHostsAddressBringsNoAddress() {
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(ip(2, "10.0.0.1"), OTHER_EDGE);
        assertTold(H1_FOUND, mac(2) + " at " + OTHER_EDGE + " []");
    }

    @Test
    void anotherVlanMayHaveTheSameAddresses() {
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(ip(2, "10.0.0.1").setVlanID((short) 10), OTHER_EDGE);
        receive(ip(3, "10.0.0.1").setVlanID((short) 10), FAR);
        assertTold(H1_FOUND, mac(2) + " at " + OTHER_EDGE + " [10.0.0.1]", mac(3) + " at " + FAR + " []");
    }

    @Test
    void packetsBetweenSwitchesAndUnreadableOnesMakeNoHosts() {
        edge.links.add(Links.link(EDGE, FAR));
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(arp(1, "10.0.0.1"), new ConnectPoint(SWITCH, PortNumber.LOCAL));
        receive(null, OTHER_EDGE);
        assertTold();
    }

    @Test
    void aHostThatIsSilentAtItsPortAndGoesOnElsewhereHasMoved() {
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(ip(1, "10.0.0.1"), OTHER_EDGE);
        assertTold(H1_FOUND);
        millis += 1000;
        receive(ip(1, "10.0.0.1"), OTHER_EDGE);
        assertTold(H1_FOUND, H1 + " at " + OTHER_EDGE + " []");
    }

    @Test
    void aHostThatAnswersAtItsPortDoesNotMove() {
        receive(arp(1, "10.0.0.1"), EDGE);
        for (int frame = 0; frame < 100; frame++) {
            int asked = edge.packets.sent.size();
            receive(arp(1, "10.0.0.1"), OTHER_EDGE);
            millis += 100;
            if (edge.packets.sent.size() > asked) {
                receive(arp(1, "10.0.0.1"), EDGE);
            }
        }
        assertTold(H1_FOUND);
        assertEquals(5, edge.packets.sent.size(), "a flood makes few questions");
    }

    @Test
    void aBusyHostIsLookedUpOnceInAWhile() {
        receive(arp(1, "10.0.0.1"), EDGE);
        edge.lookups = 0;
        for (int frame = 0; frame < 100; frame++) {
            receive(ip(1, "10.0.0.1"), EDGE);
        }
        assertEquals(1, edge.lookups);
        millis += FamiliarFrames.MILLIS;
        receive(ip(1, "10.0.0.1"), EDGE);
        assertEquals(2, edge.lookups);
        receive(ip(1, "10.0.0.11"), EDGE);
        receive(ip(1, "10.0.0.1"), OTHER_EDGE);
        assertEquals(6, edge.lookups, "another address, another port: once more beside the thread that brings it");
    }

    @Test
    void aBusyHostDoesNotMove() {
        receive(arp(1, "10.0.0.1"), EDGE);
        for (int frame = 0; frame < 100; frame++) {
            receive(ip(1, "10.0.0.1"), EDGE);
            receive(ip(1, "10.0.0.1"), OTHER_EDGE);
            millis += 40;
        }
        assertTold(H1_FOUND);
    }

    @Test
    void aBusyHostIsFoundAgainAfterItsPortWasDown() {
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(ip(1, "10.0.0.1"), EDGE);
        edge.switches.tell(DeviceEvent.Type.PORT_UPDATED, EDGE, false);
        receive(ip(1, "10.0.0.1"), EDGE);
        assertTold(H1_FOUND, H1_GONE, H1_FOUND);
    }

    @Test
    void theHostIsAskedAtItsPort() throws DeserializationException {
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(ip(1, "10.0.0.1"), OTHER_EDGE);
        OutboundPacket probe = edge.packets.sent.get(0);
        assertEquals(SWITCH, probe.sendThrough());
        assertEquals(DefaultTrafficTreatment.builder().setOutput(EDGE.port()).build(), probe.treatment());
        byte[] octets = probe.data().array();
        ARP question = (ARP) Ethernet.deserializer().deserialize(octets, 0, octets.length).getPayload();
        assertArrayEquals(Ip4Address.valueOf("10.0.0.1").toOctets(), question.getTargetProtocolAddress());
        assertEquals(ARP.OP_REQUEST, question.getOpCode());
    }

    @Test
    void onlyTheProviderSeesTheAnswer() {
        receive(arp(1, "10.0.0.1"), EDGE);
        assertFalse(receive(ip(1, "10.0.0.1"), EDGE).isHandled());
        Ethernet answer = arp(1, "10.0.0.1");
        answer.setDestinationMACAddress(LocationProbe.SENDER);
        assertTrue(receive(answer, EDGE).isHandled());
    }

    @Test
    void aHostDoesNotMoveToAPortWhoseLinkMayJustBeComing() {
        receive(arp(1, "10.0.0.1"), EDGE);
        edge.switches.tell(DeviceEvent.Type.PORT_UPDATED, OTHER_EDGE, true);
        receive(ip(1, "10.0.0.1"), OTHER_EDGE);
        edge.switches.tell(DeviceEvent.Type.PORT_ADDED, FAR, true);
        receive(ip(1, "10.0.0.1"), FAR);
        assertTold(H1_FOUND);
    }

    @Test
    void aHostDoesNotMoveToAPortWhoseLinkHasJustBeenLost() {
        receive(arp(1, "10.0.0.1"), EDGE);
        edge.links.remove(Links.link(OTHER_EDGE, FAR));
        receive(ip(1, "10.0.0.1"), OTHER_EDGE);
        receive(ip(1, "10.0.0.1"), FAR);
        assertTold(H1_FOUND);
    }

    @Test
    void aHostWhosePortIsDownMovesAnywhere() {
        provider.modified(new Configured(Map.of(HostLocationProvider.HOST_REMOVAL, "false")));
        receive(arp(1, "10.0.0.1"), EDGE);
        edge.switches.tell(DeviceEvent.Type.PORT_UPDATED, OTHER_EDGE, true);
        edge.switches.tell(DeviceEvent.Type.PORT_UPDATED, EDGE, false);
        receive(ip(1, "10.0.0.1"), OTHER_EDGE);
        assertTold(H1_FOUND, H1 + " at " + OTHER_EDGE + " []");
    }

    @Test
    void aFloodOfInventedSendersMakesAFewHosts() {
        for (int i = 1; i <= 100; i++) {
            receive(ip(i, "10.0.1." + i), EDGE);
        }
        assertEquals(LearningLimits.MOST_UNDECLARED_HOSTS, edge.told.size());
        assertEquals(LearningLimits.MOST_UNDECLARED_HOSTS + 1, edge.counts, "a full port is not counted each time");
        receive(arp(200, "10.0.2.1"), EDGE);
        receive(ip(201, "10.0.2.2"), OTHER_EDGE);
        assertEquals(LearningLimits.MOST_UNDECLARED_HOSTS + 2, edge.told.size(), "who declares itself still appears");
    }

    @Test
    void aFloodOfArpMakesNotManyMore() {
        for (int i = 0; i < 1000; i++) {
            receive(arp(i, "10.1." + i / 250 + "." + i % 250), EDGE);
            millis += 10;
        }
        assertEquals(LearningLimits.MOST_DECLARED_HOSTS, edge.told.size());
        assertEquals(LearningLimits.MOST_DECLARED_HOSTS + 1, edge.counts);
        receive(ip(2000, "10.9.0.1"), EDGE);
        assertEquals(LearningLimits.MOST_DECLARED_HOSTS, edge.told.size());
        receive(arp(1, "10.9.0.1"), EDGE);
        assertEquals(LearningLimits.MOST_DECLARED_HOSTS + 1, edge.told.size(), "known hosts go on");
    }

    @Test
    void nobodyWaitsUntilAHostIsWrittenDown() {
        Queue<Runnable> later = new ArrayDeque<>();
        HostLocationProvider slow = new HostLocationProvider(Ticker.systemTicker(), later::add);
        edge.packets.processors.clear();
        edge.start(slow);
        receive(arp(1, "10.0.0.1"), EDGE);
        assertTold();
        later.remove().run();
        assertTold(H1_FOUND);
    }

    @Test
    void whatComesBeforeAHostIsWrittenDownCountsAsUse() {
        Queue<Runnable> later = new ArrayDeque<>();
        HostLocationProvider slow = new HostLocationProvider(Ticker.systemTicker(), later::add);
        edge.packets.processors.clear();
        edge.start(slow);
        slow.modified(new Configured(Map.of(HostLocationProvider.MOST_ADDRESSES, "2")));
        for (Ethernet frame : List.of(arp(1, "10.0.0.1"), ip(1, "10.0.0.1"), arp(1, "10.1.0.1"), arp(1, "10.1.0.2"))) {
            receive(frame, EDGE);
        }
        later.forEach(Runnable::run);
        assertEquals(Set.of(IpAddress.valueOf("10.0.0.1"), IpAddress.valueOf("10.1.0.2")),
                edge.hosts.getHost(HostId.hostId(MacAddress.valueOf(H1))).ipAddresses());
    }

    @Test
    void aHostHasAsManyAddressesAsTheSettingSaysAndKeepsThatWhichItUses() {
        provider.modified(new Configured(Map.of(HostLocationProvider.MOST_ADDRESSES, "2")));
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(ip(1, "10.0.0.1"), EDGE);
        for (int i = 1; i <= 50; i++) {
            receive(arp(1, "10.1.0." + i), EDGE);
        }
        assertEquals(Set.of(IpAddress.valueOf("10.0.0.1"), IpAddress.valueOf("10.1.0.50")),
                edge.hosts.getHost(HostId.hostId(MacAddress.valueOf(H1))).ipAddresses());
    }

    @Test
    void whereALinkTurnsUpThereIsNoHost() {
        receive(arp(1, "10.0.0.1"), EDGE);
        receive(arp(2, "10.0.0.2"), new ConnectPoint(SWITCH, PortNumber.portNumber(2)));
        edge.links.add(Links.link(FAR, EDGE));
        assertEquals(H1_GONE, edge.told.get(edge.told.size() - 1));
        assertEquals(3, edge.told.size(), "the neighbour stays");
    }

    @ParameterizedTest
    @EnumSource(value = DeviceEvent.Type.class, names = {"DEVICE_REMOVED", "DEVICE_SUSPENDED"})
    void hostsGoWithTheirSwitch(DeviceEvent.Type type) {
        receive(arp(1, "10.0.0.1"), EDGE);
        edge.switches.tell(type, FAR.deviceId());
        edge.switches.tell(type, SWITCH);
        assertTold(H1_FOUND, H1_GONE);
    }

    @Test
    void hostsGoWithASwitchThatIsNoLongerAvailable() {
        receive(arp(1, "10.0.0.1"), EDGE);
        edge.switches.tell(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, SWITCH);
        assertTold(H1_FOUND);
        edge.switches.unavailable.add(SWITCH);
        edge.switches.tell(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, SWITCH);
        assertTold(H1_FOUND, H1_GONE);
    }

    @ParameterizedTest
    @EnumSource(value = DeviceEvent.Type.class, names = {"PORT_UPDATED", "PORT_REMOVED"})
    void hostsGoWithTheirPort(DeviceEvent.Type type) {
        receive(arp(1, "10.0.0.1"), EDGE);
        edge.switches.tell(DeviceEvent.Type.PORT_UPDATED, EDGE, true);
        edge.switches.tell(type, new ConnectPoint(SWITCH, PortNumber.portNumber(2)), false);
        assertTold(H1_FOUND);
        edge.switches.tell(type, EDGE, false);
        assertTold(H1_FOUND, H1_GONE);
    }

    @Test
    void hostsStayIfTheOperatorSaysSo() {
        provider.modified(new Configured(Map.of(HostLocationProvider.HOST_REMOVAL, "false")));
        receive(arp(1, "10.0.0.1"), EDGE);
        edge.switches.tell(DeviceEvent.Type.DEVICE_REMOVED, SWITCH);
        edge.switches.tell(DeviceEvent.Type.PORT_REMOVED, EDGE, false);
        assertTold(H1_FOUND);
    }

    @Test
    void arpAndNeighbourDiscoveryAreAskedForAsConfigured() {
        assertEquals(1, edge.packets.requested.size(), "ARP, as on a stock ONOS");
        provider.modified(new Configured(Map.of(HostLocationProvider.REQUEST_NDP, "true")));
        assertEquals(3, edge.packets.requested.size(), "ARP, solicitations and advertisements");
        provider.modified(new Configured(Map.of(HostLocationProvider.REQUEST_NDP, "false")));
        assertEquals(1, edge.packets.requested.size());
        provider.modified(new Configured(Map.of(HostLocationProvider.REQUEST_ARP, "false", HostLocationProvider.REQUEST_NDP, "true")));
        assertEquals(2, edge.packets.requested.size());
    }

    @Test
    void onceStoppedItLeavesNothingBehind() {
        assertEquals(Set.of(provider), edge.core.registered);
        provider.deactivate();
        assertEquals(Set.of(), edge.core.registered);
        assertEquals(Set.of(), edge.packets.requested);
        assertEquals(Set.of(), edge.packets.processors);
        assertEquals(Set.of(), edge.switches.listeners);
        assertEquals(Set.of(), edge.links.listeners);
    }

    private void assertTold(String... lines) {
        assertEquals(List.of(lines), edge.told);
    }

    private PacketContext receive(Ethernet frame, ConnectPoint at) {
        PacketContext context = new DefaultPacketContext(
                0, new DefaultInboundPacket(at, frame, ByteBuffer.allocate(0)), null, false) {
            @Override
            public void send() {
                throw new UnsupportedOperationException();
            }
        };
        edge.packets.processors.forEach(processor -> processor.process(context));
        return context;
    }
}
