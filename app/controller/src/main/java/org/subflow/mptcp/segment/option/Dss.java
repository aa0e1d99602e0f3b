// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** DSS: data acknowledgement and data sequence mapping (RFC 6824 and RFC 8684, section 3.3). */
public final class Dss extends MptcpOption {
    static final int FIN = 0x10;
    static final int LONG_DSN = 0x08;
    static final int MAPPING = 0x04;
    static final int LONG_ACK = 0x02;
    static final int ACK = 0x01;

    private static final int HEADER = 4;
    private static final int CHECKSUM = 2;

    private final boolean dataFin;
    private final Optional<Number64> dataAck;
    private final Optional<Mapping> mapping;

    /**
     * Makes the option.
     *
     * @param dataFin whether the mapping ends the sender's data stream
     * @param dataAck the data acknowledgement; empty for none
     * @param mapping the data sequence mapping; empty for none
     */
    public Dss(boolean dataFin, Optional<Number64> dataAck, Optional<Mapping> mapping) {
        super(lengthOf(dataAck, mapping));
        this.dataFin = dataFin;
        this.dataAck = dataAck;
        this.mapping = mapping;
    }

    private static int lengthOf(Optional<Number64> dataAck, Optional<Mapping> mapping) {
        return HEADER + dataAck.map(Number64::octets).orElse(0) + mapping.map(Mapping::octets).orElse(0);
    }

    /** Returns the octets of a DSS with these flags and no checksum. */
    static int lengthWithoutChecksum(int flags) {
        int ack = (flags & ACK) == 0 ? 0 : (flags & LONG_ACK) == 0 ? Integer.BYTES : Long.BYTES;
        int map = (flags & MAPPING) == 0 ? 0 : Mapping.FIXED
                + ((flags & LONG_DSN) == 0 ? Integer.BYTES : Long.BYTES);
        return HEADER + ack + map;
    }

    /** Returns whether a DSS with these flags may have that size: with a mapping, a checksum is optional. */
    static boolean isLength(int flags, int length) {
        int least = lengthWithoutChecksum(flags);
        return length == least || (flags & MAPPING) != 0 && length == least + CHECKSUM;
    }

    @Override
    public Subtype subtype() {
        return Subtype.DSS;
    }

    /** Returns whether the sender's data stream ends here. */
    public boolean dataFin() {
        return dataFin;
    }

    /** Returns the next data octet that the sender expects. */
    public Optional<Number64> dataAck() {
        return dataAck;
    }

    /** Returns where the segment's octets belong in the data stream. */
    public Optional<Mapping> mapping() {
        return mapping;
    }

    @Override
    int lowBits() {
        return 0;
    }

    @Override
    void writeBody(ByteBuffer out) {
        int flags = (dataFin ? FIN : 0)
                | dataAck.map(ack -> ACK | (ack.isLong() ? LONG_ACK : 0)).orElse(0)
                | mapping.map(map -> MAPPING | (map.sequence.isLong() ? LONG_DSN : 0)).orElse(0);
        out.put((byte) flags);
        dataAck.ifPresent(ack -> ack.write(out));
        mapping.ifPresent(map -> map.write(out));
    }

    /** A data sequence number in one of its two sizes on the wire, four or eight octets. */
    public static final class Number64 {
        private final long value;
        private final boolean isLong;

        private Number64(long value, boolean isLong) {
            this.value = value;
            this.isLong = isLong;
        }

        /** Returns a number of eight octets. */
        public static Number64 ofLong(long value) {
            return new Number64(value, true);
        }

        /** Returns a number of four octets: the low half of the full one. */
        public static Number64 ofInt(int value) {
            return new Number64(Integer.toUnsignedLong(value), false);
        }

        static Number64 read(ByteBuffer in, boolean isLong) {
            return isLong ? ofLong(in.getLong()) : ofInt(in.getInt());
        }

        /** Returns the number, unsigned. */
        public long value() {
            return value;
        }

        /** Returns whether it takes eight octets on the wire, otherwise four. */
        public boolean isLong() {
            return isLong;
        }

        int octets() {
            return isLong ? Long.BYTES : Integer.BYTES;
        }

        void write(ByteBuffer out) {
            if (isLong) {
                out.putLong(value);
            } else {
                out.putInt((int) value);
            }
        }
    }

    /** Which octets of the data stream a subflow's octets are. */
    public static final class Mapping {
        static final int FIXED = 6;

        private final Number64 sequence;
        private final int subflowSequence;
        private final int dataLength;
        private final OptionalInt checksum;

        /**
         * Makes a mapping.
         *
         * @param sequence        data sequence number of the first octet
         * @param subflowSequence its sequence number on the subflow, relative to the subflow's first
         * @param dataLength      octets mapped, 0 to 65535
         * @param checksum        the DSS checksum, 0 to 65535, empty if not negotiated
         */
        public Mapping(Number64 sequence, int subflowSequence, int dataLength, OptionalInt checksum) {
            this.sequence = Objects.requireNonNull(sequence, "sequence");
            this.subflowSequence = subflowSequence;
            this.dataLength = checkField("data length", dataLength, 0xffff);
            checksum.ifPresent(value -> checkField("checksum", value, 0xffff));
            this.checksum = checksum;
        }

        static Mapping read(ByteBuffer in, boolean isLong) {
            Number64 sequence = Number64.read(in, isLong);
            int subflowSequence = in.getInt();
            int dataLength = Short.toUnsignedInt(in.getShort());
            OptionalInt checksum = in.hasRemaining()
                    ? OptionalInt.of(Short.toUnsignedInt(in.getShort())) : OptionalInt.empty();
            return new Mapping(sequence, subflowSequence, dataLength, checksum);
        }

        /** Returns the data sequence number of the first octet. */
        public Number64 sequence() {
            return sequence;
        }

        /** Returns the first octet's relative sequence number on the subflow. */
        public int subflowSequence() {
            return subflowSequence;
        }

        /** Returns the octets mapped. */
        public int dataLength() {
            return dataLength;
        }

        /** Returns the DSS checksum, if one was negotiated. */
        public OptionalInt checksum() {
            return checksum;
        }

        int octets() {
            return sequence.octets() + FIXED + (checksum.isPresent() ? CHECKSUM : 0);
        }

        void write(ByteBuffer out) {
            sequence.write(out);
            out.putInt(subflowSequence).putShort((short) dataLength);
            checksum.ifPresent(value -> out.putShort((short) value));
        }
    }
}
