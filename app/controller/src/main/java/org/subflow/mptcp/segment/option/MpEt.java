// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.ByteBuffer;

/**
 * MP_ET: tells a host the expected throughput of a subflow (S-MPTCP, section 4; the paper gives no format). It is an option for
 * private use (RFC 8684, section 8.2), so that it has an identifier of its own. Format and rules: {@code docs/mp-et.md}.
 *
 * <p>On the wire it is an {@link OtherOption} of subtype MP_EXPERIMENTAL, as which the parser reads it. Immutable.
 */
public final class MpEt {
    /** Octets of the whole option. */
    public static final int LENGTH = 24;
    /** Octets of the authenticator, which end the option. */
    public static final int AUTHENTICATOR_LENGTH = 8;
    /** Greatest lifetime, seconds. */
    public static final int MOST_SECONDS = 0xffff;

    static final int VERSION = 1;
    static final int BACKUP = 0x80;
    static final short IDENTIFIER = 0x4554;
    private static final int BODY_LENGTH = LENGTH - MptcpOption.MIN_LENGTH;
    private static final long MOST_KBITS = 0xffffffffL;

    private final boolean backup;
    private final int seconds;
    private final long kbitsPerSecond;
    private final int sequence;
    private final long authenticator;

    /**
     * Makes the option.
     *
     * @param backup         whether the subflow is a backup
     * @param seconds        how long the throughput holds, 0 to 65535 seconds
     * @param kbitsPerSecond the expected throughput in kbit/s on the wire, 0 to 2³² − 1
     * @param sequence       a number that grows from one option to the next, modulo 2³²
     * @param authenticator  see {@link #withAuthenticator}
     * @throws IllegalArgumentException if a number does not fit into its field
     */
    public MpEt(boolean backup, int seconds, long kbitsPerSecond, int sequence, long authenticator) {
        this.backup = backup;
        this.seconds = MptcpOption.checkField("lifetime", seconds, MOST_SECONDS);
        checkArgument(kbitsPerSecond >= 0 && kbitsPerSecond <= MOST_KBITS, "throughput %s is not within 0..%s",
                      kbitsPerSecond, MOST_KBITS);
        this.kbitsPerSecond = kbitsPerSecond;
        this.sequence = sequence;
        this.authenticator = authenticator;
    }

    /** Returns the option as a TCP header carries it. */
    public OtherOption option() {
        ByteBuffer body = ByteBuffer.allocate(BODY_LENGTH).put((byte) (backup ? BACKUP : 0)).putShort(IDENTIFIER)
                .putShort((short) seconds).putInt((int) kbitsPerSecond).putInt(sequence).putLong(authenticator);
        return new OtherOption(Subtype.MP_EXPERIMENTAL.number(), VERSION, body.array());
    }

    /** Returns this option with another authenticator. */
    public MpEt withAuthenticator(long value) {
        return new MpEt(backup, seconds, kbitsPerSecond, sequence, value);
    }
}
