// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.onosproject.net.Link;
import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.admission.Endings;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.candidate.UnseenEnds;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.reoptimisation.Newcomers;
import org.subflow.mptcp.reoptimisation.Reoptimiser;
import org.subflow.mptcp.routing.Detours;
import org.subflow.mptcp.routing.Rerouting;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.subflows.SubflowPlanner;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Reacts to time and to the network: makes connections idle, forgets them, replaces lost paths and finds better ones. Used
 * by the control loop only.
 */
public final class Lifecycle {
    /** Limit of remembered idle connections; the oldest are forgotten first. */
    static final int MOST_IDLE = 10_000;

    private static final long MILLIS_PER_SECOND = 1000;
    /**
     * Part of its capacity above which a link counts as full: losses and retransmission time-outs leave the rest unused.
     */
    private static final double FULL = 0.85;
    private static final long REOPTIMISE_BUDGET_NANOS = 50_000_000;

    private final ConnectionStore store;
    private final NetworkView network;
    private final Meter meter;
    private final Demands demands;
    private final OtherTraffic others;
    private final SettingsService settings;
    private final Provisioner provisioner;
    private final Reoptimiser reoptimiser;
    private final IdleSubflows idleSubflows = new IdleSubflows();
    private final Endings endings;
    private final Newcomers newcomers = new Newcomers();
    private final Rerouting rerouting;
    private final Recovery recovery;
    private final SubflowPlanner planner;
    private final AwaitedConnections awaited;
    private final UnseenEnds unseenEnds;

    public Lifecycle(ConnectionStore store, NetworkView network, Meter meter, Demands demands, OtherTraffic others,
                     SettingsService settings, Provisioner provisioner, Rerouting rerouting, Reoptimiser reoptimiser,
                     Recovery recovery, SubflowPlanner planner, AwaitedConnections awaited, UnseenEnds unseenEnds,
                     Endings endings) {
        this.store = checkNotNull(store, "store");
        this.network = checkNotNull(network, "network");
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.others = checkNotNull(others, "others");
        this.settings = checkNotNull(settings, "settings");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.reoptimiser = checkNotNull(reoptimiser, "reoptimiser");
        this.rerouting = checkNotNull(rerouting, "rerouting");
        this.recovery = checkNotNull(recovery, "recovery");
        this.planner = checkNotNull(planner, "planner");
        this.awaited = checkNotNull(awaited, "awaited");
        this.unseenEnds = checkNotNull(unseenEnds, "unseenEnds");
        this.endings = checkNotNull(endings, "endings");
    }

    /**
     * Samples counters, and updates demands and shares. Makes idle connections and subflows idle, and forgets connections
     * after the retention time. Searches better paths.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public void tick(long nowMillis) {
        store.checkThread();
        long idleMillis = settings.get(Settings.IDLE_SECONDS) * MILLIS_PER_SECOND;
        // A step that fails must not keep the others from their turn.
        OneByOne.run(this::learn, "counters");
        OneByOne.run(() -> awaited.tick(nowMillis), "connections that are awaited");
        OneByOne.run(this::removeEnded, "ends");
        OneByOne.run(() -> rest(idleMillis, nowMillis), "idle connections");
        OneByOne.run(() -> retireQuiet(idleMillis, nowMillis), "idle subflows");
        OneByOne.run(recovery::tick, "connections of an earlier run");
        OneByOne.run(() -> forget(nowMillis), "connections that are gone");
        OneByOne.run(planner::tick, "subflows that agents open");
        // Better paths are those with larger shares.
        OneByOne.run(provisioner::settle, "shares");
        OneByOne.run(() -> {
            reoptimiser.lookOnceAt(newcomers.toReview(provisioner.live(), demands, nowMillis));
            reoptimiser.tick(nowMillis, REOPTIMISE_BUDGET_NANOS);
        }, "better paths");
    }

    /** Makes silent connections idle, and closes those that may have ended unseen: others may have their five-tuples by now. */
    private void rest(long idleMillis, long nowMillis) {
        Map<Boolean, List<Connection>> silent = store.in(ConnectionState.ACTIVE).stream()
                .filter(connection -> meter.idleMillis(connection.id(), nowMillis) >= idleMillis)
                .filter(connection -> !awaited.contains(connection.id()))
                .collect(Collectors.partitioningBy(connection -> unseenEnds.mayHaveEnded(
                        connection.first().tuple(), TimeUnit.MILLISECONDS.toNanos(meter.idleMillis(connection.id(), nowMillis)))));
        provisioner.makeIdle(silent.get(false));
        close(silent.get(true), Cause.SILENT);
    }

    private void removeEnded() {
        if (endings.isEmpty()) {
            return;
        }
        List<Connection> closed = new ArrayList<>();
        List<Connection> reduced = new ArrayList<>();
        for (Connection connection : store.all()) {
            Set<FiveTuple> ended = endings.of(connection, meter.measurement(connection.id()),
                                              meter.newestSampleMillis(connection.id()));
            if (ended.isEmpty()) {
                continue;
            }
            boolean goesOn = connection.subflows().stream()
                    .anyMatch(subflow -> subflow.isUsed() && !ended.contains(subflow.tuple())
                            && !planner.awaits(connection.id(), subflow.tuple()));
            if (!goesOn) {
                closed.add(connection);
            } else if (connection.subflows().stream()
                    .anyMatch(subflow -> subflow.isRouted() && ended.contains(subflow.tuple()))) {
                Connection left = connection.mapSubflows(subflow -> ended.contains(subflow.tuple())
                        ? subflow.withoutRoute(SubflowState.IDLE) : subflow);
                if (connection.state() == ConnectionState.IDLE) {
                    provisioner.record(left, Type.SUBFLOW_IDLE);
                } else {
                    reduced.add(left);
                }
            }
        }
        close(closed, Cause.ENDED);
        provisioner.apply(reduced, Type.SUBFLOW_IDLE);
    }

    /** Closes connections that have ended; an empty list has no effect. */
    void close(List<Connection> closed, Cause cause) {
        store.checkThread();
        closed.forEach(endings::forget);
        provisioner.close(closed, cause);
    }

    /** Withdraws rules and shares of idle subflows, so that the others can take the free paths. */
    private void retireQuiet(long idleMillis, long nowMillis) {
        List<Connection> live = provisioner.live();
        idleSubflows.retain(live.stream().map(Connection::id).collect(Collectors.toList()));
        List<Connection> retired = new ArrayList<>();
        for (Connection connection : live) {
            if (connection.state() != ConnectionState.ACTIVE || awaited.contains(connection.id())) {
                continue;
            }
            idleSubflows.update(connection, meter.measurement(connection.id()),
                                 meter.newestSampleMillis(connection.id()), nowMillis);
            Set<FiveTuple> quiet = idleSubflows.of(connection, idleMillis);
            if (!quiet.isEmpty()) {
                retired.add(connection.mapSubflows(subflow -> quiet.contains(subflow.tuple())
                        ? subflow.withoutRoute(SubflowState.IDLE) : subflow));
            }
        }
        provisioner.apply(retired, Type.SUBFLOW_IDLE);
        reoptimiser.lookAt(retired.stream().map(Connection::id).collect(Collectors.toList()), nowMillis);
    }

    /** Follows hosts that have come, gone or moved. */
    public void hostsChanged() {
        store.checkThread();
        rerouted(moved -> provisioner.apply(moved, Type.REROUTED, Cause.HOST));
    }

    private void learn() {
        // Not only active connections: a connection in state PENDING sends data too.
        List<Connection> live = provisioner.live();
        meter.sample(live);
        NetworkSnapshot now = network.snapshot();
        List<Object> moved = new ArrayList<>();
        if (others.update(now, live, meter, network::counter)) {
            moved.add(now);
        }
        OneByOne.forEach(live, connection -> {
            if (!awaited.isYoung(connection.id())
                    && demands.update(connection, meter.measurement(connection.id()), meter.newestSampleMillis(connection.id()),
                                      meter.isCounted(connection), link -> isFull(now, link))) {
                moved.add(connection);
            }
        });
        if (!moved.isEmpty()) {
            provisioner.requestShare();
        }
    }

    private boolean isFull(NetworkSnapshot now, Link link) {
        return network.measured(link) >= FULL * now.capacity(link);
    }

    private void forget(long nowMillis) {
        long retentionMillis = settings.get(Settings.RETENTION_SECONDS) * MILLIS_PER_SECOND;
        List<Connection> old = new ArrayList<>();
        List<Connection> idle = store.in(ConnectionState.IDLE);
        int tooMany = idle.size() - MOST_IDLE;
        // Connections without rules or without a path for that long are forgotten too.
        for (List<Connection> each : List.of(idle, store.in(ConnectionState.PENDING), store.in(ConnectionState.DOWN))) {
            for (Connection connection : each) {
                meter.begin(connection.id(), nowMillis);
                long since = meter.lastActiveMillis(connection.id());
                boolean oneTooMany = connection.state() == ConnectionState.IDLE && tooMany-- > 0;
                if (oneTooMany || nowMillis - since >= retentionMillis && !awaited.contains(connection.id())) {
                    old.add(connection);
                }
            }
        }
        provisioner.close(old, Cause.FORGOTTEN);
    }

    /**
     * Takes over the connections of an earlier run of the application.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public void recover(long nowMillis) {
        recovery.begin(nowMillis);
        reoptimiser.networkChanged(nowMillis);
    }

    /**
     * Handles a change of links, switches, ports or capacities: replaces lost paths, then requests new shares.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public void networkChanged(long nowMillis) {
        store.checkThread();
        NetworkSnapshot now = network.snapshot();
        provisioner.networkChanged(path -> Detours.around(now, path));
        OneByOne.run(recovery::networkChanged, "connections of an earlier run");
        rerouted(provisioner::reroute);
        // A changed capacity changes shares without moving a path.
        provisioner.requestShare();
        reoptimiser.networkChanged(nowMillis);
        planner.networkChanged();
    }

    private void rerouted(Consumer<List<Connection>> found) {
        rerouting.reroute(List.copyOf(provisioner.live()), provisioner.competitors(), found);
    }
}
