// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * What time and the network do to connections: idleness, oblivion, lost and found paths. Used by the control loop only.
 */
final class Lifecycle {
    /** Most idle connections that are remembered; the oldest are forgotten first. */
    static final int MOST_IDLE = 10_000;

    private static final long MILLIS_PER_SECOND = 1000;
    /** A link that carries so much of its capacity has no room left: losses and late timers leave a part unused. */
    private static final double FULL = 0.85;
    private static final long REOPTIMISE_BUDGET_NANOS = 50_000_000;

    private final ConnectionStore store;
    private final NetworkView network;
    private final Meter meter;
    private final Demands demands;
    private final OtherTraffic others;
    private final SettingsService settings;
    private final Admission admission;
    private final Provisioner provisioner;
    private final Reoptimiser reoptimiser;
    private final QuietSubflows quietSubflows = new QuietSubflows();
    private final Newcomers newcomers = new Newcomers();
    private final Patience patience;
    /** Of an earlier run: they wait for their paths. */
    private final Set<ConnectionId> waiting = new LinkedHashSet<>();
    private long hostsSettleMillis = Long.MAX_VALUE;
    private boolean hostsChanged;

    Lifecycle(ConnectionStore store, NetworkView network, Meter meter, Demands demands, OtherTraffic others,
              SettingsService settings, Admission admission, Provisioner provisioner, Reoptimiser reoptimiser,
              Patience patience) {
        this.store = checkNotNull(store, "store");
        this.network = checkNotNull(network, "network");
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.others = checkNotNull(others, "others");
        this.settings = checkNotNull(settings, "settings");
        this.admission = checkNotNull(admission, "admission");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.reoptimiser = checkNotNull(reoptimiser, "reoptimiser");
        this.patience = checkNotNull(patience, "patience");
    }

    /**
     * Samples counters, parks connections that stand still and subflows that do so while others run, forgets connections
     * that have stood still for long, and goes after hosts that have moved and paths that might be better.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    void tick(long nowMillis) {
        // Not the active ones alone: a connection whose rules are just being changed sends all the same.
        List<Connection> live = provisioner.live();
        meter.sample(live);
        if (learn(live)) {
            provisioner.share();
        }
        long idleMillis = settings.settings().idleSeconds() * MILLIS_PER_SECOND;
        provisioner.park(in(ConnectionState.ACTIVE).stream()
                .filter(connection -> meter.idleMillis(connection.id(), nowMillis) >= idleMillis)
                .collect(Collectors.toList()));
        retireQuiet(idleMillis, nowMillis);
        takeOver();
        forget(nowMillis);
        followHosts(nowMillis);
        reoptimiser.lookOnceAt(newcomers.due(provisioner.live(), demands, nowMillis));
        reoptimiser.tick(nowMillis, REOPTIMISE_BUDGET_NANOS);
    }

    /** Takes back the rules and shares of subflows that stand still, and lets the others have the paths that become free. */
    private void retireQuiet(long idleMillis, long nowMillis) {
        List<Connection> live = provisioner.live();
        quietSubflows.retain(live.stream().map(Connection::id).collect(Collectors.toList()));
        List<ConnectionId> retired = new ArrayList<>();
        for (Connection connection : live) {
            if (connection.state() != ConnectionState.ACTIVE) {
                continue;
            }
            quietSubflows.update(connection, meter.measurement(connection.id()),
                                 meter.newestSampleMillis(connection.id()), nowMillis);
            Set<FiveTuple> quiet = quietSubflows.of(connection, idleMillis);
            if (!quiet.isEmpty()) {
                provisioner.place(connection.mapSubflows(subflow -> quiet.contains(subflow.tuple())
                        ? subflow.withoutRoute(SubflowState.IDLE) : subflow));
                retired.add(connection.id());
            }
        }
        if (!retired.isEmpty()) {
            provisioner.share();
            retired.forEach(id -> provisioner.tell(id, Type.SUBFLOW_IDLE));
            reoptimiser.lookAt(retired, nowMillis);
        }
    }

    /** Hosts have come, gone or moved: looked after at the next {@link #tick}, and when it is clear where they stay. */
    void hostsChanged(long nowMillis) {
        hostsChanged = true;
        hostsSettleMillis = nowMillis + Ends.SETTLE_MILLIS;
    }

    private void followHosts(long nowMillis) {
        boolean settled = nowMillis >= hostsSettleMillis;
        if (hostsChanged || settled) {
            hostsChanged = false;
            hostsSettleMillis = settled ? Long.MAX_VALUE : hostsSettleMillis;
            List<ConnectionId> moved = reroute();
            if (!moved.isEmpty()) {
                provisioner.share();
                moved.forEach(id -> provisioner.tell(id, Type.REROUTED));
            }
        }
    }

    private boolean learn(List<Connection> live) {
        NetworkSnapshot now = network.snapshot();
        boolean moved = others.update(now, live, meter, network::counter);
        for (Connection connection : live) {
            moved |= demands.update(connection, meter.measurement(connection.id()),
                                    meter.newestSampleMillis(connection.id()), meter.isCounted(connection),
                                    link -> isFull(now, link));
        }
        return moved;
    }

    private boolean isFull(NetworkSnapshot now, Link link) {
        return network.measured(link) >= FULL * now.capacity(link);
    }

    private void forget(long nowMillis) {
        long retentionMillis = settings.settings().retentionSeconds() * MILLIS_PER_SECOND;
        List<Connection> old = new ArrayList<>();
        int tooMany = in(ConnectionState.IDLE).size() - MOST_IDLE;
        for (Connection connection : store.all()) {
            // What never got rules, or has had no path for so long, will not move a packet any more either.
            if (connection.state() != ConnectionState.ACTIVE) {
                long since = Math.max(meter.lastActiveMillis(connection.id()), connection.createdMillis());
                boolean oneTooMany = connection.state() == ConnectionState.IDLE && tooMany-- > 0;
                if (oneTooMany || nowMillis - since >= retentionMillis) {
                    old.add(connection);
                }
            }
        }
        provisioner.close(old);
    }

    /**
     * Takes over what an earlier run of the application has left: every connection that is not idle gets its rules and
     * reservations again, on its paths if they are there or about to be, else on others. Until then it is remembered as
     * idle connections are, and its packets go by way of the controller.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    void recover(long nowMillis) {
        patience.begin();
        store.all().forEach(connection -> meter.watch(connection.id(), nowMillis));
        for (Connection connection : provisioner.live()) {
            provisioner.disown(connection);
            waiting.add(connection.id());
        }
        takeOver();
        reoptimiser.networkChanged(nowMillis);
    }

    private void takeOver() {
        List<ConnectionId> taken = new ArrayList<>();
        for (ConnectionId id : List.copyOf(waiting)) {
            Optional<Connection> connection = store.get(id).filter(one -> one.state() == ConnectionState.IDLE);
            if (connection.filter(patience::awaits).isPresent()) {
                continue;
            }
            waiting.remove(id);
            connection.ifPresent(one -> {
                provisioner.place(admission.reroute(one));
                taken.add(id);
            });
        }
        if (!taken.isEmpty()) {
            provisioner.share();
            taken.forEach(id -> provisioner.tell(id, Type.OPENED));
        }
    }

    /**
     * Links, switches, ports or capacities have changed: lost paths are replaced, then shares follow, once for all.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    void networkChanged(long nowMillis) {
        patience.look();
        takeOver();
        List<ConnectionId> moved = reroute();
        provisioner.share();
        moved.forEach(id -> provisioner.tell(id, Type.REROUTED));
        reoptimiser.networkChanged(nowMillis);
    }

    private List<ConnectionId> reroute() {
        List<ConnectionId> moved = new ArrayList<>();
        for (Connection connection : provisioner.live()) {
            Connection rerouted = admission.reroute(connection);
            if (!rerouted.subflows().equals(connection.subflows())) {
                provisioner.place(rerouted);
                moved.add(rerouted.id());
            }
        }
        return moved;
    }

    private List<Connection> in(ConnectionState state) {
        return store.all().stream()
                .filter(connection -> connection.state() == state)
                .collect(Collectors.toList());
    }
}
