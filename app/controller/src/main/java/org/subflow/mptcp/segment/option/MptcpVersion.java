// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.util.Optional;

/** The versions of MPTCP that are understood, with the hash algorithms that each of them prescribes. */
public enum MptcpVersion {
    /** RFC 6824: the initiator's key is in the first SYN; tokens by SHA-1. */
    V0(0, "SHA-1", "HmacSHA1"),
    /** RFC 8684: no key in the first SYN; tokens by SHA-256. */
    V1(1, "SHA-256", "HmacSHA256");

    /** The number on the wire. */
    public final int number;
    /** The Java name of the digest that makes a token of a key. */
    public final String digest;
    /** The Java name of the keyed hash that authenticates an MP_JOIN. */
    public final String hmac;

    MptcpVersion(int number, String digest, String hmac) {
        this.number = number;
        this.digest = digest;
        this.hmac = hmac;
    }

    /**
     * Returns the version with the number of an MP_CAPABLE's version field.
     *
     * @param number the four bits of the field
     * @return the version; empty if it is not understood
     */
    public static Optional<MptcpVersion> of(int number) {
        return number == 0 ? Optional.of(V0) : number == 1 ? Optional.of(V1) : Optional.empty();
    }
}
