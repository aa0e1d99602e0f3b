// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;

/** MP_FAIL: a DSS checksum failed, the data stream is good up to a number (RFC 8684 section 3.7). */
public final class MpFail extends MptcpOption {
    static final int LENGTH = 12;

    private final long sequence;

    /**
     * Makes the option.
     *
     * @param sequence data sequence number of the start of the failed segment, unsigned
     */
    public MpFail(long sequence) {
        super(LENGTH);
        this.sequence = sequence;
    }

    @Override
    public Subtype subtype() {
        return Subtype.MP_FAIL;
    }

    /** Returns the data sequence number of the start of the failed segment, unsigned. */
    public long sequence() {
        return sequence;
    }

    @Override
    int lowBits() {
        return 0;
    }

    @Override
    void writeBody(ByteBuffer out) {
        out.put((byte) 0).putLong(sequence);
    }
}
