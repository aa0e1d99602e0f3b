// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.Translation;

/**
 * Computes the expected throughput of every subflow, so that all connections share the network fairly. Used by the control
 * loop only.
 */
public final class ConnectionShares {
    private final NetworkModel model;
    private final FairShares shares = new FairShares();

    /**
     * Makes a calculator. Each answer starts from the last one, so each kind of question has a calculator of its own.
     *
     * @param model the network; not null
     */
    public ConnectionShares(NetworkModel model) {
        this.model = checkNotNull(model, "model");
    }

    /**
     * Computes the shares.
     *
     * @param connections the connections that are on the network; not null
     * @param allocator   name of the allocator; not null
     * @return the same connections in the same order, with expected throughputs; an unchanged connection is the same object
     */
    public List<Connection> of(List<Connection> connections, String allocator) {
        List<PlacedConnection> placed = shares.of(model.now().state(connections), allocator);
        List<Connection> shared = new ArrayList<>(connections.size());
        for (int i = 0; i < connections.size(); i++) {
            shared.add(Translation.shared(connections.get(i), placed.get(i)));
        }
        return shared;
    }
}
