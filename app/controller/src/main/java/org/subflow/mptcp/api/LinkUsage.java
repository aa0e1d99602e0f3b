// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.net.Link;

/**
 * The usage of one direction of a link: its capacity, the reservations of MPTCP subflows, all its traffic, and the other
 * traffic among that. Immutable.
 */
public final class LinkUsage {
    private final Link link;
    private final LinkAttributes attributes;
    private final double reserved;
    private final double measured;
    private final double others;
    private final int subflows;

    /**
     * Makes a link usage.
     *
     * @param link       the directed link; not null
     * @param attributes its capacity, and what else is known of it; not null
     * @param reserved   bit/s that ONOS has reserved for MPTCP subflows; follows their expected throughputs with some
     *                   milliseconds of delay
     * @param measured   bit/s sent by its source port in the last interval of port statistics, all traffic; NaN
     *                   if its counter has not been read twice
     * @param others     bit/s of traffic without MPTCP subflows, beyond other applications' reservations. Paths and shares
     *                   take this value into account: it is smoothed, and 0 if insignificant
     * @param subflows   how many MPTCP subflows use it
     */
    public LinkUsage(Link link, LinkAttributes attributes, double reserved, double measured, double others, int subflows) {
        this.link = checkNotNull(link, "link");
        this.attributes = checkNotNull(attributes, "attributes");
        this.reserved = reserved;
        this.measured = measured;
        this.others = others;
        this.subflows = subflows;
    }

    /** Returns the directed link. */
    public Link link() {
        return link;
    }

    /** Returns what is known of the link besides its ends. */
    public LinkAttributes attributes() {
        return attributes;
    }

    /** Returns the capacity in bit/s. */
    public double capacity() {
        return attributes.capacity();
    }

    /** Returns the reservations of MPTCP subflows in ONOS, in bit/s. */
    public double reserved() {
        return reserved;
    }

    /** Returns the rate of its source port, all traffic, in bit/s; NaN if its counter has not been read twice. */
    public double measured() {
        return measured;
    }

    /**
     * Returns the other traffic, without MPTCP subflows and beyond other applications' reservations, smoothed, in bit/s.
     */
    public double others() {
        return others;
    }

    /** Returns how many MPTCP subflows use it. */
    public int subflows() {
        return subflows;
    }
}
