// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.share.AllocationSession;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Works out the throughput that every subflow should get, so that all connections share the network fairly. Used by the
 * control loop only.
 */
final class ExpectedThroughput {
    private final Demands demands;
    private final OtherTraffic others;
    private String allocator;
    private AllocationSession session;

    ExpectedThroughput(Demands demands, OtherTraffic others) {
        this.demands = checkNotNull(demands, "demands");
        this.others = checkNotNull(others, "others");
    }

    /**
     * Allocates.
     *
     * @param network       the network with its capacities
     * @param connections   the connections that are on it
     * @param allocatorName name of the allocator
     * @return bit/s, seen from the connection's client, by subflow; what is absent gets nothing
     */
    Map<FiveTuple, Rates> expected(NetworkSnapshot network, List<Connection> connections, String allocatorName) {
        return expected(network, connections, allocatorName, demands::wanted);
    }

    /**
     * Allocates as if one of the connections wanted all that it can get: in the direction in which it sends, or in both if
     * it stands still.
     *
     * @param network       the network with its capacities
     * @param connections   the connections that are on it
     * @param allocatorName name of the allocator
     * @param greedy        the one
     * @return bit/s, seen from the connection's client, by subflow; what is absent gets nothing
     */
    Map<FiveTuple, Rates> possible(NetworkSnapshot network, List<Connection> connections, String allocatorName,
                                   ConnectionId greedy) {
        boolean standsStill = Math.max(demands.up(greedy), demands.down(greedy)) <= Demands.FLOOR;
        return expected(network, connections, allocatorName, (id, upwards) -> {
            double wants = demands.wanted(id, upwards);
            return id.equals(greedy) && (standsStill || wants > Demands.FLOOR) ? Double.POSITIVE_INFINITY : wants;
        });
    }

    private Map<FiveTuple, Rates> expected(NetworkSnapshot network, List<Connection> connections, String allocatorName,
                                           ToDoubleBiFunction<ConnectionId, Boolean> wants) {
        if (connections.isEmpty()) {
            return Map.of();
        }
        Competition competition = Competition.of(network, connections, wants, others::on);
        return competition.bySubflow(session(allocatorName).allocate(competition.problem()).rates());
    }

    private AllocationSession session(String name) {
        if (!name.equals(allocator)) {
            allocator = name;
            session = Allocators.byName(name).session();
        }
        return session;
    }
}
