// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

/** Why TCP options, or an MPTCP option among them, could not be used. */
public enum MalformedReason {
    /** A TCP option's length field says 0 or 1, so that the next option cannot be found; what follows is not read. */
    LENGTH_BELOW_TWO,
    /** A TCP option goes past the end of the header; it and what follows are not read. */
    PAST_END,
    /** A kind-30 option has no room for its subtype. */
    NO_SUBTYPE,
    /** The length is right for no segment, given subtype and version or flags. */
    WRONG_LENGTH,
    /** A well-formed option on a segment on which it must not be, as an MP_JOIN of a third ACK on a SYN. */
    WRONG_SEGMENT,
    /** The subtype is assigned to nothing (0x9 to 0xe); the option is kept as it is. */
    UNKNOWN_SUBTYPE,
    /** An MP_CAPABLE of a version other than 0 and 1. */
    UNSUPPORTED_VERSION,
    /** An MP_CAPABLE with the extensibility flag, or without the flag of the keyed hash in use. */
    UNSUPPORTED_FLAGS,
    /** Several options of one subtype: which one the host takes is unknown, so none is kept. */
    DUPLICATE_SUBTYPE,
    /** MP_CAPABLE and MP_JOIN on one segment: neither is kept. */
    CONFLICTING_SUBTYPES
}
