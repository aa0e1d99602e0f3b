// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

/** The subtypes of TCP option kind 30 (RFC 8684 section 8.2). */
public enum Subtype {
    /** Opens a connection. */
    MP_CAPABLE(0x0),
    /** Adds a subflow to a connection. */
    MP_JOIN(0x1),
    /** Data sequence signal. */
    DSS(0x2),
    /** Announces an address. */
    ADD_ADDR(0x3),
    /** Withdraws addresses. */
    REMOVE_ADDR(0x4),
    /** Changes a subflow's backup flag. */
    MP_PRIO(0x5),
    /** Reports a failed checksum: fallback. */
    MP_FAIL(0x6),
    /** Closes the whole connection at once. */
    MP_FASTCLOSE(0x7),
    /** Says why a subflow is reset (RFC 8684 only). */
    MP_TCPRST(0x8),
    /** For private use in controlled environments. */
    MP_EXPERIMENTAL(0xf),
    /** 0x9 to 0xe: assigned to nothing. */
    UNKNOWN(-1);

    private final int number;

    Subtype(int number) {
        this.number = number;
    }

    /**
     * Returns the subtype with the given number.
     *
     * @param number the four bits on the wire
     * @return the subtype, {@link #UNKNOWN} for unassigned numbers
     */
    public static Subtype of(int number) {
        if (number == MP_EXPERIMENTAL.number) {
            return MP_EXPERIMENTAL;
        }
        return number >= 0 && number <= MP_TCPRST.number ? values()[number] : UNKNOWN;
    }

    /** Returns the number on the wire, −1 for {@link #UNKNOWN}. */
    public int number() {
        return number;
    }
}
