// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.FiveTuple;

/** Knows which packets are for this application, and what is to be done if nobody else takes them. Thread-safe. */
public interface PacketOwner {
    /** Returns whether packets of a five-tuple that come to the controller are for this application. */
    boolean isAwaited(FiveTuple tuple);

    /**
     * More packets of a five-tuple have come to the controller than it forwards.
     *
     * @param tuple its five-tuple
     * @param port  where they come in, whether or not their source is known there
     */
    void overflowed(FiveTuple tuple, ConnectPoint port);

    /** Notes that no application has forwarded the packets of a five-tuple. */
    void unclaimed(FiveTuple tuple);
}
