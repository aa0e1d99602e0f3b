// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.token.ConnectionKeys;

/** A connection that has given its paths back, to become a candidate again. Immutable. */
public final class GivenBack {
    private final ConnectionId id;
    private final FiveTuple first;
    private final ConnectionKeys keys;
    private final ImmutableMap<FiveTuple, Boolean> living;
    private final Threshold threshold;

    /**
     * Makes it.
     *
     * @param id        its name; not null
     * @param first     five-tuple of the subflow that began the connection, which may have ended; not null
     * @param keys      its keys; not null
     * @param living    the subflows in use, from the sender of the SYN; true where the connection's client has sent it; not null
     * @param threshold from when it gets rules again; not null
     */
    public GivenBack(ConnectionId id, FiveTuple first, ConnectionKeys keys, Map<FiveTuple, Boolean> living,
                     Threshold threshold) {
        this.id = checkNotNull(id, "id");
        this.first = checkNotNull(first, "first");
        this.keys = checkNotNull(keys, "keys");
        this.living = ImmutableMap.copyOf(living);
        this.threshold = checkNotNull(threshold, "threshold");
    }

    /** Returns the connection's name. */
    public ConnectionId id() {
        return id;
    }

    /** Returns the five-tuple of the subflow that began the connection. */
    public FiveTuple first() {
        return first;
    }

    ConnectionKeys keys() {
        return keys;
    }

    Map<FiveTuple, Boolean> living() {
        return living;
    }

    Threshold threshold() {
        return threshold;
    }

    @Override
    public String toString() {
        return id + " with " + living.size() + " subflows";
    }
}
