// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.packet;

import static org.subflow.mptcp.southbound.OpenFlowIds.dpid;

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
import org.subflow.mptcp.southbound.FirstTable;
import org.subflow.mptcp.southbound.OpenFlowIds;

/** Gives ONOS the packets that switches send up, and switches the packets that ONOS sends out. */
@Component(immediate = true)
public class OpenFlowPacketProvider extends AbstractProvider implements PacketProvider {

    private static final Logger log = LoggerFactory.getLogger(OpenFlowPacketProvider.class);

    /** Place among this node's packet listeners; the other one is for packets of the southbound's own rules. */
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
        if (sw != null && !FirstTable.isOwn(packet.cookie().orElse(0L))) {
            core.processPacket(PacketContexts.forwardable(packet, sw));
        }
    }
}
