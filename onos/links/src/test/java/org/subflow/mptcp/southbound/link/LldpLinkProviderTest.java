// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.ChassisId;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.cluster.ClusterMetadata;
import org.onosproject.cluster.ClusterMetadataServiceAdapter;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketContextAdapter;
import org.subflow.mptcp.southbound.fixtures.Configured;

/** Probes on their way from switch to switch, and the links that come and go with them. */
class LldpLinkProviderTest {
    private static final String SECRET = "secret";
    private static final DeviceId S1 = DeviceId.deviceId("of:0000000000000001");
    private static final DeviceId S2 = DeviceId.deviceId("of:0000000000000002");
    /** A switch that another node is master of. */
    private static final DeviceId FOREIGN = DeviceId.deviceId("of:0000000000000003");
    private static final ConnectPoint S1_1 = point(S1, 1);
    private static final ConnectPoint S2_1 = point(S2, 1);
    private static final int HOUR = 3_600_000;
    private static final int SHORTEST = 100;

    private final Wiring wiring = new Wiring();
    private final LldpLinkProvider provider = new LldpLinkProvider();
    private boolean active;

    @BeforeEach
    void connect() {
        wiring.switches.add(S1);
        wiring.switches.add(S2);
        wiring.switches.set(S1_1, true);
        wiring.switches.set(S2_1, true);
    }

    @AfterEach
    void stop() {
        if (active) {
            active = false;
            provider.deactivate();
        }
    }

    @Test
    void probesGoOutOfEveryPhysicalPortThatIsUp() {
        wiring.switches.set(point(S1, 2), false);
        wiring.switches.set(new ConnectPoint(S1, PortNumber.LOCAL), true);
        wiring.switches.add(FOREIGN);
        wiring.switches.set(point(FOREIGN, 1), true);
        start(SHORTEST, HOUR);
        for (int i = 0; i < 6; i++) {
            ConnectPoint port = port(wiring.packets.next());
            assertTrue(Set.of(S1_1, S2_1).contains(port), port + " was probed");
        }
    }

    @Test
    void whereAProbeComesInThereIsALink() throws DeserializationException {
        start(HOUR, HOUR);
        OutboundPacket probe = probeOf(S1_1);
        PacketContext context = receive(probe.data(), S2_1);
        assertEquals("detected " + S1_1 + " > " + S2_1, wiring.links.next());
        assertTrue(context.isHandled(), "probes concern nobody else");
    }

    @Test
    void onosIsNotToldAgainOfALinkThatItKnowsToBeUp() throws DeserializationException {
        start(HOUR, HOUR);
        OutboundPacket probe = probeOf(S1_1);
        wiring.links.know(S1_1, S2_1, Link.State.ACTIVE, Link.Type.DIRECT);
        assertTrue(receive(probe.data(), S2_1).isHandled());
        assertTrue(wiring.links.told.isEmpty(), wiring.links.told::toString);
    }

    @ParameterizedTest
    @CsvSource({"INACTIVE, DIRECT", "ACTIVE, INDIRECT"})
    void onosIsToldOfALinkThatItKnowsOtherwise(Link.State state, Link.Type type) throws DeserializationException {
        start(HOUR, HOUR);
        OutboundPacket probe = probeOf(S1_1);
        wiring.links.know(S1_1, S2_1, state, type);
        receive(probe.data(), S2_1);
        assertEquals("detected " + S1_1 + " > " + S2_1, wiring.links.next());
    }

    @Test
    void aProbeThatWasUnderWayWhenAPortWentDownIsNoLink() throws DeserializationException {
        start(HOUR, HOUR);
        OutboundPacket probe = probeOf(S1_1);
        wiring.switches.set(S1_1, false);
        receive(probe.data(), S2_1);
        wiring.switches.set(S1_1, true);
        wiring.switches.setAvailable(S2, false);
        receive(probe.data(), S2_1);
        assertTrue(wiring.links.told.isEmpty(), wiring.links.told::toString);
    }

    @Test
    void whatIsNoProbeOfOursIsLeftToOthers() throws DeserializationException {
        start(HOUR, HOUR);
        ByteBuffer forged = LinkProbe.encode(S1_1, new ChassisId(1), "another secret");
        assertFalse(receive(forged, S2_1).isHandled());
        Ethernet arp = new Ethernet();
        arp.setEtherType(Ethernet.TYPE_ARP);
        assertFalse(process(new PacketContextAdapter(0, new DefaultInboundPacket(S2_1, arp, forged), null, false))
                .isHandled());
        assertFalse(process(new PacketContextAdapter(0, new DefaultInboundPacket(S2_1, null, forged), null, false))
                .isHandled());
        assertTrue(wiring.links.told.isEmpty(), wiring.links.told::toString);
    }

    @Test
    void aProbeThatAnotherApplicationHasHandledIsNoLink() throws DeserializationException {
        start(HOUR, HOUR);
        OutboundPacket probe = probeOf(S1_1);
        process(new PacketContextAdapter(0, new DefaultInboundPacket(S2_1, frame(probe.data()), probe.data()), null, true));
        assertTrue(wiring.links.told.isEmpty(), wiring.links.told::toString);
    }

    @Test
    void linksGoWithTheirPort() {
        start(HOUR, HOUR);
        wiring.switches.set(S1_1, false);
        wiring.switches.tell(DeviceEvent.Type.PORT_UPDATED, S1_1);
        assertEquals("vanished at " + S1_1, wiring.links.next());
        wiring.switches.tell(DeviceEvent.Type.PORT_REMOVED, S2_1);
        assertEquals("vanished at " + S2_1, wiring.links.next());
    }

    @ParameterizedTest
    @EnumSource(value = DeviceEvent.Type.class, names = {"DEVICE_REMOVED", "DEVICE_SUSPENDED"})
    void linksGoWithTheirSwitch(DeviceEvent.Type type) {
        start(HOUR, HOUR);
        wiring.switches.tell(type, S1);
        assertEquals("vanished at " + S1, wiring.links.next());
    }

    @Test
    void linksGoWithASwitchThatIsNoLongerAvailable() {
        start(HOUR, HOUR);
        wiring.switches.setAvailable(S1, false);
        wiring.switches.tell(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, S1);
        assertEquals("vanished at " + S1, wiring.links.next());
    }

    @Test
    void aPortThatComesUpIsProbedAtOnceAndTwiceMore() {
        ConnectPoint late = point(S2, 2);
        wiring.switches.set(late, false);
        start(HOUR, HOUR);
        wiring.switches.set(late, true);
        wiring.switches.tell(DeviceEvent.Type.PORT_UPDATED, late);
        for (int i = 0; i < 3; i++) {
            probeOf(late);
        }
    }

    @Test
    void theWholeSwitchIsProbedWhenItComes() {
        start(HOUR, HOUR);
        probeOf(S1_1);
        wiring.switches.tell(DeviceEvent.Type.DEVICE_ADDED, S1);
        probeOf(S1_1);
    }

    /** The shortest age that an operator can ask for must not keep links for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2 * SHORTEST, 10 * SHORTEST})
    void aLinkWithoutProbesVanishes(int age) throws DeserializationException {
        start(SHORTEST, age);
        receive(probeOf(S1_1).data(), S2_1);
        assertEquals("detected " + S1_1 + " > " + S2_1, wiring.links.next());
        assertEquals("vanished " + S1_1 + " > " + S2_1, wiring.links.next());
    }

    /** Another node is master of the switch by now, so the probes come to that one. */
    @Test
    void aLinkToASwitchOfAnotherNodeDoesNotVanishHere() throws DeserializationException {
        ConnectPoint foreign = point(FOREIGN, 1);
        wiring.switches.add(FOREIGN);
        wiring.switches.set(foreign, true);
        start(SHORTEST, 10 * SHORTEST);
        receive(LinkProbe.encode(S1_1, new ChassisId(1), SECRET), foreign);
        receive(LinkProbe.encode(S1_1, new ChassisId(1), SECRET), S2_1);
        assertEquals("detected " + S1_1 + " > " + foreign, wiring.links.next());
        assertEquals("detected " + S1_1 + " > " + S2_1, wiring.links.next());
        // The younger one goes, so the elder one would have gone.
        assertEquals("vanished " + S1_1 + " > " + S2_1, wiring.links.next());
        assertTrue(wiring.links.told.isEmpty(), wiring.links.told::toString);
    }

    @Test
    void aLinkThatWentWithItsPortDoesNotVanishAgain() throws DeserializationException {
        start(SHORTEST, 10 * SHORTEST);
        receive(probeOf(S1_1).data(), S2_1);
        receive(probeOf(S2_1).data(), S1_1);
        wiring.switches.tell(DeviceEvent.Type.PORT_REMOVED, S1_1);
        assertEquals("detected " + S1_1 + " > " + S2_1, wiring.links.next());
        assertEquals("detected " + S2_1 + " > " + S1_1, wiring.links.next());
        assertEquals("vanished at " + S1_1, wiring.links.next());
        // A third link is older by then than the two would be.
        ConnectPoint other = point(S2, 2);
        wiring.switches.set(other, true);
        receive(LinkProbe.encode(other, new ChassisId(1), SECRET), S1_1);
        assertEquals("detected " + other + " > " + S1_1, wiring.links.next());
        assertEquals("vanished " + other + " > " + S1_1, wiring.links.next());
    }

    @Test
    void aRoundThatFailsIsFollowedByTheNext() {
        wiring.switches.failsOnce = true;
        start(SHORTEST, HOUR);
        probeOf(S1_1);
        assertFalse(wiring.switches.failsOnce);
    }

    @Test
    void onceStoppedItLeavesNothingBehind() {
        start(HOUR, HOUR);
        assertEquals(Set.of(provider), wiring.links.registered);
        assertEquals(Set.of(DefaultTrafficSelector.builder().matchEthType(Ethernet.TYPE_LLDP).build()),
                wiring.packets.requested);
        stop();
        assertEquals(Set.of("vanished at " + S1, "vanished at " + S2), Set.copyOf(wiring.links.told));
        assertEquals(Set.of(), wiring.links.registered);
        assertEquals(Set.of(), wiring.packets.requested);
        assertEquals(Set.of(), wiring.packets.processors);
        assertEquals(Set.of(), wiring.switches.listeners);
    }

    private void start(int probeRate, int staleLinkAge) {
        provider.providerRegistry = wiring.links;
        provider.deviceService = wiring.switches;
        provider.linkService = wiring.links;
        provider.packetService = wiring.packets;
        provider.mastershipService = new MastershipServiceAdapter() {
            @Override
            public MastershipRole getLocalRole(DeviceId device) {
                return device.equals(FOREIGN) ? MastershipRole.STANDBY : MastershipRole.MASTER;
            }
        };
        provider.coreService = new CoreServiceAdapter() {
            @Override
            public ApplicationId registerApplication(String name) {
                return new DefaultApplicationId(1, name);
            }
        };
        provider.cfgService = new ComponentConfigAdapter();
        provider.clusterMetadataService = new ClusterMetadataServiceAdapter() {
            @Override
            public ClusterMetadata getClusterMetadata() {
                return new ClusterMetadata("test", null, Set.of(), Set.of(), SECRET);
            }
        };
        provider.activate(new Configured(Map.of(LldpLinkProvider.PROBE_RATE, Integer.toString(probeRate),
                LldpLinkProvider.STALE_LINK_AGE, Integer.toString(staleLinkAge))));
        active = true;
    }

    /** Waits for a probe out of a port. */
    private OutboundPacket probeOf(ConnectPoint port) {
        OutboundPacket next = wiring.packets.next();
        while (!port(next).equals(port)) {
            next = wiring.packets.next();
        }
        return next;
    }

    private PacketContext receive(ByteBuffer bytes, ConnectPoint at) throws DeserializationException {
        return process(new PacketContextAdapter(0, new DefaultInboundPacket(at, frame(bytes), bytes), null, false));
    }

    private PacketContext process(PacketContext context) {
        wiring.packets.processors.forEach(processor -> processor.process(context));
        return context;
    }

    private static Ethernet frame(ByteBuffer bytes) throws DeserializationException {
        byte[] octets = new byte[bytes.remaining()];
        bytes.duplicate().get(octets);
        return Ethernet.deserializer().deserialize(octets, 0, octets.length);
    }

    private static ConnectPoint port(OutboundPacket packet) {
        OutputInstruction output = (OutputInstruction) packet.treatment().allInstructions().get(0);
        return new ConnectPoint(packet.sendThrough(), output.port());
    }

    private static ConnectPoint point(DeviceId device, int port) {
        return new ConnectPoint(device, PortNumber.portNumber(port));
    }
}
