// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

/** Tracks the segments whose source is attached where they came in. Thread-safe. */
public interface SegmentTracking {
    /**
     * Tracks a segment that the controller forwards.
     *
     * @param segment the segment; not null
     * @param forward forwards it, or drops it by not being called
     */
    void track(Segment segment, Runnable forward);

    /**
     * Tracks a copy of a segment that the switches forward. If too many wait, those that begin a connection give way: it then
     * has no paths. Without those that end one, its paths would outlive it.
     *
     * @param segment the segment; not null
     */
    void copied(Segment segment);
}
