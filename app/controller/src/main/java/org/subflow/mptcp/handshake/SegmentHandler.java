// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.PacketOwner;
import org.subflow.mptcp.segment.Segment;

/**
 * Takes what segments tell. Called by one thread at a time ({@link Tracking}), but for what is said to be thread-safe. It may be
 * one of ONOS's packet threads, so each method must return soon.
 */
public interface SegmentHandler extends HandshakeEvent.Listener, PacketOwner {
    /**
     * A connection has begun: a SYN without MP_JOIN.
     *
     * @param initiators its five-tuple as its client sends it
     */
    void began(FiveTuple initiators);

    /**
     * An MP_JOIN has begun. Forward its SYN by calling {@code forward}, now or soon, or drop it by not doing so.
     */
    void joinAttempted(JoinAttempt attempt, Runnable forward);

    /**
     * A segment that follows the handshake of a connection, or ends it.
     *
     * @param segment the segment, without SYN
     * @param now     nanoseconds
     * @return whether the connection is remembered as one without rules
     */
    boolean counted(Segment segment, long now);

    /**
     * A copy of a segment with FIN or RST, which the switches have forwarded.
     *
     * @param segment the segment, without SYN
     */
    void ended(Segment segment);

    /**
     * A packet of a connection whose handshake was not seen, or whose rules have gone.
     *
     * @param segment   the packet, without SYN, FIN and RST
     * @param confirmed whether packets of both directions were seen that fit together
     */
    void midstream(Segment segment, boolean confirmed);

    /**
     * Time has passed; called many times a second.
     *
     * @param now nanoseconds
     */
    void age(long now);

    /** Removes what nobody needs any more; called every few seconds. */
    void sweep();
}
