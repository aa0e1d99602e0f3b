// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

/** What is known of a directed link besides its ends (traffic engineering attributes, RFC 2702 section 6). Immutable. */
public final class LinkAttributes {
    private final double capacity;
    private final CapacitySource source;

    private LinkAttributes(double capacity, CapacitySource source) {
        checkArgument(capacity >= 0 && capacity < Double.POSITIVE_INFINITY, "a capacity of %s bit/s", capacity);
        this.capacity = capacity;
        this.source = checkNotNull(source, "source");
    }

    /**
     * Makes attributes.
     *
     * @param capacity bit/s, 0 or more, finite; 0 makes the direction unusable
     * @param source   where the capacity is from; not null
     * @throws IllegalArgumentException if the capacity is out of range
     */
    public static LinkAttributes of(double capacity, CapacitySource source) {
        return new LinkAttributes(capacity, source);
    }

    /** Returns these attributes with another capacity in bit/s, from the same source. */
    public LinkAttributes withCapacity(double bitPerSecond) {
        return new LinkAttributes(bitPerSecond, source);
    }

    /** Returns the capacity in bit/s; 0 if none is usable. */
    public double capacity() {
        return capacity;
    }

    /** Returns where the capacity is from. */
    public CapacitySource source() {
        return source;
    }
}
