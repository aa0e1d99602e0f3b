// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reoptimisation;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.search.BetterPaths;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.Translation;

/** Finds better paths for connections on ONOS's network by the placement core. Used by the control loop only. */
public final class BetterConnectionPaths {
    private final NetworkModel model;
    private final SettingsService settings;
    private final BetterPaths betterPaths = new BetterPaths();

    /**
     * Makes a finder.
     *
     * @param model    the network; not null
     * @param settings say the allocator and the least gain; not null
     */
    public BetterConnectionPaths(NetworkModel model, SettingsService settings) {
        this.model = checkNotNull(model, "model");
        this.settings = checkNotNull(settings, "settings");
    }

    /**
     * Searches better paths for a connection.
     *
     * @param connection the connection
     * @param all        all connections on the network, this one included, with their expected throughputs
     * @return the connection on better paths; empty if there are none
     */
    Optional<Connection> of(Connection connection, List<Connection> all) {
        Translation now = model.now();
        NetworkState state = now.state(all);
        Settings present = settings.settings();
        PlacedConnection before = now.placed(connection);
        return betterPaths.of(state.with(before), before.id(), present.get(Settings.ALLOCATOR),
                              present.get(Settings.REOPTIMISE_PERCENT))
                .map(after -> now.moved(connection, before, after));
    }
}
