// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;

/** An option for private use (subtype 0xf) or of a subtype that is assigned to nothing: its octets as they are. */
public final class OtherOption extends MptcpOption {
    private final int subtypeBits;
    private final int lowBits;
    private final byte[] body;

    /**
     * Makes the option.
     *
     * @param subtypeBits the subtype, 0x9 to 0xf
     * @param lowBits     the four bits beside the subtype
     * @param body        what follows, at most 37 octets (40 with kind, length and subtype); copied
     */
    public OtherOption(int subtypeBits, int lowBits, byte[] body) {
        super(MIN_LENGTH + body.length);
        this.subtypeBits = checkField("subtype", subtypeBits, 0xf);
        if (subtypeBits <= Subtype.MP_TCPRST.number()) {
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
