// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.provisioning.FlowTables;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.sharing.Forecasts;
import org.subflow.mptcp.subflows.SubflowLimit;

/**
 * How many connections and subflows there may be, and how little a connection may get. Counts what is refused. For the control
 * loop only, but for the counts.
 */
public final class AdmissionLimits {
    /** Relative tolerance for the error of an allocator. */
    private static final double SLACK = 1e-3;

    private final SettingsService settings;
    private final Provisioner provisioner;
    private final Forecasts forecasts;
    private final FlowTables tables;
    private final Refusals refusals = new Refusals();

    public AdmissionLimits(SettingsService settings, Provisioner provisioner, Forecasts forecasts, FlowTables tables) {
        this.settings = checkNotNull(settings, "settings");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.forecasts = checkNotNull(forecasts, "forecasts");
        this.tables = checkNotNull(tables, "tables");
    }

    /** Returns whether there are as many managed connections as there may be, in all or of one client. */
    boolean isCrowded(IpAddress client) {
        Settings limits = settings.settings();
        List<Connection> live = provisioner.live();
        return live.size() >= limits.get(Settings.MOST_CONNECTIONS) || live.size() >= limits.get(Settings.MOST_CONNECTIONS_PER_HOST)
                && live.stream().filter(connection -> connection.first().tuple().source().equals(client)).count()
                        >= limits.get(Settings.MOST_CONNECTIONS_PER_HOST);
    }

    /** Returns whether a new connection's share would be below a rate, bit/s; hosts on one switch are never short. */
    boolean isShort(Connection newcomer, double minimum) {
        boolean onOneSwitch = newcomer.first().isRouted() && newcomer.first().path().isEmpty();
        if (minimum == 0 || onOneSwitch) {
            return false;
        }
        Rates share = forecasts.of(provisioner.live(), newcomer, settings.get(Settings.ALLOCATOR)).expected();
        return Math.min(share.up(), share.down()) < minimum * (1 - SLACK);
    }

    /** Returns whether a connection has as many subflows as it may have; one that it has already is no further one. */
    boolean isFull(Connection connection, FiveTuple tuple) {
        return SubflowLimit.isFull(connection, tuple, settings.get(Settings.MOST_SUBFLOWS));
    }

    /** Returns whether the flow tables have room for the rules of a connection. */
    boolean hasRoom(Connection connection) {
        return tables.hasRoom(connection);
    }

    /** Returns how often what was refused, and counts it. Any thread may use it. */
    public Refusals refusals() {
        return refusals;
    }
}
