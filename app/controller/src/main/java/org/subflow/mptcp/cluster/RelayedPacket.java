// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.InboundPacket;

/** A packet on its way to the node that decides. Immutable. */
public final class RelayedPacket {
    /** What the packet is there, and who forwards it. */
    public enum Kind {
        /** Another application forwards it at the node that got it. */
        OBSERVED(1),
        /** A switch that shows all TCP sent it; the application forwards it. */
        TAKEN(2),
        /** A switch that copies segments sent it, and no other application forwards it. */
        UNCLAIMED(3),
        /** The copy of a segment that the switches forward. */
        COPY(4),
        /** A SYN that waits in the controller. */
        DIVERTED(5);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }

        private static Kind of(byte code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("kind " + code + " is not known");
        }
    }

    private final Kind kind;
    private final ConnectPoint port;
    private final byte[] frame;

    public RelayedPacket(Kind kind, InboundPacket in) {
        this.kind = checkNotNull(kind, "kind");
        this.port = in.receivedFrom();
        ByteBuffer bytes = in.unparsed().duplicate();
        bytes.rewind();
        this.frame = new byte[bytes.remaining()];
        bytes.get(frame);
    }

    private RelayedPacket(Kind kind, ConnectPoint port, byte[] frame) {
        this.kind = kind;
        this.port = port;
        this.frame = frame;
    }

    /** Returns the same packet as the copy of one that somebody else forwards. */
    RelayedPacket asCopy() {
        return new RelayedPacket(Kind.COPY, port, frame);
    }

    /** Returns what it is. */
    public Kind kind() {
        return kind;
    }

    /**
     * Returns the packet.
     *
     * @throws IllegalArgumentException if it is no Ethernet frame
     */
    public InboundPacket packet() {
        try {
            Ethernet parsed = Ethernet.deserializer().deserialize(frame, 0, frame.length);
            return new DefaultInboundPacket(port, parsed, ByteBuffer.wrap(frame));
        } catch (DeserializationException e) {
            throw new IllegalArgumentException("not an Ethernet frame", e);
        }
    }

    /** Returns the message: kind, length of the device's name, the name, the port's number, the frame. */
    byte[] encode() {
        byte[] device = port.deviceId().toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + Short.BYTES + device.length + Long.BYTES + frame.length)
                .put(kind.code).putShort((short) device.length).put(device)
                .putLong(port.port().toLong()).put(frame).array();
    }

    /**
     * Reads a message.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static RelayedPacket decode(byte[] message) {
        try {
            ByteBuffer from = ByteBuffer.wrap(message);
            Kind kind = Kind.of(from.get());
            byte[] device = new byte[Short.toUnsignedInt(from.getShort())];
            from.get(device);
            ConnectPoint port = new ConnectPoint(DeviceId.deviceId(new String(device, StandardCharsets.UTF_8)),
                                                 PortNumber.portNumber(from.getLong()));
            byte[] frame = new byte[from.remaining()];
            from.get(frame);
            return new RelayedPacket(kind, port, frame);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a message of " + message.length + " octets is too short", e);
        }
    }
}
