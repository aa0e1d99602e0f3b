// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.packet;

import static org.subflow.mptcp.southbound.OpenFlowIds.ofPort;

import java.nio.ByteBuffer;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.codec.TreatmentEncoder;
import org.subflow.mptcp.southbound.codec.UnsupportedRuleException;

/** Sends packets out of switches. */
final class PacketOuts {

    private static final Logger log = LoggerFactory.getLogger(PacketOuts.class);

    private PacketOuts() {
    }

    /**
     * Sends a frame through a switch; says so in the log if it cannot be done.
     *
     * @param inPort where the frame counts as received, so that flooding spares it; null if it is the controller's own
     */
    static void send(OpenFlowSwitch sw, ByteBuffer frame, TrafficTreatment treatment, PortNumber inPort) {
        try {
            OFPacketOut message = sw.factory().buildPacketOut()
                    .setBufferId(OFBufferId.NO_BUFFER)
                    .setInPort(inPort == null ? OFPort.CONTROLLER : ofPort(inPort))
                    .setActions(new TreatmentEncoder(sw.factory()).actions(treatment.allInstructions()))
                    .setData(bytes(frame))
                    .build();
            sw.sendMsg(message);
        } catch (UnsupportedRuleException e) {
            log.warn("A packet was not sent out of {}: {}", sw.getStringId(), e.getMessage());
        }
    }

    private static byte[] bytes(ByteBuffer frame) {
        ByteBuffer view = frame.duplicate();
        view.rewind();
        byte[] bytes = new byte[view.remaining()];
        view.get(bytes);
        return bytes;
    }
}
