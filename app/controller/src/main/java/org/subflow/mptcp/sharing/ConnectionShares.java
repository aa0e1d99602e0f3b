// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.Translation;

/**
 * Computes the expected throughput of every subflow, so that all connections share the network fairly. Used by the control
 * loop only, so its work is bounded.
 */
public final class ConnectionShares {
    private final NetworkModel model;
    private final SettingsService settings;
    private final FairShares shares = FairShares.inBoundedWork();
    private volatile double error;

    /** Makes a calculator. Each answer starts from the last one, so each kind of question has a calculator of its own. */
    public ConnectionShares(NetworkModel model, SettingsService settings) {
        this.model = checkNotNull(model, "model");
        this.settings = checkNotNull(settings, "settings");
    }

    /**
     * Computes the shares.
     *
     * @param connections the connections that are on the network; not null
     * @return the same connections in the same order, with expected throughputs; an unchanged connection is the same object
     */
    public List<Connection> of(List<Connection> connections) {
        Translation now = model.now();
        List<PlacedConnection> placed = shares.of(now.state(connections), settings.get(Settings.ALLOCATOR));
        error = shares.epsilon();
        List<Connection> shared = new ArrayList<>(connections.size());
        for (int i = 0; i < connections.size(); i++) {
            shared.add(now.next(connections.get(i), placed.get(i)));
        }
        return shared;
    }

    /**
     * Returns the largest relative error of the last shares, see {@link FairShares#epsilon}. It is not 0 only where exact ones take too
     * much work, or from rounding. Not a number if the allocator does not state it. Any thread may ask.
     */
    public double error() {
        return error;
    }
}
