// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import java.util.Optional;

/** What a host reads of an {@link MpEt}, as {@code docs/mp-et.md} has it. */
public final class ReadMpEt {
    private final int flags;
    private final int seconds;
    private final long kbitsPerSecond;
    private final int sequence;
    private final long authenticator;

    private ReadMpEt(int flags, ByteBuffer rest) {
        this.flags = flags;
        this.seconds = Short.toUnsignedInt(rest.getShort());
        this.kbitsPerSecond = Integer.toUnsignedLong(rest.getInt());
        this.sequence = rest.getInt();
        this.authenticator = rest.getLong();
    }

    /** Reads the option; empty if another one, of another version or not well-formed. Reserved bits are ignored. */
    public static Optional<ReadMpEt> of(MptcpOption option) {
        if (!(option instanceof OtherOption) || option.subtype() != Subtype.MP_EXPERIMENTAL || option.length() != MpEt.LENGTH) {
            return Optional.empty();
        }
        OtherOption read = (OtherOption) option;
        ByteBuffer in = ByteBuffer.wrap(read.body());
        int flags = Byte.toUnsignedInt(in.get());
        return read.value() != MpEt.VERSION || in.getShort() != MpEt.IDENTIFIER ? Optional.empty()
                : Optional.of(new ReadMpEt(flags, in));
    }

    /** Returns whether the subflow is a backup. */
    public boolean backup() {
        return (flags & MpEt.BACKUP) != 0;
    }

    /** Returns how long the throughput holds, seconds. */
    public int seconds() {
        return seconds;
    }

    /** Returns the expected throughput, kbit/s on the wire. */
    public long kbitsPerSecond() {
        return kbitsPerSecond;
    }

    /** Returns the number that grows from one option to the next, modulo 2³². */
    public int sequence() {
        return sequence;
    }

    /** Returns the authenticator; 0 for a host that shares no secret with the controller. */
    public long authenticator() {
        return authenticator;
    }

    /** Returns the option that says this. */
    public MpEt written() {
        return new MpEt(backup(), seconds, kbitsPerSecond, sequence, authenticator);
    }
}
