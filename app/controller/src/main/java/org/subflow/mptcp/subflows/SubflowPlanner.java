// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.AgentSubflows;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.host.report.HostView;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Decides which subflows the agents of clients open. Each gets a source port, a disjoint path and its rules before the agent
 * hears of it, so that its MP_JOIN needs no controller. One that does not come gives all of this back.
 *
 * <p>Counters may be read by any thread; everything else is for the control loop only.
 */
public final class SubflowPlanner {
    /** Most subflows of one client that have not come yet. */
    static final int MOST_WAITING = 64;
    /** Most connections for which paths are looked for in one tick. */
    private static final int MOST_LOOKS = 20;

    private final HostAgents agents;
    private final SubflowSearch search;
    private final ConnectionStore store;
    private final Provisioner provisioner;
    private final SettingsService settings;
    private final LongSupplier clockMillis;
    private final Map<ConnectionId, PlannedSubflows> plans = new HashMap<>();
    private final Map<IpAddress, Integer> waiting = new HashMap<>();
    private long networkState;
    private int looks;
    private final AtomicLong decided = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    public SubflowPlanner(HostAgents agents, SubflowSearch search, ConnectionStore store, Provisioner provisioner,
                          SettingsService settings, LongSupplier clockMillis) {
        this.agents = checkNotNull(agents, "agents");
        this.search = checkNotNull(search, "search");
        this.store = checkNotNull(store, "store");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.settings = checkNotNull(settings, "settings");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    /** Returns a connection that is about to be admitted with the subflows that its client is to open at once. */
    public Connection begun(Connection opened) {
        store.checkThread();
        if (mode() != AgentSubflows.ALL || !agents.managesPaths(opened.first().tuple())) {
            return opened;
        }
        PlannedSubflows plan = new PlannedSubflows();
        plan.on(networkState);
        Connection extended = extended(opened, plan, Double.POSITIVE_INFINITY);
        plans.put(opened.id(), plan);
        agents.command(opened.id(), opened.client(), plan.command());
        return extended;
    }

    /** Notes that a requested subflow has completed its handshake. Its agent may be silent for long after that. */
    public void came(ConnectionId id, FiveTuple tuple) {
        store.checkThread();
        PlannedSubflows plan = plans.get(id);
        if (plan != null) {
            plan.came(tuple, clockMillis.getAsLong());
        }
    }

    /** Returns whether a subflow was decided on and has not come: nothing shows that its connection lives. */
    public boolean awaits(ConnectionId id, FiveTuple tuple) {
        store.checkThread();
        PlannedSubflows plan = plans.get(id);
        return plan != null && plan.awaits(tuple);
    }

    /** Notes that there may be other paths than before. */
    public void networkChanged() {
        store.checkThread();
        networkState++;
    }

    /** Looks at what the clients report: takes back what has not come or has gone, and decides on further subflows. */
    public void tick() {
        store.checkThread();
        List<Connection> live = provisioner.live();
        forget(live.stream().map(Connection::id).collect(Collectors.toSet()));
        if (mode() == AgentSubflows.OFF && plans.isEmpty()) {
            return;
        }
        countWaiting(live);
        looks = 0;
        List<Connection> reduced = new ArrayList<>();
        List<Connection> extended = new ArrayList<>();
        OneByOne.forEach(live, connection -> {
            if (plans.containsKey(connection.id()) || agents.managesPaths(connection.first().tuple())) {
                look(connection, reduced, extended);
            }
        });
        provisioner.apply(reduced, Type.SUBFLOW_IDLE);
        provisioner.apply(extended, Type.SUBFLOW_JOINED);
    }

    private void look(Connection connection, List<Connection> reduced, List<Connection> extended) {
        PlannedSubflows plan = plans.computeIfAbsent(connection.id(), id -> new PlannedSubflows());
        plan.on(networkState);
        Optional<HostView> client = agents.reception().view(connection.id(), Direction.UP);
        Set<FiveTuple> gone = plan.settle(connection, client, clockMillis.getAsLong());
        Connection left = connection.withSubflows(connection.subflows().stream()
                .filter(subflow -> !gone.contains(subflow.tuple())).collect(Collectors.toList()));
        failed.addAndGet(gone.size());
        if (!gone.isEmpty()) {
            reduced.add(left);
        } else if (mayGrow(connection, plan, client)) {
            double missing = missingRate(connection, plan);
            if (missing > 0 && looks++ < MOST_LOOKS) {
                Connection grown = extended(connection, plan, missing);
                if (grown != connection) {
                    extended.add(grown);
                }
            }
        }
        agents.command(connection.id(), connection.client(), plan.command());
    }

    private boolean mayGrow(Connection connection, PlannedSubflows plan, Optional<HostView> client) {
        return mode() != AgentSubflows.OFF
                && connection.state() == ConnectionState.ACTIVE
                && plan.mayMiss(clockMillis.getAsLong())
                // What the client has and the network does not know, or gives no path now, comes first.
                && client.filter(view -> view.isAddable && view.present.stream()
                        .allMatch(tuple -> connection.subflow(tuple).filter(Subflow::isRouted).isPresent())).isPresent();
    }

    /** Returns how much more a connection should carry, bit/s; 0 if that is what those are for that have not come. */
    private double missingRate(Connection connection, PlannedSubflows plan) {
        if (mode() == AgentSubflows.ALL) {
            return Double.POSITIVE_INFINITY;
        }
        if (plan.waiting() > 0) {
            return 0;
        }
        Direction most = Direction.ofMost(connection.expected());
        double zeta = most.of(agents.attainable(connection.id()).fair());
        return agents.reception().view(connection.id(), most)
                .filter(view -> plan.rule.needsMore(view.millis, view.delivery, zeta, view.isNetworkLimited))
                .map(view -> zeta - view.delivery).orElse(0.0);
    }

    /** Adds subflows on disjoint paths until these can carry a rate, bit/s, or there is no other. */
    private Connection extended(Connection connection, PlannedSubflows plan, double rate) {
        Connection result = connection;
        double left = rate;
        while (left > 0) {
            if (waiting.getOrDefault(connection.client(), 0) >= MOST_WAITING) {
                plan.waits(clockMillis.getAsLong());
                break;
            }
            Optional<Subflow> next = isFull(result) ? Optional.empty() : search.next(result, plan, clockMillis.getAsLong());
            if (!next.isPresent()) {
                plan.hasAll(clockMillis.getAsLong());
                break;
            }
            if (!search.hasRoom(result.withSubflow(next.get()))) {
                plan.waits(clockMillis.getAsLong());
                break;
            }
            result = SubflowLimit.with(result, next.get());
            plan.add(next.get().tuple(), clockMillis.getAsLong());
            waiting.merge(connection.client(), 1, Integer::sum);
            decided.incrementAndGet();
            left -= next.get().bottleneck();
        }
        return result;
    }

    private boolean isFull(Connection connection) {
        return connection.subflows().stream().filter(Subflow::isUsed).count() >= connection.terms().mostSubflows();
    }

    private void forget(Set<ConnectionId> live) {
        plans.keySet().removeIf(id -> {
            boolean isGone = !live.contains(id);
            if (isGone) {
                agents.forgetCommand(id);
            }
            return isGone;
        });
    }

    private void countWaiting(List<Connection> live) {
        waiting.clear();
        live.forEach(connection -> {
            PlannedSubflows plan = plans.get(connection.id());
            if (plan != null) {
                waiting.merge(connection.client(), plan.waiting(), Integer::sum);
            }
        });
    }

    private AgentSubflows mode() {
        return settings.get(Settings.AGENT_SUBFLOWS);
    }

    /** Returns how many subflows agents were told to open, and how many of them did not come or have gone. */
    public Map<String, Long> counters() {
        return ImmutableMap.of("agents.subflows", decided.get(), "agents.subflows.lost", failed.get());
    }
}
