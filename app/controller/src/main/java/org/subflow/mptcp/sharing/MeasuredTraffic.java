// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.net.Link;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.routing.Traffic;

/** The demands and the other traffic that counters tell. Any thread may ask. */
public final class MeasuredTraffic implements Traffic {
    private final Demands demands;
    private final OtherTraffic others;

    public MeasuredTraffic(Demands demands, OtherTraffic others) {
        this.demands = checkNotNull(demands, "demands");
        this.others = checkNotNull(others, "others");
    }

    @Override
    public Demand demand(ConnectionId id) {
        return demands.of(id);
    }

    @Override
    public double other(Link link) {
        return others.on(link);
    }

    @Override
    public long changes() {
        // Both only grow, so their sum is another one if either is.
        return demands.changes() + others.changes();
    }
}
