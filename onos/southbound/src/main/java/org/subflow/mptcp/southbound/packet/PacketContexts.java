// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.packet;

import static org.subflow.mptcp.southbound.OpenFlowIds.deviceId;

import java.nio.ByteBuffer;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.PortNumber;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.openflow.controller.OpenFlowPacketContext;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What packet processors are given of a packet-in. */
public final class PacketContexts {

    private static final Logger log = LoggerFactory.getLogger(PacketContexts.class);

    private PacketContexts() {
    }

    /**
     * {@return the context of a packet that waits at the controller}; whoever processes it may send it on, once
     *
     * @param sw the switch it came from, out of which it is sent
     */
    public static PacketContext forwardable(OpenFlowPacketContext packet, OpenFlowSwitch sw) {
        return forwardable(packet, inbound(packet), sw);
    }

    /** {@return the same, of a packet whose frame has been read} */
    public static PacketContext forwardable(OpenFlowPacketContext packet, InboundPacket in, OpenFlowSwitch sw) {
        return new OpenFlowCoreContext(in, outbound(in), packet.isHandled(), sw);
    }

    /**
     * {@return the context of a copy, which the switch has forwarded already}; it cannot be sent. The frame may be cut
     * short.
     */
    public static PacketContext copy(InboundPacket in) {
        return new CopyContext(in, outbound(in));
    }

    /** {@return what has come in}; its frame is read once for all that look at it */
    public static InboundPacket inbound(OpenFlowPacketContext packet) {
        byte[] bytes = packet.unparsed();
        ConnectPoint receivedFrom = new ConnectPoint(deviceId(packet.dpid()), PortNumber.portNumber(packet.inPort()));
        return new DefaultInboundPacket(receivedFrom, parse(bytes, receivedFrom), ByteBuffer.wrap(bytes),
                packet.cookie());
    }

    private static OutboundPacket outbound(InboundPacket in) {
        return new DefaultOutboundPacket(in.receivedFrom().deviceId(), null, in.unparsed().duplicate());
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

    /** A packet that has gone its way. */
    private static final class CopyContext extends DefaultPacketContext {

        CopyContext(InboundPacket in, OutboundPacket out) {
            super(System.currentTimeMillis(), in, out, false);
        }

        @Override
        public void send() {
            // It would arrive twice.
        }
    }
}
