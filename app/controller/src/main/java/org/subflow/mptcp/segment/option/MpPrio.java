// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import java.util.OptionalInt;

/** MP_PRIO: makes a subflow a backup or a regular one (RFC 6824 and RFC 8684, section 3.3.8). */
public final class MpPrio extends MptcpOption {
    static final int LENGTH = 3;
    static final int LENGTH_WITH_ADDRESS = 4;
    static final int BACKUP = 0x1;

    private final boolean backup;
    private final OptionalInt addressId;

    /**
     * Makes the option.
     *
     * @param backup    whether the subflow becomes a backup
     * @param addressId v0 only: the address whose subflows change, 0 to 255; empty: the subflow that carries this
     */
    public MpPrio(boolean backup, OptionalInt addressId) {
        super(addressId.isPresent() ? LENGTH_WITH_ADDRESS : LENGTH);
        this.backup = backup;
        addressId.ifPresent(value -> checkField("address id", value, 0xff));
        this.addressId = addressId;
    }

    @Override
    public Subtype subtype() {
        return Subtype.MP_PRIO;
    }

    /** Returns whether the subflow becomes a backup. */
    public boolean backup() {
        return backup;
    }

    /** Returns the address whose subflows change; empty: the subflow that carries the option. */
    public OptionalInt addressId() {
        return addressId;
    }

    @Override
    int lowBits() {
        return backup ? BACKUP : 0;
    }

    @Override
    void writeBody(ByteBuffer out) {
        addressId.ifPresent(value -> out.put((byte) value));
    }
}
