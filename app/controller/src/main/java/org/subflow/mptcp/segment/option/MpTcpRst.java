// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;

/** MP_TCPRST: why a subflow is reset (RFC 8684 section 3.6; not in v0). */
public final class MpTcpRst extends MptcpOption {
    static final int LENGTH = 4;

    private final int flags;
    private final int reason;

    /**
     * Makes the option.
     *
     * @param flags  the four flags U, V, W, T; T (1) says that the cause is transient
     * @param reason the reason code, 0 to 255
     */
    public MpTcpRst(int flags, int reason) {
        super(LENGTH);
        this.flags = checkField("flags", flags, 0xf);
        this.reason = checkField("reason", reason, 0xff);
    }

    @Override
    public Subtype subtype() {
        return Subtype.MP_TCPRST;
    }

    /** Returns whether the sender expects the cause to pass. */
    public boolean isTransient() {
        return (flags & 1) != 0;
    }

    /** Returns the reason code. */
    public int reason() {
        return reason;
    }

    @Override
    int lowBits() {
        return flags;
    }

    @Override
    void writeBody(ByteBuffer out) {
        out.put((byte) reason);
    }
}
