// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
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
            case DSS:
                readDss(length);
                break;
            case ADD_ADDR:
                readAddAddr(lowBits, length);
                break;
            case REMOVE_ADDR:
                readRemoveAddr(length);
                break;
            case MP_PRIO:
                readPrio(lowBits, length);
                break;
            case MP_FAIL:
                if (hasLength(length, MpFail.LENGTH)) {
                    in.get();
                    options.add(new MpFail(in.getLong()));
                }
                break;
            case MP_FASTCLOSE:
                if (hasLength(length, MpFastclose.LENGTH)) {
                    in.get();
                    options.add(new MpFastclose(in.getLong()));
                }
                break;
            case MP_TCPRST:
                if (hasLength(length, MpTcpRst.LENGTH)) {
                    options.add(new MpTcpRst(lowBits, Byte.toUnsignedInt(in.get())));
                }
                break;
            case UNKNOWN:
                malformed.add(MalformedReason.UNKNOWN_SUBTYPE);
                options.add(new OtherOption(subtypeBits, lowBits, octets(in.remaining())));
                break;
            default:
                options.add(new OtherOption(subtypeBits, lowBits, octets(in.remaining())));
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

    private void readDss(int length) {
        int flags = in.hasRemaining() ? Byte.toUnsignedInt(in.get()) : 0;
        if (!Dss.isLength(flags, length)) {
            malformed.add(MalformedReason.WRONG_LENGTH);
            return;
        }
        Optional<Dss.Number64> ack = Optional.empty();
        Optional<Dss.Mapping> mapping = Optional.empty();
        if ((flags & Dss.ACK) != 0) {
            ack = Optional.of(Dss.Number64.read(in, (flags & Dss.LONG_ACK) != 0));
        }
        if ((flags & Dss.MAPPING) != 0) {
            mapping = Optional.of(Dss.Mapping.read(in, (flags & Dss.LONG_DSN) != 0));
        }
        options.add(new Dss((flags & Dss.FIN) != 0, ack, mapping));
    }

    private void readAddAddr(int lowBits, int length) {
        int size = length - 4;
        int withoutHmac = size - Long.BYTES;
        if (isAddress(withoutHmac) && (lowBits & AddAddr.ECHO) == 0) {
            int id = Byte.toUnsignedInt(in.get());
            options.add(AddAddr.v1(id, address(withoutHmac), port(withoutHmac), in.getLong()));
        } else if (isAddress(size) && (lowBits & AddAddr.ECHO) != 0) {
            int id = Byte.toUnsignedInt(in.get());
            options.add(AddAddr.v1Echo(id, address(size), port(size)));
        } else if (isAddress(size) && lowBits == (size < IPV6 ? AddAddr.IPV4_BITS : AddAddr.IPV6_BITS)) {
            int id = Byte.toUnsignedInt(in.get());
            options.add(AddAddr.v0(id, address(size), port(size)));
        } else {
            malformed.add(MalformedReason.WRONG_LENGTH);
        }
    }

    private static boolean isAddress(int size) {
        return size == IPV4 || size == IPV4 + Short.BYTES || size == IPV6 || size == IPV6 + Short.BYTES;
    }

    private IpAddress address(int size) {
        return size < IPV6 ? IpAddress.valueOf(IpAddress.Version.INET, octets(IPV4))
                : IpAddress.valueOf(IpAddress.Version.INET6, octets(IPV6));
    }

    private OptionalInt port(int size) {
        return size == IPV4 || size == IPV6 ? OptionalInt.empty() : OptionalInt.of(unsignedShort());
    }

    private void readRemoveAddr(int length) {
        if (length < RemoveAddr.LEAST) {
            malformed.add(MalformedReason.WRONG_LENGTH);
            return;
        }
        List<Integer> ids = new ArrayList<>(in.remaining());
        while (in.hasRemaining()) {
            ids.add(Byte.toUnsignedInt(in.get()));
        }
        options.add(new RemoveAddr(ids));
    }

    private void readPrio(int lowBits, int length) {
        if (length != MpPrio.LENGTH && length != MpPrio.LENGTH_WITH_ADDRESS) {
            malformed.add(MalformedReason.WRONG_LENGTH);
            return;
        }
        OptionalInt addressId = in.hasRemaining() ? OptionalInt.of(Byte.toUnsignedInt(in.get()))
                : OptionalInt.empty();
        options.add(new MpPrio((lowBits & MpPrio.BACKUP) != 0, addressId));
    }

    private boolean hasLength(int length, int expected) {
        if (length != expected) {
            malformed.add(MalformedReason.WRONG_LENGTH);
        }
        return length == expected;
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
