// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.packet;

import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.openflow.controller.OpenFlowSwitch;

/** A packet on its way through ONOS's packet processors, which may send it on once. */
final class OpenFlowCoreContext extends DefaultPacketContext {

    private final OpenFlowSwitch sw;

    OpenFlowCoreContext(InboundPacket in, OutboundPacket out, boolean handled, OpenFlowSwitch sw) {
        super(System.currentTimeMillis(), in, out, handled);
        this.sw = sw;
    }

    @Override
    public void send() {
        if (block()) {
            return;
        }
        TrafficTreatment treatment = treatmentBuilder().build();
        PacketOuts.send(sw, outPacket().data(), treatment, inPacket().receivedFrom().port());
    }
}
