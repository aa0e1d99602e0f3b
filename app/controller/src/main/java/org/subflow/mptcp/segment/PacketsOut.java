// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import java.nio.ByteBuffer;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.OutboundPacket;

/** Makes packet-outs (OpenFlow 1.3, 7.3.7). */
public final class PacketsOut {
    private PacketsOut() {
    }

    /**
     * Makes a packet-out that leaves its switch by one port.
     *
     * @param out   the switch and its port; not null
     * @param frame the Ethernet frame; not null
     */
    public static OutboundPacket through(ConnectPoint out, ByteBuffer frame) {
        return new DefaultOutboundPacket(out.deviceId(), DefaultTrafficTreatment.builder().setOutput(out.port()).build(), frame);
    }
}
