// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/**
 * Writes the fields of a stored record one after the other. Its static methods read them back. Numbers have their most
 * significant byte first.
 */
public final class RecordWriter {
    private static final int MOST_BYTES_OF_TEXT = 0xffff;

    private final ByteArrayDataOutput out = ByteStreams.newDataOutput();

    public RecordWriter number8(int value) {
        out.writeByte(value);
        return this;
    }

    RecordWriter number16(int value) {
        out.writeShort(value);
        return this;
    }

    RecordWriter number32(int value) {
        out.writeInt(value);
        return this;
    }

    RecordWriter number64(long value) {
        out.writeLong(value);
        return this;
    }

    RecordWriter real(double value) {
        out.writeDouble(value);
        return this;
    }

    /** Writes the length of a text, 16 bits, and its UTF-8 bytes. */
    RecordWriter text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        checkArgument(bytes.length <= MOST_BYTES_OF_TEXT, "a text of %s bytes is too long", bytes.length);
        out.writeShort(bytes.length);
        out.write(bytes);
        return this;
    }

    /** Writes the length of an address, 8 bits, and its bytes. */
    RecordWriter address(IpAddress value) {
        byte[] bytes = value.toOctets();
        out.writeByte(bytes.length);
        out.write(bytes);
        return this;
    }

    /** Writes a switch's port. */
    RecordWriter port(ConnectPoint value) {
        return text(value.deviceId().toString()).number64(value.port().toLong());
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    static String text(ByteBuffer from) {
        return new String(bytes(from, Short.toUnsignedInt(from.getShort())), StandardCharsets.UTF_8);
    }

    static IpAddress address(ByteBuffer from) {
        byte[] octets = bytes(from, from.get());
        checkArgument(octets.length == IpAddress.INET_BYTE_LENGTH || octets.length == IpAddress.INET6_BYTE_LENGTH,
                      "an address has no %s bytes", octets.length);
        return IpAddress.valueOf(octets.length == IpAddress.INET_BYTE_LENGTH ? IpAddress.Version.INET : IpAddress.Version.INET6,
                                 octets);
    }

    static ConnectPoint port(ByteBuffer from) {
        return new ConnectPoint(DeviceId.deviceId(text(from)), PortNumber.portNumber(from.getLong()));
    }

    static boolean flag(ByteBuffer from) {
        return from.get() != 0;
    }

    private static byte[] bytes(ByteBuffer from, int length) {
        checkArgument(length >= 0 && length <= from.remaining(), "%s bytes are not there", length);
        byte[] bytes = new byte[length];
        from.get(bytes);
        return bytes;
    }
}
