// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One well-formed MPTCP option: TCP option kind 30 (RFC 6824, RFC 8684).
 *
 * <p>Immutable. Two options are equal if they are the same octets on the wire and were read as the same form.
 */
public abstract class MptcpOption {
    /** TCP option kind of every MPTCP option. */
    public static final int KIND = 30;
    /** Octets of the smallest option: kind, length, subtype with four bits of its own. */
    public static final int MIN_LENGTH = 3;

    private final int length;

    /**
     * Makes an option of a given size.
     *
     * @param length octets of the whole option with kind and length
     */
    MptcpOption(int length) {
        this.length = length;
    }

    /** Returns the subtype. */
    public abstract Subtype subtype();

    /** Returns the size of the whole option in octets, kind and length included. */
    public final int length() {
        return length;
    }

    /** Returns the four bits of the subtype as they stand on the wire. */
    int subtypeBits() {
        return subtype().number();
    }

    /** Returns the four bits that share an octet with the subtype. */
    abstract int lowBits();

    /** Writes what follows the octet of the subtype: {@code length() - 3} octets. */
    abstract void writeBody(ByteBuffer out);

    /** Returns the option as on the wire. */
    public final byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(length);
        out.put((byte) KIND).put((byte) length).put((byte) (subtypeBits() << 4 | lowBits()));
        writeBody(out);
        return out.array();
    }

    @SuppressWarnings("EqualsGetClass") // each form of an option is a class of its own
    @Override
    public final boolean equals(Object other) {
        return this == other
                || other != null && getClass() == other.getClass()
                        && Arrays.equals(toBytes(), ((MptcpOption) other).toBytes());
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(toBytes());
    }

    /** Returns the subtype's name and the option in hexadecimal digits. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(subtype().name()).append(' ');
        for (byte octet : toBytes()) {
            text.append(String.format("%02x", octet));
        }
        return text.toString();
    }

    /**
     * Checks that a number fits into its field.
     *
     * @throws IllegalArgumentException if it does not
     */
    static int checkField(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is not within 0.." + max);
        }
        return value;
    }
}
