// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import org.subflow.mptcp.segment.Segment;

/**
 * The initial sequence numbers of a TCP connection (RFC 9293 section 3.4.1). From these, the numbers of any later segment
 * tell how much both hosts have sent so far. Immutable.
 */
public final class InitialNumbers {
    private final int initiator;
    private final int listener;

    /**
     * Makes numbers.
     *
     * @param initiator number of the SYN
     * @param listener  number of the SYN/ACK
     */
    public InitialNumbers(int initiator, int listener) {
        this.initiator = initiator;
        this.listener = listener;
    }

    /**
     * Returns the numbers with which both hosts would have sent nothing up to a segment: from it on they are counted anew.
     *
     * @param segment     a segment with ACK; not null
     * @param byInitiator whether the sender of the SYN sent it
     * @return the numbers
     */
    public static InitialNumbers after(Segment segment, boolean byInitiator) {
        int own = segment.sequence() + segment.payloadLength() - 1;
        int others = segment.acknowledgement() - 1;
        return byInitiator ? new InitialNumbers(own, others) : new InitialNumbers(others, own);
    }

    /**
     * Returns what both hosts have sent up to a segment, in octets, as far as its sender knows; up to 2 GiB in
     * each direction.
     *
     * @param segment     a segment with ACK
     * @param byInitiator whether the sender of the SYN sent it
     * @return octets of payload, both directions together
     */
    public long sent(Segment segment, boolean byInitiator) {
        int own = segment.sequence() + segment.payloadLength() - 1 - (byInitiator ? initiator : listener);
        int others = segment.acknowledgement() - 1 - (byInitiator ? listener : initiator);
        return (long) Math.max(own, 0) + Math.max(others, 0);
    }
}
