// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.AllocationSession;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Works out the throughput that every subflow should get, so that all connections share the network fairly.
 *
 * <p>Each direction of a connection is a competitor of its own, limited by what it wants; other traffic on a link is one
 * more competitor there, limited by what it sends. Backups and subflows without a path get nothing. Used by the control
 * loop only.
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
        SharingProblem.Builder problem = SharingProblem.builder(network.graph().capacities());
        List<Competitor> competitors = new ArrayList<>();
        for (Connection connection : connections) {
            add(problem, competitors, network, connection, true);
            add(problem, competitors, network, connection, false);
        }
        if (competitors.isEmpty()) {
            return Map.of();
        }
        for (int arc = 0; arc < network.graph().arcCount(); arc++) {
            double other = others.on(network.link(arc));
            if (other > 0) {
                problem.connection(1, other).subflow(arc);
            }
        }
        return rates(competitors, session(allocatorName).allocate(problem.build()));
    }

    private AllocationSession session(String name) {
        if (!name.equals(allocator)) {
            allocator = name;
            session = Allocators.byName(name).session();
        }
        return session;
    }

    private void add(SharingProblem.Builder problem, List<Competitor> competitors, NetworkSnapshot network,
                     Connection connection, boolean up) {
        boolean begun = false;
        for (Subflow subflow : connection.subflows()) {
            int[] arcs = arcs(network, subflow, up);
            if (subflow.state() != SubflowState.ACTIVE || arcs.length == 0) {
                continue;
            }
            if (!begun) {
                problem.connection(1, up ? demands.up(connection.id()) : demands.down(connection.id()));
                begun = true;
            }
            problem.subflow(arcs);
            competitors.add(new Competitor(subflow.tuple(), up));
        }
    }

    /** Returns the arcs of one direction; none if a link is lost. */
    private static int[] arcs(NetworkSnapshot network, Subflow subflow, boolean up) {
        List<Link> links = up == subflow.fromClient() ? subflow.path() : subflow.reversePath();
        int[] arcs = links.stream().mapToInt(network::arc).toArray();
        for (int arc : arcs) {
            if (arc < 0) {
                return new int[0];
            }
        }
        return arcs;
    }

    private static Map<FiveTuple, Rates> rates(List<Competitor> competitors, Allocation allocation) {
        Map<FiveTuple, Rates> rates = new HashMap<>();
        for (int i = 0; i < competitors.size(); i++) {
            Competitor competitor = competitors.get(i);
            double rate = Math.max(0, allocation.rate(i));
            rates.merge(competitor.tuple, competitor.up ? Rates.of(rate, 0) : Rates.of(0, rate), Rates::plus);
        }
        return rates;
    }

    /** One direction of a subflow, in the order in which they stand in the problem. */
    private static final class Competitor {
        private final FiveTuple tuple;
        private final boolean up;

        private Competitor(FiveTuple tuple, boolean up) {
            this.tuple = tuple;
            this.up = up;
        }
    }
}
