// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * What a connection that began now would get: the same choice of paths and the same shares as for a real one, without
 * touching anything. Used by the control loop only.
 */
final class WhatIf {
    private static final ConnectionId NOBODY = ConnectionId.of("what-if");

    private final ExpectedThroughput throughput;

    /**
     * Makes the answerer.
     *
     * @param throughput works shares out; one of its own, so that the real one's warm start stays
     */
    WhatIf(ExpectedThroughput throughput) {
        this.throughput = checkNotNull(throughput, "throughput");
    }

    /**
     * Works the connection out.
     *
     * @param network  the network as it is
     * @param live     the connections that hold rules and bandwidth
     * @param settings the settings that it would meet
     * @param first    its first subflow, without a path
     * @return the connection with its paths and expected throughputs
     * @throws IllegalArgumentException if the strategy or allocator is unknown or cannot do what is asked
     */
    Connection connection(NetworkSnapshot network, List<Connection> live, Settings settings, Subflow first) {
        Connection connection = Connection.opened(NOBODY, 1, null, null, settings.strategy(), 0, first);
        connection = connection.withSubflows(
                ImmutableList.of(RoutePlanner.route(network, connection, first, live, settings)));
        for (int i = 1; i < settings.subflows(); i++) {
            Subflow next = Subflow.unrouted(fromNextPort(first.tuple(), i), true, true, first.ingress(), first.egress());
            connection = connection.withSubflow(RoutePlanner.route(network, connection, next, live, settings));
        }
        List<Connection> all = new ArrayList<>(live);
        all.add(connection);
        Map<FiveTuple, Rates> expected = throughput.expected(network, all, settings.allocator());
        return connection.mapSubflows(
                subflow -> subflow.withExpected(expected.getOrDefault(subflow.tuple(), Rates.ZERO)));
    }

    private static FiveTuple fromNextPort(FiveTuple tuple, int step) {
        return FiveTuple.of(tuple.source(), tuple.sourcePort() + step, tuple.destination(), tuple.destinationPort());
    }
}
