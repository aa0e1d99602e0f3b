// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import org.subflow.mptcp.placement.PlacementTerms;

/** What is the same for all connections of a run. Set by whoever makes it, and not changed once a run has begun. */
public final class Parameters {
    /** Full frames of Ethernet, bytes. */
    public static final double FRAME_BYTES = 1514;

    /** Strategy and number of subflows of a connection that has earned its paths; not null. */
    public PlacementTerms terms;
    /** Which nodes are hosts: the controller chooses paths between their switches. Null if none is. */
    public boolean[] isHost;
    /** Name of the allocator by whose notion of fairness agents divide the network; not null. */
    public String allocator;
    /** Whether hosts have agents, so that connections share; else subflows do, as kernels let them. */
    public boolean agents = true;
    /** Whether rates by connection are approximated by water-filling. */
    public boolean approximate;
    /** Strategy of the one path that a connection has first: {@code ecmp} or {@code shortest}. */
    public String plain = "ecmp";
    /** A connection earns its paths when it has sent so many bytes on the wire ({@code manageAfterBytes}). */
    public double manageAfterBytes = 100_000;
    /** Or when it has such an age, in seconds ({@code manageAfterMillis}). */
    public double manageAfterSeconds = 3;
    /** Seconds between two computations of shares; 0 for one at each change. */
    public double step;
    /** Seconds from a link's end until the subflows there have other paths. */
    public double repairSeconds = 0.05;
    /** Payload of a full frame of {@link #FRAME_BYTES}; as much as the frame if nothing goes with it. */
    public double payloadBytes = FRAME_BYTES;
    /** At how many moments the rates are compared with exact ones, and with the best routing. */
    public int snapshots = 10;

    /** Returns bits on the wire for a payload in bytes. */
    double wireBits(double bytes) {
        return bytes * 8 * FRAME_BYTES / payloadBytes;
    }
}
