// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.sharing.Forecasts;

/**
 * What a connection that began now would get: the same choice of paths and the same shares as for a real one, without
 * touching anything. Used by the control loop only.
 */
final class WhatIf {
    private static final ConnectionId NOBODY = ConnectionId.of("what-if");

    private final NetworkModel model;
    private final Forecasts forecasts;

    /**
     * Makes the answerer.
     *
     * @param model     the network; not null
     * @param forecasts imagines the further subflows and works shares out; not null
     */
    WhatIf(NetworkModel model, Forecasts forecasts) {
        this.model = checkNotNull(model, "model");
        this.forecasts = checkNotNull(forecasts, "forecasts");
    }

    /**
     * Works the connection out.
     *
     * @param live     the connections that hold rules and bandwidth
     * @param settings the settings that it would meet; no policy is applied
     * @param first    its first subflow, without a path
     * @return the connection with its paths and expected throughputs
     * @throws IllegalArgumentException if the strategy or allocator is unknown or cannot do what is asked
     */
    Connection connection(List<Connection> live, Settings settings, Subflow first) {
        Connection opened = Connection.opened(NOBODY, 1, null, null, Terms.of(settings), 0, first);
        Connection begun = opened.withSubflows(List.of(model.place(opened, first, live)));
        return forecasts.of(live, begun, settings.allocator());
    }
}
