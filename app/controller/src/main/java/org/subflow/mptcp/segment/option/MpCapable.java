// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * MP_CAPABLE: opens an MPTCP connection (RFC 6824 and RFC 8684, section 3.1).
 *
 * <p>What it carries depends on version and segment: a v1 SYN no key, a v0 SYN the sender's, a SYN/ACK the listener's,
 * the third ACK both; in v1 so does the first data, with its length and, if negotiated, its checksum.
 */
public final class MpCapable extends MptcpOption {
    /** Flag A: DSS checksums are required. */
    public static final int CHECKSUM_REQUIRED = 0x80;
    /** Flag B: an extension that no version defines; receivers ignore the option. */
    public static final int EXTENSIBILITY = 0x40;
    /** Flag C, v1 only: no further subflows to this address and port. */
    public static final int DENY_JOIN_TO_ADDRESS = 0x20;
    /** Flag H: the keyed hash of the version (HMAC-SHA1 in v0, HMAC-SHA256 in v1). */
    public static final int HMAC = 0x01;

    static final int LENGTH_NO_KEY = 4;
    static final int LENGTH_ONE_KEY = 12;
    static final int LENGTH_TWO_KEYS = 20;
    static final int LENGTH_DATA = 22;
    static final int LENGTH_DATA_CHECKSUM = 24;

    private static final int MAX_SHORT = 0xffff;

    /** The version that the option names. */
    public final MptcpVersion version;
    /** The eight flags A to H, A most significant. */
    public final int flags;
    /** The key of the host that sent the option, if the option carries it. */
    public final OptionalLong senderKey;
    /** The key of the other host, echoed, if the option carries it. */
    public final OptionalLong receiverKey;
    /** The data-level length in octets, if the option came with data. */
    public final OptionalInt dataLength;
    /** The DSS checksum, if the option came with data and one was negotiated. */
    public final OptionalInt checksum;

    private MpCapable(int length, MptcpVersion version, int flags, OptionalLong senderKey, OptionalLong receiverKey,
                      OptionalInt dataLength, OptionalInt checksum) {
        super(length);
        this.version = version;
        this.flags = checkField("flags", flags, 0xff);
        this.senderKey = senderKey;
        this.receiverKey = receiverKey;
        this.dataLength = dataLength;
        this.checksum = checksum;
    }

    /** Returns the option of a v1 SYN: no key. */
    public static MpCapable synV1(int flags) {
        return new MpCapable(LENGTH_NO_KEY, MptcpVersion.V1, flags, OptionalLong.empty(), OptionalLong.empty(),
                             OptionalInt.empty(), OptionalInt.empty());
    }

    /** Returns the option with the sender's key alone: a v0 SYN, or a SYN/ACK of either version. */
    public static MpCapable oneKey(MptcpVersion version, int flags, long senderKey) {
        return new MpCapable(LENGTH_ONE_KEY, version, flags, OptionalLong.of(senderKey), OptionalLong.empty(),
                             OptionalInt.empty(), OptionalInt.empty());
    }

    /** Returns the option of the third ACK, with both keys. */
    public static MpCapable twoKeys(MptcpVersion version, int flags, long senderKey, long receiverKey) {
        return new MpCapable(LENGTH_TWO_KEYS, version, flags, OptionalLong.of(senderKey),
                             OptionalLong.of(receiverKey), OptionalInt.empty(), OptionalInt.empty());
    }

    /**
     * Returns the option of the first data in v1.
     *
     * @param flags       the flags
     * @param senderKey   the sender's key
     * @param receiverKey the receiver's key
     * @param dataLength  data-level length in octets, 0 to 65535
     * @param checksum    the DSS checksum, 0 to 65535, empty if not negotiated
     * @return the option
     */
    public static MpCapable withData(int flags, long senderKey, long receiverKey, int dataLength,
                                     OptionalInt checksum) {
        checkField("data length", dataLength, MAX_SHORT);
        checksum.ifPresent(value -> checkField("checksum", value, MAX_SHORT));
        return new MpCapable(checksum.isPresent() ? LENGTH_DATA_CHECKSUM : LENGTH_DATA, MptcpVersion.V1, flags,
                             OptionalLong.of(senderKey), OptionalLong.of(receiverKey), OptionalInt.of(dataLength),
                             checksum);
    }

    @Override
    public Subtype subtype() {
        return Subtype.MP_CAPABLE;
    }

    /** Returns whether all given flags are set. */
    public boolean has(int mask) {
        return (flags & mask) == mask;
    }

    @Override
    int lowBits() {
        return version.number;
    }

    @Override
    void writeBody(ByteBuffer out) {
        out.put((byte) flags);
        senderKey.ifPresent(out::putLong);
        receiverKey.ifPresent(out::putLong);
        dataLength.ifPresent(value -> out.putShort((short) value));
        checksum.ifPresent(value -> out.putShort((short) value));
    }
}
