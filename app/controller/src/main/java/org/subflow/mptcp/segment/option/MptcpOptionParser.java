// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.subflow.mptcp.api.Token;

/**
 * Reads the MPTCP options among the options of a TCP header, of both versions, and never throws.
 *
 * <p>Reserved bits are ignored, as both RFCs ask of a receiver. What is malformed is left out and reported; options
 * before a broken length are kept, which is also what hosts do. Stateless.
 */
public final class MptcpOptionParser {
    /** TCP flag FIN. */
    public static final int FIN = 0x01;
    /** TCP flag SYN. */
    public static final int SYN = 0x02;
    /** TCP flag RST. */
    public static final int RST = 0x04;
    /** TCP flag ACK. */
    public static final int ACK = 0x10;

    private static final int END_OF_OPTIONS = 0;
    private static final int NO_OPERATION = 1;

    private static final int IPV4 = Ip4Address.BYTE_LENGTH;
    private static final int IPV6 = Ip6Address.BYTE_LENGTH;

    private static final int DSS_HEADER = 4;
    private static final int DSS_ACK = 0x01;
    private static final int DSS_LONG_ACK = 0x02;
    private static final int DSS_MAPPING = 0x04;
    private static final int DSS_LONG_SEQUENCE = 0x08;
    /** Sequence number on the subflow, and length. */
    private static final int DSS_MAPPING_REST = 6;
    private static final int ADD_ADDR_HEADER = 4;
    private static final int ADD_ADDR_ECHO = 0x1;
    private static final int REMOVE_ADDR_LEAST = 4;
    private static final int NUMBER_LENGTH = 12;
    private static final int RESET_LENGTH = 4;

    private final ByteBuffer in;
    private final boolean syn;
    private final boolean synAck;
    private final List<MptcpOption> options = new ArrayList<>(2);
    private final List<MalformedReason> malformed = new ArrayList<>(1);

    private MptcpOptionParser(byte[] tcpOptions, int tcpFlags) {
        this.in = ByteBuffer.wrap(tcpOptions);
        this.syn = (tcpFlags & (SYN | ACK)) == SYN;
        this.synAck = (tcpFlags & (SYN | ACK)) == (SYN | ACK);
    }

    /**
     * Reads the MPTCP options of a segment.
     *
     * @param tcpOptions what follows the first 20 octets of the TCP header, with padding; null for none
     * @param tcpFlags   the header's flags (0x02 SYN, 0x10 ACK)
     * @return the options and what was malformed
     */
    public static MptcpOptions parse(byte[] tcpOptions, int tcpFlags) {
        if (tcpOptions == null || tcpOptions.length == 0) {
            return MptcpOptions.NONE;
        }
        MptcpOptionParser parser = new MptcpOptionParser(tcpOptions, tcpFlags);
        parser.readAll();
        return MptcpOptions.of(parser.options, parser.malformed);
    }

    private void readAll() {
        while (in.hasRemaining()) {
            int start = in.position();
            int kind = Byte.toUnsignedInt(in.get());
            if (kind == END_OF_OPTIONS) {
                return;
            }
            if (kind == NO_OPERATION) {
                continue;
            }
            if (!in.hasRemaining()) {
                malformed.add(MalformedReason.PAST_END);
                return;
            }
            int length = Byte.toUnsignedInt(in.get());
            if (length < 2) {
                malformed.add(MalformedReason.LENGTH_BELOW_TWO);
                return;
            }
            if (start + length > in.capacity()) {
                malformed.add(MalformedReason.PAST_END);
                return;
            }
            if (kind == MptcpOption.KIND) {
                in.limit(start + length);
                readMptcp(length);
                in.limit(in.capacity());
            }
            in.position(start + length);
        }
    }

    /** Reads one kind-30 option; the buffer stands behind its length and ends with it. */
    private void readMptcp(int length) {
        if (length < MptcpOption.MIN_LENGTH) {
            malformed.add(MalformedReason.NO_SUBTYPE);
            return;
        }
        int octet = Byte.toUnsignedInt(in.get());
        int subtypeBits = octet >> 4;
        int lowBits = octet & 0xf;
        Subtype subtype = Subtype.of(subtypeBits);
        if (onlyAfterHandshake(subtype) && (syn || synAck)) {
            malformed.add(MalformedReason.WRONG_SEGMENT);
            return;
        }
        switch (subtype) {
            case MP_CAPABLE:
                readCapable(lowBits, length);
                break;
            case MP_JOIN:
                readJoin(lowBits, length);
                break;
            default:
                readOther(subtypeBits, lowBits, length);
                break;
        }
    }

    private static boolean onlyAfterHandshake(Subtype subtype) {
        switch (subtype) {
            case DSS:
            case ADD_ADDR:
            case REMOVE_ADDR:
            case MP_PRIO:
            case MP_FAIL:
            case MP_FASTCLOSE:
            case MP_TCPRST:
                return true;
            default:
                return false;
        }
    }

    private void readCapable(int versionBits, int length) {
        MptcpVersion version = MptcpVersion.of(versionBits).orElse(null);
        if (version == null) {
            malformed.add(MalformedReason.UNSUPPORTED_VERSION);
            return;
        }
        boolean v1 = version == MptcpVersion.V1;
        boolean onSyn = length == (v1 ? MpCapable.LENGTH_NO_KEY : MpCapable.LENGTH_ONE_KEY);
        boolean onSynAck = length == MpCapable.LENGTH_ONE_KEY;
        boolean onAck = length == MpCapable.LENGTH_TWO_KEYS
                || v1 && (length == MpCapable.LENGTH_DATA || length == MpCapable.LENGTH_DATA_CHECKSUM);
        if (!fitsSegment(onSyn, onSynAck, onAck)) {
            return;
        }
        int flags = Byte.toUnsignedInt(in.get());
        if ((flags & MpCapable.EXTENSIBILITY) != 0 || (flags & MpCapable.HMAC) == 0) {
            malformed.add(MalformedReason.UNSUPPORTED_FLAGS);
            return;
        }
        options.add(capable(version, flags, length));
    }

    private MpCapable capable(MptcpVersion version, int flags, int length) {
        switch (length) {
            case MpCapable.LENGTH_NO_KEY:
                return MpCapable.synV1(flags);
            case MpCapable.LENGTH_ONE_KEY:
                return MpCapable.oneKey(version, flags, in.getLong());
            case MpCapable.LENGTH_TWO_KEYS:
                return MpCapable.twoKeys(version, flags, in.getLong(), in.getLong());
            default:
                return MpCapable.withData(flags, in.getLong(), in.getLong(), unsignedShort(),
                                          length == MpCapable.LENGTH_DATA_CHECKSUM
                                                  ? OptionalInt.of(unsignedShort()) : OptionalInt.empty());
        }
    }

    private void readJoin(int lowBits, int length) {
        if (!fitsSegment(length == MpJoin.LENGTH_SYN, length == MpJoin.LENGTH_SYN_ACK, length == MpJoin.LENGTH_ACK)) {
            return;
        }
        boolean backup = (lowBits & 1) != 0;
        int addressId = Byte.toUnsignedInt(in.get());
        if (length == MpJoin.LENGTH_SYN) {
            options.add(new MpJoin.Syn(backup, addressId, Token.of(in.getInt()), in.getInt()));
        } else if (length == MpJoin.LENGTH_SYN_ACK) {
            options.add(new MpJoin.SynAck(backup, addressId, octets(MpJoin.SYN_ACK_HMAC_LENGTH), in.getInt()));
        } else {
            options.add(new MpJoin.Ack(octets(MpJoin.ACK_HMAC_LENGTH)));
        }
    }

    /** Says whether the form that the length tells is right for this segment, and reports it if not. */
    private boolean fitsSegment(boolean onSyn, boolean onSynAck, boolean onAck) {
        boolean fits = syn ? onSyn : synAck ? onSynAck : onAck;
        if (!fits) {
            malformed.add(onSyn || onSynAck || onAck ? MalformedReason.WRONG_SEGMENT : MalformedReason.WRONG_LENGTH);
        }
        return fits;
    }

    /** Keeps an option whose octets nobody here reads, if hosts would take its length. */
    private void readOther(int subtypeBits, int lowBits, int length) {
        Subtype subtype = Subtype.of(subtypeBits);
        if (!isLength(subtype, lowBits, length)) {
            malformed.add(MalformedReason.WRONG_LENGTH);
            return;
        }
        if (subtype == Subtype.UNKNOWN) {
            malformed.add(MalformedReason.UNKNOWN_SUBTYPE);
        }
        options.add(new OtherOption(subtypeBits, lowBits, octets(in.remaining())));
    }

    private boolean isLength(Subtype subtype, int lowBits, int length) {
        switch (subtype) {
            case DSS:
                return length >= DSS_HEADER && isDss(in.get(in.position()), length - DSS_HEADER);
            case ADD_ADDR:
                return isAddAddr(lowBits, length - ADD_ADDR_HEADER);
            case REMOVE_ADDR:
                return length >= REMOVE_ADDR_LEAST;
            case MP_PRIO:
                return length == OtherOption.PRIO_LENGTH || length == OtherOption.PRIO_LENGTH + 1;
            case MP_FAIL:
            case MP_FASTCLOSE:
                return length == NUMBER_LENGTH;
            case MP_TCPRST:
                return length == RESET_LENGTH;
            default:
                return true;
        }
    }

    /** Returns whether a DSS with these flags may have so many octets behind them: with a mapping, a checksum is optional. */
    private static boolean isDss(int flags, int size) {
        int ack = (flags & DSS_ACK) == 0 ? 0 : (flags & DSS_LONG_ACK) == 0 ? Integer.BYTES : Long.BYTES;
        int sequence = (flags & DSS_LONG_SEQUENCE) == 0 ? Integer.BYTES : Long.BYTES;
        int mapping = (flags & DSS_MAPPING) == 0 ? 0 : sequence + DSS_MAPPING_REST;
        return size == ack + mapping || mapping > 0 && size == ack + mapping + Short.BYTES;
    }

    /** An echo has no keyed hash, nor has an option of v0, which says the IP version. */
    private static boolean isAddAddr(int lowBits, int size) {
        if ((lowBits & ADD_ADDR_ECHO) != 0) {
            return isAddress(size);
        }
        return isAddress(size - Long.BYTES) || isAddress(size) && lowBits == (size < IPV6 ? 4 : 6);
    }

    private static boolean isAddress(int size) {
        return size == IPV4 || size == IPV4 + Short.BYTES || size == IPV6 || size == IPV6 + Short.BYTES;
    }

    private byte[] octets(int count) {
        byte[] octets = new byte[count];
        in.get(octets);
        return octets;
    }

    private int unsignedShort() {
        return Short.toUnsignedInt(in.getShort());
    }
}
