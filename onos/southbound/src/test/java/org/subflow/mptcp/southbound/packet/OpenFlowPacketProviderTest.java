// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.packet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Data;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProvider;
import org.onosproject.net.packet.PacketProviderRegistry;
import org.onosproject.net.packet.PacketProviderService;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.openflow.controller.DefaultOpenFlowPacketContext;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowPacketContext;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;
import org.subflow.mptcp.southbound.FirstTable;
import org.subflow.mptcp.southbound.OpenFlowIds;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.SwitchesController;

/** Packets from switches to ONOS and back, as real packet-in and packet-out messages. */
class OpenFlowPacketProviderTest {
    private static final DeviceId S1 = DeviceId.deviceId("of:0000000000000001");
    private static final DeviceId UNKNOWN = DeviceId.deviceId("of:0000000000000009");
    private static final long COOKIE = 0x5000_0000_0000_0001L;
    private static final TrafficTreatment OUT_2 = out(2);

    private final SwitchesController controller = new SwitchesController();
    private final RecordingSwitch s1 = controller.connect(1);
    private final Core core = new Core();
    private final OpenFlowPacketProvider provider = new OpenFlowPacketProvider();
    private final byte[] frame = new Ethernet().setEtherType((short) 0x88b5).setSourceMACAddress("02:00:00:00:00:01")
            .setDestinationMACAddress("02:00:00:00:00:02").setPayload(new Data(new byte[50])).serialize();

    @BeforeEach
    void start() {
        provider.providerRegistry = core;
        provider.controller = controller;
        provider.activate();
    }

    @Test
    void aPacketReachesOnosWithItsPortAndTheCookieOfItsRule() {
        PacketContext context = receive(frame);
        assertEquals(new ConnectPoint(S1, PortNumber.portNumber(3)), context.inPacket().receivedFrom());
        assertArrayEquals(frame, context.inPacket().unparsed().array());
        assertEquals("02:00:00:00:00:02", context.inPacket().parsed().getDestinationMAC().toString());
        assertEquals(Optional.of(COOKIE), context.inPacket().cookie());
        assertEquals(false, context.isHandled());
    }

    @Test
    void aMalformedFrameReachesOnosUnparsed() {
        byte[] tooShort = {2, 0, 0};
        PacketContext context = receive(tooShort);
        assertNull(context.inPacket().parsed());
        assertArrayEquals(tooShort, context.inPacket().unparsed().array());
    }

    @Test
    void aPacketOfTheSouthboundsOwnRulesIsNotForOnos() {
        controller.receive(packetIn(frame, FirstTable.COOKIE | 1));
        assertEquals(List.of(), core.packets);
    }

    @Test
    void aPacketOfASwitchThatIsGoneIsDropped() {
        OpenFlowPacketContext packet = packetIn(frame);
        controller.lose(new Dpid(1));
        controller.receive(packet);
        assertEquals(List.of(), core.packets);
    }

    @Test
    void whoeverProcessesAPacketMaySendItOnOnce() {
        PacketContext context = receive(frame);
        context.treatmentBuilder().setOutput(PortNumber.portNumber(2));
        context.send();
        context.send();
        OFPacketOut message = (OFPacketOut) s1.onlyMessage();
        assertEquals(OFPort.of(3), message.getInPort(), "flooding must spare it");
        assertEquals(List.of(RecordingSwitch.FACTORY.actions().output(OFPort.of(2), 0)), message.getActions());
        assertArrayEquals(frame, message.getData());
        assertEquals(OFBufferId.NO_BUFFER, message.getBufferId());
    }

    @Test
    void aBlockedPacketIsNotSentOn() {
        PacketContext context = receive(frame);
        context.block();
        context.treatmentBuilder().setOutput(PortNumber.portNumber(2));
        context.send();
        assertEquals(List.of(), s1.sent);
    }

    @Test
    void onosSendsAPacketOfItsOwn() {
        provider.emit(new DefaultOutboundPacket(S1, OUT_2, ByteBuffer.wrap(frame)));
        OFPacketOut message = (OFPacketOut) s1.onlyMessage();
        assertEquals(OFPort.CONTROLLER, message.getInPort());
        assertArrayEquals(frame, message.getData());
    }

    @Test
    void aBufferThatWasReadIsSentAsAWhole() {
        ByteBuffer read = ByteBuffer.wrap(frame);
        read.getLong();
        provider.emit(new DefaultOutboundPacket(S1, OUT_2, read));
        assertArrayEquals(frame, ((OFPacketOut) s1.onlyMessage()).getData());
        assertEquals(Long.BYTES, read.position(), "the caller's buffer stays as it is");
    }

    @Test
    void whatCannotBeSentIsDropped() {
        provider.emit(new DefaultOutboundPacket(UNKNOWN, OUT_2, ByteBuffer.wrap(frame)));
        TrafficTreatment ipv6InIpv4Field = DefaultTrafficTreatment.builder()
                .setIpSrc(IpAddress.valueOf("2001:db8::1")).setOutput(PortNumber.portNumber(2)).build();
        provider.emit(new DefaultOutboundPacket(S1, ipv6InIpv4Field, ByteBuffer.wrap(frame)));
        assertEquals(List.of(), s1.sent);
    }

    @Test
    void itRegistersUnderTheIdOfAllOpenFlowProvidersAndGoesAgain() {
        assertEquals(OpenFlowIds.PROVIDER, provider.id());
        assertEquals(Set.of(provider), core.registered);
        provider.deactivate();
        assertEquals(Map.of(), controller.packetListeners);
        assertEquals(Set.of(), core.registered);
    }

    private PacketContext receive(byte[] bytes) {
        controller.receive(packetIn(bytes));
        return core.packets.get(core.packets.size() - 1);
    }

    private OpenFlowPacketContext packetIn(byte[] bytes) {
        return packetIn(bytes, COOKIE);
    }

    private OpenFlowPacketContext packetIn(byte[] bytes, long cookie) {
        OFPacketIn message = RecordingSwitch.FACTORY.buildPacketIn()
                .setReason(OFPacketInReason.ACTION)
                .setTableId(FirstTable.NEXT)
                .setMatch(RecordingSwitch.FACTORY.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(3)).build())
                .setCookie(U64.of(cookie))
                .setData(bytes)
                .build();
        return DefaultOpenFlowPacketContext.packetContextFromPacketIn(s1, message);
    }

    private static TrafficTreatment out(int port) {
        return DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(port)).build();
    }

    /** ONOS's packet core as the provider sees it. */
    private static final class Core implements PacketProviderRegistry, PacketProviderService {
        private final Set<PacketProvider> registered = new HashSet<>();
        private final List<PacketContext> packets = new ArrayList<>();

        @Override
        public PacketProviderService register(PacketProvider provider) {
            registered.add(provider);
            return this;
        }

        @Override
        public void unregister(PacketProvider provider) {
            registered.remove(provider);
        }

        @Override
        public Set<ProviderId> getProviders() {
            return Set.of();
        }

        @Override
        public PacketProvider provider() {
            return registered.iterator().next();
        }

        @Override
        public void processPacket(PacketContext context) {
            packets.add(context);
        }
    }
}
