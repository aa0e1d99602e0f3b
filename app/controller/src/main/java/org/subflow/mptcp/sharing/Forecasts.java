// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.search.Forecast;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.Translation;

/**
 * Forecasts the throughput that a new connection would get with all its subflows. Changes nothing. Used by the
 * thread that owns its model.
 */
public final class Forecasts {
    private final NetworkModel model;
    private final Forecast forecast = new Forecast();

    public Forecasts(NetworkModel model) {
        this.model = checkNotNull(model, "model");
    }

    /**
     * Adds the further subflows that a connection is expected to open, all between the hosts of its first one, and computes
     * all shares.
     *
     * @param live      the connections with rules and reservations
     * @param begun     the connection with its first subflow on a path
     * @param allocator name of the allocator
     * @return the connection with all its subflows (their ports are invented) and expected throughputs
     */
    public Connection of(List<Connection> live, Connection begun, String allocator) {
        Translation now = model.now();
        PlacedConnection whole = forecast.of(now.state(live), now.placed(begun), allocator);
        Connection connection = begun;
        Subflow first = begun.first();
        for (int i = begun.subflows().size(); i < whole.subflows().size(); i++) {
            Subflow next = Subflow.unrouted(inventedTuple(first.tuple(), i), true, true, first.ingress(), first.egress());
            connection = connection.withSubflow(now.subflow(next, whole.subflows().get(i)));
        }
        return Translation.shared(connection, whole);
    }

    /** Source ports from 1 to 63: kernels assign none of them, so that no real subflow has such a five-tuple. */
    private static FiveTuple inventedTuple(FiveTuple first, int number) {
        int port = number == first.sourcePort() ? 0 : number;
        return first.withSourcePort(port);
    }
}
