// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableSortedSet;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import org.subflow.mptcp.path.Graph;

/** What is known of a directed link besides its ends (traffic engineering attributes, RFC 2702 section 6). Immutable. */
public final class LinkAttributes {
    private final double capacity;
    private final CapacitySource source;
    /** Not a number if it is unknown. */
    private final double delayMillis;
    private final ImmutableSortedSet<String> riskGroups;

    private LinkAttributes(double capacity, CapacitySource source, double delayMillis, Set<String> riskGroups) {
        checkArgument(capacity >= 0 && capacity < Double.POSITIVE_INFINITY, "a capacity of %s bit/s", capacity);
        this.capacity = capacity;
        this.source = checkNotNull(source, "source");
        checkArgument(!(delayMillis < 0 || delayMillis > Graph.MOST_DELAY), "a delay of %s ms", delayMillis);
        this.delayMillis = delayMillis;
        this.riskGroups = ImmutableSortedSet.copyOf(riskGroups);
    }

    /**
     * Makes attributes.
     *
     * @param capacity bit/s, 0 or more, finite; 0 makes the direction unusable
     * @param source   where the capacity is from; not null
     * @throws IllegalArgumentException if the capacity is out of range
     */
    public static LinkAttributes of(double capacity, CapacitySource source) {
        return new LinkAttributes(capacity, source, Double.NaN, Set.of());
    }

    /** Returns these attributes with another capacity in bit/s, from the same source. */
    public LinkAttributes withCapacity(double bitPerSecond) {
        return new LinkAttributes(bitPerSecond, source, delayMillis, riskGroups);
    }

    /**
     * Returns these attributes with a delay and shared-risk link groups.
     *
     * @param millis the delay in milliseconds, 0 to a day; not a number if it is unknown
     * @param groups names of the groups (RFC 4202); not null
     * @throws IllegalArgumentException if the delay is out of range
     */
    public LinkAttributes with(double millis, Set<String> groups) {
        return new LinkAttributes(capacity, source, millis, groups);
    }

    /** Returns the capacity in bit/s; 0 if none is usable. */
    public double capacity() {
        return capacity;
    }

    /** Returns where the capacity is from. */
    public CapacitySource source() {
        return source;
    }

    /** Returns the delay in milliseconds; empty if it is unknown. */
    public OptionalDouble delayMillis() {
        return Double.isNaN(delayMillis) ? OptionalDouble.empty() : OptionalDouble.of(delayMillis);
    }

    /** Returns the names of its shared-risk link groups, in alphabetical order. */
    public Set<String> riskGroups() {
        return riskGroups;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof LinkAttributes)) {
            return false;
        }
        LinkAttributes that = (LinkAttributes) other;
        return Double.compare(capacity, that.capacity) == 0 && source == that.source
                && Double.compare(delayMillis, that.delayMillis) == 0 && riskGroups.equals(that.riskGroups);
    }

    @Override
    public int hashCode() {
        return Objects.hash(capacity, source, delayMillis, riskGroups);
    }
}
