// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.search.BackgroundPlan;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.Translation;
import org.subflow.mptcp.sharing.Forecasts;

/**
 * Computes the paths and shares that a connection would get if it began now, in the same way as for a real one. Says also
 * which connections a background plan would move. Changes nothing. It has a model of its own and a thread of its own, so decisions never wait for it.
 */
public final class WhatIf {
    private static final ConnectionId NOBODY = ConnectionId.of("what-if");

    private final NetworkModel model;

    /**
     * Makes a what-if calculator.
     *
     * @param model the network, as the thread that answers sees it; not null
     */
    public WhatIf(NetworkModel model) {
        this.model = checkNotNull(model, "model");
    }

    /** The network and its connections at one moment. Used by the thread that answers. */
    static final class Moment {
        private final NetworkModel network;
        private final List<Connection> live;

        private Moment(NetworkModel network, List<Connection> live) {
            this.network = network;
            this.live = live;
        }

        /**
         * Computes the connection.
         *
         * @param settings the settings that hold for it; no policy applies
         * @param first    its first subflow, without a path
         * @return the connection with its paths and expected throughputs
         * @throws IllegalArgumentException if the strategy or allocator is unknown or cannot handle the request
         */
        Connection connection(Settings settings, Subflow first) {
            Connection opened = Connection.opened(NOBODY, 1, null, null, settings.terms(), 0, first);
            Connection begun = opened.withSubflows(List.of(network.place(opened, first, live)));
            return new Forecasts(network).of(live, begun, settings.get(Settings.ALLOCATOR));
        }
    }

    /** Returns this moment, for answers that are to be compared; the connections are those with rules and reservations. */
    Moment now(List<Connection> live) {
        return new Moment(model.still(live), live);
    }

    /**
     * Computes a background plan.
     *
     * @param live     the connections with rules and reservations
     * @param settings the settings in force
     * @return the connections that would move, in the order of the moves, on their new paths
     */
    public List<Connection> plan(List<Connection> live, Settings settings) {
        List<Connection> moved = new ArrayList<>();
        if (live.size() <= settings.get(Settings.BACKGROUND_PLAN)) {
            Translation now = model.now();
            BackgroundPlan plan = BackgroundPlan.of(now.state(live), settings.get(Settings.ALLOCATOR),
                                                    settings.get(Settings.REOPTIMISE_PERCENT));
            for (PlacedConnection move : plan.moves()) {
                PlacedConnection after = plan.network().connection(move.id()).orElseThrow();
                live.stream().filter(connection -> connection.id().value().equals(move.id()))
                        .forEach(connection -> moved.add(now.moved(connection, now.placed(connection), after)));
            }
        }
        return moved;
    }
}
