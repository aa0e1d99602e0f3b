// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.packet;

import static org.subflow.mptcp.southbound.OpenFlowIds.deviceId;
import static org.subflow.mptcp.southbound.OpenFlowIds.dpid;

import java.nio.ByteBuffer;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.PortNumber;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketProvider;
import org.onosproject.net.packet.PacketProviderRegistry;
import org.onosproject.net.packet.PacketProviderService;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowPacketContext;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.PacketListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.OpenFlowIds;

/** Gives ONOS the packets that switches send up, and switches the packets that ONOS sends out. */
@Component(immediate = true)
public class OpenFlowPacketProvider extends AbstractProvider implements PacketProvider {

    private static final Logger log = LoggerFactory.getLogger(OpenFlowPacketProvider.class);

    /** Place among this node's packet listeners; there is no other. */
    private static final int LISTENER_PRIORITY = 20;

    @Reference
    protected PacketProviderRegistry providerRegistry;

    @Reference
    protected OpenFlowController controller;

    private final PacketListener listener = this::handle;
    private volatile PacketProviderService core;

    /** Makes the provider; the framework starts it. */
    public OpenFlowPacketProvider() {
        super(OpenFlowIds.PROVIDER);
    }

    @Activate
    protected void activate() {
        core = providerRegistry.register(this);
        controller.addPacketListener(LISTENER_PRIORITY, listener);
        log.info("Started");
    }

    @Deactivate
    protected void deactivate() {
        controller.removePacketListener(listener);
        providerRegistry.unregister(this);
        log.info("Stopped");
    }

    @Override
    public void emit(OutboundPacket packet) {
        OpenFlowSwitch sw = controller.getSwitch(dpid(packet.sendThrough()));
        if (sw == null) {
            log.debug("{} is not connected, so a packet was not sent", packet.sendThrough());
            return;
        }
        PacketOuts.send(sw, packet.data(), packet.treatment(), packet.inPort());
    }

    private void handle(OpenFlowPacketContext packet) {
        OpenFlowSwitch sw = controller.getSwitch(packet.dpid());
        if (sw == null) {
            return;
        }
        byte[] bytes = packet.unparsed();
        ConnectPoint receivedFrom =
                new ConnectPoint(deviceId(packet.dpid()), PortNumber.portNumber(packet.inPort()));
        DefaultInboundPacket in = new DefaultInboundPacket(receivedFrom, parse(bytes, receivedFrom),
                ByteBuffer.wrap(bytes), packet.cookie());
        DefaultOutboundPacket out = new DefaultOutboundPacket(receivedFrom.deviceId(), null, ByteBuffer.wrap(bytes));
        core.processPacket(new OpenFlowCoreContext(in, out, packet.isHandled(), sw));
    }

    /** Returns the frame, or null if it is malformed. Packet processors can still read its bytes. */
    private static Ethernet parse(byte[] bytes, ConnectPoint receivedFrom) {
        try {
            return Ethernet.deserializer().deserialize(bytes, 0, bytes.length);
        } catch (DeserializationException | RuntimeException e) {
            log.debug("A malformed frame of {} bytes from {}: {}", bytes.length, receivedFrom, e.toString());
            return null;
        }
    }
}
