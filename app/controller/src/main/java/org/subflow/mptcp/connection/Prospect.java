// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * What a connection that has just begun would get once all its subflows are there, without touching anything. Used by the
 * control loop only.
 */
final class Prospect {
    private final ExpectedThroughput throughput;
    private final RoutePlanner planner;

    /**
     * Makes a prospect.
     *
     * @param throughput works shares out; one of its own, so that the real one's warm start stays
     * @param planner    chooses paths
     */
    Prospect(ExpectedThroughput throughput, RoutePlanner planner) {
        this.throughput = checkNotNull(throughput, "throughput");
        this.planner = checkNotNull(planner, "planner");
    }

    /**
     * Imagines the further subflows that a connection is expected to open, all between the places of its first one, and
     * shares the network with it.
     *
     * @param network   the network as it is
     * @param live      the connections that hold rules and bandwidth
     * @param begun     the connection with its first subflow on a path
     * @param allocator name of the allocator
     * @return the connection with all its subflows (their ports are invented) and expected throughputs
     */
    Connection of(NetworkSnapshot network, List<Connection> live, Connection begun, String allocator) {
        Connection connection = begun;
        Subflow first = begun.first();
        for (int i = begun.subflows().size(); i < begun.terms().subflows(); i++) {
            Subflow next = Subflow.unrouted(inventedTuple(first.tuple(), i), true, true, first.ingress(), first.egress());
            connection = connection.withSubflow(planner.route(network, connection, next, live));
        }
        List<Connection> all = new ArrayList<>(live);
        all.add(connection);
        return connection.withExpected(throughput.expected(network, all, allocator));
    }

    /** Source ports from 1 to 63: kernels give none of them to a connection, so that no real subflow is taken for it. */
    private static FiveTuple inventedTuple(FiveTuple first, int number) {
        int port = number == first.sourcePort() ? 0 : number;
        return FiveTuple.of(first.source(), port, first.destination(), first.destinationPort());
    }
}
