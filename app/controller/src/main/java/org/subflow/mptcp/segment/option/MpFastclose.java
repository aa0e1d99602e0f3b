// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;

/** MP_FASTCLOSE: closes the whole connection at once (RFC 8684 section 3.5). */
public final class MpFastclose extends MptcpOption {
    static final int LENGTH = 12;

    private final long receiverKey;

    /**
     * Makes the option.
     *
     * @param receiverKey the key of the host that receives it
     */
    public MpFastclose(long receiverKey) {
        super(LENGTH);
        this.receiverKey = receiverKey;
    }

    @Override
    public Subtype subtype() {
        return Subtype.MP_FASTCLOSE;
    }

    /** Returns the key of the host that receives the option. */
    public long receiverKey() {
        return receiverKey;
    }

    @Override
    int lowBits() {
        return 0;
    }

    @Override
    void writeBody(ByteBuffer out) {
        out.put((byte) 0).putLong(receiverKey);
    }
}
