// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import org.subflow.mptcp.handshake.InitialNumbers;
import org.subflow.mptcp.segment.Ending;
import org.subflow.mptcp.segment.Segment;

/** What the hosts of a subflow have sent, and which of them have ended it. */
final class SubflowTraffic {
    /** Null until the first segment, if what it has sent before does not count. */
    private InitialNumbers numbers;
    private final Ending ending = new Ending();
    private long octets;

    SubflowTraffic(InitialNumbers numbers) {
        this.numbers = numbers;
    }

    /** Makes a subflow of which only that counts what it sends after the next segment. */
    static SubflowTraffic anew() {
        return new SubflowTraffic(null);
    }

    /** Returns whether no segment has shown so far from where to count. */
    boolean isUnheard() {
        return numbers == null;
    }

    void note(Segment segment, boolean bySource) {
        if (numbers == null) {
            numbers = InitialNumbers.after(segment, bySource);
        }
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
