// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.concurrent.Executors;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;

/** The tracking on the thread of a test, which is its only one. */
public final class TrackedNow {
    private final Tracking tracking;
    private final HandshakeTracker tracker;
    private final Clock clock;

    public TrackedNow(HandshakeTracker tracker, DetectCounters counters, SegmentHandler handler, Clock clock) {
        this.tracker = tracker;
        this.clock = clock;
        tracking = new Tracking(tracker, counters, handler, Executors.defaultThreadFactory(), 1, clock::nanos);
    }

    /** A segment that the controller forwards. */
    public void forwarded(Segment segment) {
        tracking.trackNow(segment, () -> { });
    }

    /** The copy of a segment that the switches forward. */
    public void copied(Segment segment) {
        tracking.copiedNow(segment);
    }

    /** Lets handshakes time out. */
    public void expire() {
        tracker.expire(clock.nanos());
    }
}
