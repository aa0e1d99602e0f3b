// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Remembers SYNs until they are answered. So a busy port can be told from one that floods: answers come from another port. A
 * bounded table without chains: a newer SYN may take the place of an older one, which then stays unanswered. Thread-safe.
 */
final class AnsweredSyns {

    /** How many SYNs are remembered at most. */
    static final int SLOTS = 1 << 15;

    /** So that nobody outside knows which connections share a slot. */
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final AtomicReferenceArray<Syn> slots = new AtomicReferenceArray<>(SLOTS);

    private static final class Syn {
        private final long hash;
        private final PortBound port;

        private Syn(long hash, PortBound port) {
            this.hash = hash;
            this.port = port;
        }
    }

    /**
     * Notes a segment. The first SYN/ACK that answers a SYN of another port gives that port back what the SYN has cost.
     *
     * @param frame the frame, from its Ethernet header on; it may be cut
     * @param port where it came in
     * @return whether it is a SYN, which nobody has answered yet
     */
    boolean note(byte[] frame, PortBound port) {
        TcpFrame segment = TcpFrame.of(frame);
        if (segment == null || !segment.isSyn()) {
            return false;
        }
        if (!segment.isAck()) {
            long hash = segment.hash(seed, false);
            slots.set(slot(hash), new Syn(hash, port));
            return true;
        }
        long hash = segment.hash(seed, true);
        Syn syn = slots.get(slot(hash));
        if (syn != null && syn.hash == hash && syn.port != port && slots.compareAndSet(slot(hash), syn, null)) {
            syn.port.giveBack();
        }
        return false;
    }

    private static int slot(long hash) {
        return (int) (hash >>> 40) & (SLOTS - 1);
    }
}
