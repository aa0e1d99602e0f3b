// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.Optional;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.Segment;

/**
 * Watches connections whose handshake was not seen until the segments of both directions fit together. One segment is
 * easily forged. Numbers that fit the other direction are not, unless the forger is that host. Confined to the tracker.
 */
final class MidstreamWatch {
    /** How far apart what one sends and what the other acknowledges may be: data and holes under way. */
    private static final int TOLERANCE = 1 << 24;

    private final ExpiringTable<Seen> watched;

    private static final class Seen {
        private final FiveTuple sender;
        private final int next;
        private final int acknowledgement;

        private Seen(Segment segment) {
            this.sender = segment.fiveTuple();
            this.next = segment.sequence() + segment.payloadLength();
            this.acknowledgement = segment.acknowledgement();
        }

        private boolean fits(Segment answer) {
            return isNear(answer.acknowledgement(), next) && isNear(answer.sequence(), acknowledgement);
        }

        private static boolean isNear(int a, int b) {
            return Integer.compareUnsigned(a - b + TOLERANCE, 2 * TOLERANCE) < 0;
        }
    }

    MidstreamWatch(TrackerLimits limits) {
        this.watched = new ExpiringTable<>(limits.midstream, TrackerLimits.MIDSTREAM_NANOS);
    }

    /** Takes a segment; returns whether it fits what the other direction showed before. */
    boolean confirms(Segment segment, long now) {
        FiveTuple there = segment.fiveTuple();
        FiveTuple key = there.compareTo(there.reversed()) <= 0 ? there : there.reversed();
        Optional<Seen> seen = watched.get(key);
        if (seen.isPresent() && !seen.get().sender.equals(segment.fiveTuple())) {
            watched.remove(key);
            if (seen.get().fits(segment)) {
                return true;
            }
        }
        watched.put(key, new Seen(segment), now);
        return false;
    }

    void expire(long now) {
        watched.expire(now);
    }

    int size() {
        return watched.size();
    }
}
