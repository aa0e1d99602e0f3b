// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import org.subflow.mptcp.handshake.InitialNumbers;
import org.subflow.mptcp.segment.Ending;
import org.subflow.mptcp.segment.Segment;

/** What the hosts of a subflow have sent, and which of them have ended it. */
final class SubflowTraffic {
    private final InitialNumbers numbers;
    private final Ending ending = new Ending();
    private long octets;

    SubflowTraffic(InitialNumbers numbers) {
        this.numbers = numbers;
    }

    void note(Segment segment, boolean bySource) {
        octets = Math.max(octets, numbers.sent(segment, bySource));
    }

    /** Returns the octets of payload in both directions. */
    long octets() {
        return octets;
    }

    void end(boolean bySource, boolean reset) {
        ending.note(bySource, reset);
    }

    boolean hasEnded() {
        return ending.isComplete();
    }

    /** Returns which hosts have ended it. */
    Ending ending() {
        return ending;
    }
}
