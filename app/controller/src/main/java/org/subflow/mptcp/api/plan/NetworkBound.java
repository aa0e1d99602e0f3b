// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.plan;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.MoreObjects;
import org.subflow.mptcp.placement.rate.PlacementQuality;

/** How close all connections together came to the best of any routing, at one moment. Immutable. */
public final class NetworkBound {
    private final long millis;
    private final int connections;
    private final PlacementQuality quality;

    /**
     * Makes a comparison.
     *
     * @param millis      when, milliseconds of the Unix epoch
     * @param connections how many connections were on the network
     * @param quality     their expected throughputs beside the best rates; not null
     */
    public NetworkBound(long millis, int connections, PlacementQuality quality) {
        this.millis = millis;
        this.connections = connections;
        this.quality = checkNotNull(quality, "quality");
    }

    /** Returns when that was, milliseconds of the Unix epoch. */
    public long millis() {
        return millis;
    }

    /** Returns how many connections were on the network. */
    public int connections() {
        return connections;
    }

    /** Returns the expected throughputs beside the best rates. */
    public PlacementQuality quality() {
        return quality;
    }

    @Override
    public String toString() {
        return MoreObjects.toStringHelper(this)
                .add("millis", millis)
                .add("connections", connections)
                .add("sumFraction", quality.sumFraction())
                .add("smallestFraction", quality.smallestFraction())
                .toString();
    }
}
