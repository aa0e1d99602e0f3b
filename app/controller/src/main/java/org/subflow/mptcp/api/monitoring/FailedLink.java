// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableSet;
import java.util.Set;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.ConnectionId;

/** A link that was there and is not, or of which ONOS says that it is inactive; for both directions. Immutable. */
public final class FailedLink {
    private final Link link;
    private final double capacity;
    private final long sinceMillis;
    private final Set<ConnectionId> moved;

    /**
     * Makes it.
     *
     * @param link        one of its directions; not null
     * @param capacity    bit/s that this direction had; 0 if nobody has seen it up
     * @param sinceMillis since when, milliseconds of the Unix epoch
     * @param moved       connections that had a subflow on it and had to leave it; not null
     */
    public FailedLink(Link link, double capacity, long sinceMillis, Set<ConnectionId> moved) {
        this.link = checkNotNull(link, "link");
        this.capacity = capacity;
        this.sinceMillis = sinceMillis;
        this.moved = ImmutableSet.copyOf(moved);
    }

    /** Returns one of its directions. */
    public Link link() {
        return link;
    }

    /** Returns the capacity that this direction had, bit/s; 0 if nobody has seen it up. */
    public double capacity() {
        return capacity;
    }

    /** Returns since when, milliseconds of the Unix epoch. */
    public long sinceMillis() {
        return sinceMillis;
    }

    /** Returns the connections that had a subflow on it, in the order in which they left it, a hundred at most. */
    public Set<ConnectionId> moved() {
        return moved;
    }

    /** Returns it with a connection more that has left it. */
    public FailedLink with(ConnectionId connection) {
        return new FailedLink(link, capacity, sinceMillis,
                              ImmutableSet.<ConnectionId>builder().addAll(moved).add(connection).build());
    }
}
