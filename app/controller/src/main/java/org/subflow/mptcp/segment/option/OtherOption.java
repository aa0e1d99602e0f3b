// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;

/**
 * An option that neither opens a connection nor adds a subflow. Its octets are kept as they are: only its subtype counts here, of
 * MP_PRIO also the flag, and of an option for private use what {@link MpEt} says.
 */
public final class OtherOption extends MptcpOption {
    /** Octets of an MP_PRIO for the subflow that carries it; one more names an address (RFC 6824, section 3.3.8). */
    public static final int PRIO_LENGTH = 3;

    private static final int BACKUP = 0x1;

    private final int subtypeBits;
    private final int lowBits;
    private final byte[] body;

    /**
     * Makes the option.
     *
     * @param subtypeBits the subtype, 0x2 to 0xf
     * @param lowBits     the four bits beside the subtype
     * @param body        what follows, at most 37 octets (40 with kind, length and subtype); copied
     */
    public OtherOption(int subtypeBits, int lowBits, byte[] body) {
        super(MIN_LENGTH + body.length);
        this.subtypeBits = checkField("subtype", subtypeBits, 0xf);
        if (subtypeBits <= Subtype.MP_JOIN.number()) {
            throw new IllegalArgumentException(subtype() + " has a class of its own");
        }
        this.lowBits = checkField("low bits", lowBits, 0xf);
        this.body = body.clone();
    }

    @Override
    public Subtype subtype() {
        return Subtype.of(subtypeBits);
    }

    /** Returns the four bits beside the subtype. */
    public int value() {
        return lowBits;
    }

    /** Returns whether this is an MP_PRIO for the subflow that carries it. */
    public boolean isPriority() {
        return subtype() == Subtype.MP_PRIO && length() == PRIO_LENGTH;
    }

    /** Returns whether an MP_PRIO makes the subflow a backup. */
    public boolean isBackup() {
        return (lowBits & BACKUP) != 0;
    }

    /** Returns a copy of what follows the octet of the subtype. */
    public byte[] body() {
        return body.clone();
    }

    @Override
    int subtypeBits() {
        return subtypeBits;
    }

    @Override
    int lowBits() {
        return lowBits;
    }

    @Override
    void writeBody(ByteBuffer out) {
        out.put(body);
    }
}
