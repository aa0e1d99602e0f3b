// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.net.Link;

/**
 * One direction of a link: what it can carry, what MPTCP subflows hold of it, what it carries, and how much of that is not
 * theirs. Immutable.
 */
public final class LinkUsage {
    private final Link link;
    private final double capacity;
    private final double reserved;
    private final double measured;
    private final double others;
    private final int subflows;

    /**
     * Makes a link usage.
     *
     * @param link     the directed link; not null
     * @param capacity bit/s
     * @param reserved bit/s that ONOS has given MPTCP subflows; follows what they expect by some milliseconds
     * @param measured bit/s sent by its source port in the last interval of port statistics, all traffic
     * @param others   bit/s of traffic beside MPTCP subflows and beyond what others have reserved, as paths and shares take
     *                 it into account: smoothed, and 0 if next to nothing
     * @param subflows how many MPTCP subflows use it
     */
    public LinkUsage(Link link, double capacity, double reserved, double measured, double others, int subflows) {
        this.link = checkNotNull(link, "link");
        this.capacity = capacity;
        this.reserved = reserved;
        this.measured = measured;
        this.others = others;
        this.subflows = subflows;
    }

    /** Returns the directed link. */
    public Link link() {
        return link;
    }

    /** Returns the capacity in bit/s. */
    public double capacity() {
        return capacity;
    }

    /** Returns what MPTCP subflows have reserved on it in ONOS, in bit/s. */
    public double reserved() {
        return reserved;
    }

    /** Returns what its source port sends, all traffic, in bit/s. */
    public double measured() {
        return measured;
    }

    /** Returns what it carries beside MPTCP subflows and beyond what others have reserved, smoothed, in bit/s. */
    public double others() {
        return others;
    }

    /** Returns how many MPTCP subflows use it. */
    public int subflows() {
        return subflows;
    }
}
