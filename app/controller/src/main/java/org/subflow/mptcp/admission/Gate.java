// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.provisioning.FlowTables;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.sharing.Forecasts;
import org.subflow.mptcp.subflows.SubflowLimit;

/**
 * The one gate to paths: opening, joining, waking, resuming, recovering and adopting all pass it. It has all limits, and counts
 * what it refuses:
 *
 * <ul>
 * <li>this node may decide (in a cluster, its mandate holds);</li>
 * <li>managed connections, in all and of one host. A host is a MAC address at a port, whatever addresses it has, or one in a VLAN,
 * wherever it has moved;</li>
 * <li>subflows of a connection;</li>
 * <li>the least rate of a connection's policy;</li>
 * <li>room in the flow tables;</li>
 * <li>connections that wait for rules of a switch at the same time ({@link AdmissionPace}). A connection that must have paths at
 * once, or not at all, need not ask for its turn.</li>
 * </ul>
 *
 * <p>For the control loop only, unless a method says otherwise.
 */
public final class Gate {
    /** Relative tolerance for the error of an allocator. */
    private static final double SLACK = 1e-3;

    private final SettingsService settings;
    private final Provisioner provisioner;
    private final Forecasts forecasts;
    private final FlowTables tables;
    private final AdmissionPace pace;
    private final BooleanSupplier mayDecide;
    private final Refusals refusals = new Refusals();

    public Gate(SettingsService settings, Provisioner provisioner, Forecasts forecasts, FlowTables tables, AdmissionPace pace,
                BooleanSupplier mayDecide) {
        this.settings = checkNotNull(settings, "settings");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.forecasts = checkNotNull(forecasts, "forecasts");
        this.tables = checkNotNull(tables, "tables");
        this.pace = checkNotNull(pace, "pace");
        this.mayDecide = checkNotNull(mayDecide, "mayDecide");
    }

    /**
     * Decides on a connection that is not live: a new or an idle one.
     *
     * @param newcomer its first subflow is between the ports of its hosts, with or without a path; not null
     * @param minimum  the least rate of its policy, bit/s; 0 for none
     * @param routing  gives paths to the subflows that it has; asked only if there may be one connection more; not null
     * @param joining  gives it its further subflows; not null
     */
    AdmissionResult enter(Connection newcomer, double minimum, UnaryOperator<Connection> routing, UnaryOperator<Connection> joining) {
        if (!mayDecide.getAsBoolean()) {
            return refusals.count(Refusal.NO_MANDATE);
        }
        if (isCrowded(newcomer.first())) {
            return refusals.count(Refusal.TOO_MANY);
        }
        Connection routed = routing.apply(newcomer);
        if (isShort(routed, minimum)) {
            return refusals.count(Refusal.SHORT);
        }
        Connection complete = joining.apply(routed);
        return tables.hasRoom(complete) ? AdmissionResult.of(complete) : refusals.count(Refusal.FLOW_TABLES);
    }

    /** Does the same for an idle connection with the subflows that it has, whose turn it is; whoever is refused waits no longer. */
    public AdmissionResult enterAgain(Connection idle, UnaryOperator<Connection> routing) {
        AdmissionResult result = enter(idle, 0, routing, UnaryOperator.identity());
        if (!result.admitted().isPresent()) {
            leaves(idle.first().tuple());
        }
        return result;
    }

    /**
     * Asks whether the switches at a connection's ends keep up with newcomers; if so, it counts as one that waits for their rules,
     * until it has them. Any thread may ask.
     *
     * @param first   five-tuple of its first subflow; not null
     * @param hasSent whether it sends, or has sent enough; false if its age alone has earned paths
     */
    public boolean hasTurn(FiveTuple first, boolean hasSent) {
        return pace.admits(first, hasSent);
    }

    /** Notes that a connection will not come. Any thread may say so. */
    public void leaves(FiveTuple first) {
        pace.leaves(first);
    }

    /** Returns why a connection gets no further subflow; empty if it may have it. One that it has already is no further one. */
    Optional<Refusal> closedTo(Connection connection, FiveTuple tuple) {
        if (!mayDecide.getAsBoolean()) {
            return refusals.count(Refusal.NO_MANDATE).refusal();
        }
        return SubflowLimit.isFull(connection, tuple)
                ? refusals.count(Refusal.TOO_MANY_SUBFLOWS).refusal() : Optional.empty();
    }

    /** Returns whether the flow tables have room for a subflow of a connection; if not, that counts. */
    boolean hasRoom(Connection connection, Subflow routed) {
        boolean hasRoom = tables.hasRoom(connection.withSubflows(List.of(routed)));
        if (!hasRoom) {
            refusals.count(Refusal.FLOW_TABLES);
        }
        return hasRoom;
    }

    /** Returns whether there are as many managed connections as there may be, in all or of a first subflow's host. */
    private boolean isCrowded(Subflow first) {
        Settings limits = settings.settings();
        List<Connection> live = provisioner.live();
        return live.size() >= limits.get(Settings.MOST_CONNECTIONS) || live.size() >= limits.get(Settings.MOST_CONNECTIONS_PER_HOST)
                && live.stream().filter(other -> areOfOneHost(other.first(), first)).count()
                        >= limits.get(Settings.MOST_CONNECTIONS_PER_HOST);
    }

    private static boolean areOfOneHost(Subflow one, Subflow other) {
        HostId host = one.tuple().sourceHost();
        HostId otherHost = other.tuple().sourceHost();
        boolean isOne = one.tuple().hasHosts() && host.equals(otherHost);
        return isOne || host.mac().equals(otherHost.mac()) && one.ingress().equals(other.ingress());
    }

    /** Returns whether a new connection's share would be below a rate, bit/s; hosts on one switch are never short. */
    private boolean isShort(Connection newcomer, double minimum) {
        boolean onOneSwitch = newcomer.first().isRouted() && newcomer.first().path().isEmpty();
        if (minimum == 0 || onOneSwitch) {
            return false;
        }
        Rates share = forecasts.of(provisioner.live(), newcomer, settings.get(Settings.ALLOCATOR)).expected();
        return Math.min(share.up(), share.down()) < minimum * (1 - SLACK);
    }

    /** Returns how often what was refused, and counts it. Any thread may use it. */
    public Refusals refusals() {
        return refusals;
    }
}
