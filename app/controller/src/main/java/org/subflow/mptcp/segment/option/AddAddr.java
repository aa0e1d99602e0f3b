// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.onlab.packet.IpAddress;

/**
 * ADD_ADDR: a host names a further address of its own (RFC 6824 and RFC 8684, section 3.4.1).
 *
 * <p>v0 says the IP version in four bits and has no keyed hash. v1 has the echo flag there; an announcement carries a
 * keyed hash, its echo none; the IP version follows from the length.
 */
public final class AddAddr extends MptcpOption {
    static final int IPV4_BITS = 4;
    static final int IPV6_BITS = 6;
    static final int ECHO = 0x1;

    private static final int FIXED = 4;

    private final int lowBits;
    private final int addressId;
    private final IpAddress address;
    private final OptionalInt port;
    private final OptionalLong hmac;

    private AddAddr(int lowBits, int addressId, IpAddress address, OptionalInt port, OptionalLong hmac) {
        super(FIXED + address.toOctets().length + (port.isPresent() ? Short.BYTES : 0)
                      + (hmac.isPresent() ? Long.BYTES : 0));
        this.lowBits = lowBits;
        this.addressId = checkField("address id", addressId, 0xff);
        this.address = Objects.requireNonNull(address, "address");
        port.ifPresent(value -> checkField("port", value, 0xffff));
        this.port = port;
        this.hmac = hmac;
    }

    /** Returns the option of RFC 6824. An absent port means that of the subflow. */
    public static AddAddr v0(int addressId, IpAddress address, OptionalInt port) {
        return new AddAddr(address.isIp4() ? IPV4_BITS : IPV6_BITS, addressId, address, port, OptionalLong.empty());
    }

    /** Returns the announcement of RFC 8684, with the rightmost eight octets of its keyed hash. */
    public static AddAddr v1(int addressId, IpAddress address, OptionalInt port, long hmac) {
        return new AddAddr(0, addressId, address, port, OptionalLong.of(hmac));
    }

    /** Returns the echo of RFC 8684: the announcement was received. */
    public static AddAddr v1Echo(int addressId, IpAddress address, OptionalInt port) {
        return new AddAddr(ECHO, addressId, address, port, OptionalLong.empty());
    }

    @Override
    public Subtype subtype() {
        return Subtype.ADD_ADDR;
    }

    /** Returns the version whose layout the option has. */
    public MptcpVersion version() {
        return lowBits == IPV4_BITS || lowBits == IPV6_BITS ? MptcpVersion.V0 : MptcpVersion.V1;
    }

    /** Returns whether this is the echo of an announcement. */
    public boolean echo() {
        return version() == MptcpVersion.V1 && lowBits == ECHO;
    }

    /** Returns the announcing host's identifier of the address. */
    public int addressId() {
        return addressId;
    }

    /** Returns the address. */
    public IpAddress address() {
        return address;
    }

    /** Returns the TCP port, if one was named. */
    public OptionalInt port() {
        return port;
    }

    /** Returns the truncated keyed hash, if there is one. */
    public OptionalLong hmac() {
        return hmac;
    }

    @Override
    int lowBits() {
        return lowBits;
    }

    @Override
    void writeBody(ByteBuffer out) {
        out.put((byte) addressId).put(address.toOctets());
        port.ifPresent(value -> out.putShort((short) value));
        hmac.ifPresent(out::putLong);
    }
}
