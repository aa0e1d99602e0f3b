// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import java.util.HashMap;
import java.util.Map;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.placement.Demand;

/** Traffic that a test sets: none, and demands without limit, at first. */
final class SetTraffic implements Traffic {
    private final Map<ConnectionId, Demand> demands = new HashMap<>();
    private final Map<Link, Double> others = new HashMap<>();
    private long changes;

    void demand(ConnectionId id, Demand demand) {
        demands.put(id, demand);
        changes++;
    }

    void other(Link link, double bitsPerSecond) {
        others.put(link, bitsPerSecond);
        changes++;
    }

    @Override
    public Demand demand(ConnectionId id) {
        return demands.getOrDefault(id, Demand.UNLIMITED);
    }

    @Override
    public double other(Link link) {
        return others.getOrDefault(link, 0.0);
    }

    @Override
    public long changes() {
        return changes;
    }
}
