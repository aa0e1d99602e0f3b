// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import java.util.List;

/** REMOVE_ADDR: a host withdraws addresses of its own (RFC 6824 and RFC 8684, section 3.4.2). */
public final class RemoveAddr extends MptcpOption {
    static final int LEAST = 4;
    private static final int FIXED = 3;

    private final List<Integer> addressIds;

    /**
     * Makes the option.
     *
     * @param addressIds identifiers of the addresses, each 0 to 255, at least one; copied
     */
    public RemoveAddr(List<Integer> addressIds) {
        super(FIXED + addressIds.size());
        if (addressIds.isEmpty()) {
            throw new IllegalArgumentException("REMOVE_ADDR needs an address id");
        }
        addressIds.forEach(id -> checkField("address id", id, 0xff));
        this.addressIds = List.copyOf(addressIds);
    }

    @Override
    public Subtype subtype() {
        return Subtype.REMOVE_ADDR;
    }

    /** Returns the identifiers of the addresses, at least one. */
    public List<Integer> addressIds() {
        return addressIds;
    }

    @Override
    int lowBits() {
        return 0;
    }

    @Override
    void writeBody(ByteBuffer out) {
        addressIds.forEach(id -> out.put(id.byteValue()));
    }
}
