// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.candidate.HandshakeFlags;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.provisioning.FlowTables;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.RecoveryHold;
import org.subflow.mptcp.routing.Rerouting;
import org.subflow.mptcp.sharing.Forecasts;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.subflows.SourcePorts;
import org.subflow.mptcp.subflows.SubflowLimit;
import org.subflow.mptcp.subflows.SubflowPlanner;
import org.subflow.mptcp.topology.Attachments;

/**
 * Admits connections and subflows under their policies, and gives each its attachment points, its path and its rules. Used
 * by the control loop only.
 */
public final class Admission {
    /** Relative tolerance for the error of an allocator. */
    private static final double SLACK = 1e-3;

    private static final int MOST_PROMISED = 1000;

    /** How long a path is kept for an admitted MP_JOIN whose handshake is not complete. */
    private static final int HANDSHAKE_SECONDS = 5;

    private final ConnectionStore store;
    private final Attachments attachments;
    private final SettingsService settings;
    private final PolicyService policies;
    private final NetworkModel model;
    private final Forecasts forecasts;
    private final Provisioner provisioner;
    private final FlowTables tables;
    private final Rerouting rerouting;
    private final RecoveryHold recoveryHold;
    private final SubflowPlanner planner;
    private final Cache<ConnectionId, Map<FiveTuple, Subflow>> promised = CacheBuilder.newBuilder()
            .maximumSize(MOST_PROMISED)
            .expireAfterWrite(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
            .build();
    private final Refusals refusals = new Refusals();
    private final LoopGuard guard;
    private final Priorities priorities;

    public Admission(ConnectionStore store, Attachments attachments, SettingsService settings, PolicyService policies,
              NetworkModel model, Forecasts forecasts, Provisioner provisioner, FlowTables tables, Rerouting rerouting,
              RecoveryHold recoveryHold, SubflowPlanner planner, LoopGuard guard) {
        this.store = checkNotNull(store, "store");
        this.attachments = checkNotNull(attachments, "attachments");
        this.settings = checkNotNull(settings, "settings");
        this.policies = checkNotNull(policies, "policies");
        this.model = checkNotNull(model, "model");
        this.forecasts = checkNotNull(forecasts, "forecasts");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.tables = checkNotNull(tables, "tables");
        this.rerouting = checkNotNull(rerouting, "rerouting");
        this.recoveryHold = checkNotNull(recoveryHold, "recoveryHold");
        this.planner = checkNotNull(planner, "planner");
        this.guard = checkNotNull(guard, "guard");
        this.priorities = new Priorities(store, provisioner, guard);
    }

    /**
     * Admits a connection that has completed its handshake, unless its policy or its hosts rule that out.
     *
     * @param id          its name
     * @param tuple       five-tuple of its first subflow, from client to server
     * @param joins       five-tuples of further subflows, from the sender of the SYN, which may be the server; perhaps empty
     * @param flags       what its hosts have said of its subflows
     * @param version     MPTCP version
     * @param clientToken token of the client's key, null if not seen
     * @param serverToken token of the server's key, null if not seen
     * @param nowMillis   milliseconds of the Unix epoch
     * @return whether it is managed; false if its hosts have no usable attachment points, its policy leaves it unmanaged,
     *         its fair share is below the policy's least rate, there are too many connections, or a flow table is full
     */
    public boolean opened(ConnectionId id, FiveTuple tuple, Map<FiveTuple, Boolean> joins, HandshakeFlags flags, int version,
                   Token clientToken, Token serverToken, long nowMillis) {
        guard.check();
        AdmissionResult result = decide(tuple, joins, flags, (terms, first) -> Connection.opened(
                id, version, clientToken, serverToken, terms, nowMillis, first).withDeniedJoins(flags.deniesJoins()));
        result.admitted().ifPresent(connection -> provisioner.apply(List.of(planner.begun(connection)), Type.OPENED));
        return result.admitted().isPresent();
    }

    /** Does the same for a connection whose hosts have said nothing of subflows. */
    public boolean opened(ConnectionId id, FiveTuple tuple, Map<FiveTuple, Boolean> joins, int version, Token clientToken,
                   Token serverToken, long nowMillis) {
        return opened(id, tuple, joins, HandshakeFlags.NONE, version, clientToken, serverToken, nowMillis);
    }

    /**
     * Admits a connection before its handshake, in the same way.
     *
     * @return why it is not admitted; empty if it is
     */
    Optional<Refusal> awaited(ConnectionId id, FiveTuple tuple, Map<FiveTuple, Boolean> joins, long nowMillis) {
        guard.check();
        AdmissionResult result = decide(tuple, joins, HandshakeFlags.NONE, (terms, first) -> Connection.opened(
                id, 1, null, null, terms, nowMillis, first));
        result.admitted().ifPresent(connection -> provisioner.apply(List.of(connection), Type.AWAITED));
        return result.refusal();
    }

    /** Notes that the handshake of such a connection is complete; the parameters are those of {@link #opened}. */
    void begun(Connection awaited, Map<FiveTuple, Boolean> joins, HandshakeFlags flags, int version, Token clientToken,
               Token serverToken) {
        guard.check();
        Map<FiveTuple, Boolean> others = new LinkedHashMap<>(joins);
        others.keySet().removeIf(join -> awaited.subflow(join).isPresent());
        Connection begun = awaited.begun(version, clientToken, serverToken).withDeniedJoins(flags.deniesJoins())
                .mapSubflows(subflow -> subflow.withBackup(flags.isBackup(subflow.tuple())));
        if (others.isEmpty()) {
            priorities.record(begun, Type.SUBFLOW_JOINED);
        } else {
            provisioner.apply(List.of(withJoins(begun, others, flags)), Type.SUBFLOW_JOINED);
        }
    }

    private AdmissionResult decide(FiveTuple tuple, Map<FiveTuple, Boolean> joins, HandshakeFlags flags,
                                   BiFunction<Terms, Subflow, Connection> maker) {
        Optional<Subflow> first = unrouted(tuple, true, false);
        if (!first.isPresent()) {
            return refusals.count(Refusal.WITHOUT_PORTS);
        }
        supersede(tuple);
        Policy policy = policies.policyFor(tuple);
        if (!policy.isManaged()) {
            return refusals.count(Refusal.POLICY);
        }
        if (isCrowded(tuple.source())) {
            return refusals.count(Refusal.TOO_MANY);
        }
        Connection connection = maker.apply(policy.terms(settings.settings()), first.get().withBackup(flags.isBackup(tuple)));
        Connection routed = connection.withSubflows(List.of(place(connection, connection.first())));
        if (isShort(routed, policy.minimum())) {
            return refusals.count(Refusal.SHORT);
        }
        Connection complete = withJoins(routed, joins, flags);
        return tables.hasRoom(complete) ? AdmissionResult.of(complete) : refusals.count(Refusal.FLOW_TABLES);
    }

    /** Returns whether there are as many managed connections as there may be, in all or of one client. */
    private boolean isCrowded(IpAddress client) {
        Settings limits = settings.settings();
        List<Connection> live = provisioner.live();
        return live.size() >= limits.mostConnections() || live.size() >= limits.mostConnectionsPerHost()
                && live.stream().filter(connection -> connection.first().tuple().source().equals(client)).count()
                        >= limits.mostConnectionsPerHost();
    }

    private Connection withJoins(Connection opened, Map<FiveTuple, Boolean> joins, HandshakeFlags flags) {
        Connection result = opened;
        for (Map.Entry<FiveTuple, Boolean> join : joins.entrySet()) {
            Optional<Subflow> subflow = unrouted(join.getKey(), join.getValue(), true);
            if (isFull(result, join.getKey())) {
                refusals.count(Refusal.TOO_MANY_SUBFLOWS);
            } else if (!subflow.isPresent()) {
                refusals.count(Refusal.WITHOUT_PORTS);
            } else {
                supersede(join.getKey());
                result = SubflowLimit.with(result, place(result, subflow.get().withBackup(flags.isBackup(join.getKey()))));
            }
        }
        return result;
    }

    /** Returns whether a new connection's share would be below a rate, bit/s; hosts on one switch are never short. */
    private boolean isShort(Connection newcomer, double minimum) {
        boolean onOneSwitch = newcomer.first().isRouted() && newcomer.first().path().isEmpty();
        if (minimum == 0 || onOneSwitch) {
            return false;
        }
        Rates share = forecasts.of(provisioner.live(), newcomer, settings.settings().allocator()).expected();
        return Math.min(share.up(), share.down()) < minimum * (1 - SLACK);
    }

    /** Returns how often it has refused what, and counts what others refuse. Any thread may use it. */
    public Refusals refusals() {
        return refusals;
    }

    /**
     * Admits a subflow that has completed its handshake with MP_JOIN.
     *
     * @param id         the connection that its token names
     * @param tuple      five-tuple of the subflow; its source sent the SYN
     * @param fromClient whether the sender is the connection's client
     * @param isBackup   whether a host wants it as a backup; of one that an agent was told to open that is no host's wish
     * @return whether it is managed; false if the connection is unknown, has too many subflows, or the policy blocks it
     */
    public boolean joined(ConnectionId id, FiveTuple tuple, boolean fromClient, boolean isBackup) {
        guard.check();
        Optional<Connection> known = store.get(id);
        if (!known.isPresent()) {
            return false;
        }
        if (known.get().subflow(tuple).filter(Subflow::isRouted).isPresent()) {
            planner.came(id, tuple);
            priorities.change(id, Map.of(tuple, isBackup && !SourcePorts.has(tuple.sourcePort())));
            return true;
        }
        if (isFull(known.get(), tuple)) {
            refusals.count(Refusal.TOO_MANY_SUBFLOWS);
            return false;
        }
        Optional<Subflow> subflow = unrouted(tuple, fromClient, true);
        if (!subflow.isPresent()) {
            refusals.count(Refusal.WITHOUT_PORTS);
            return false;
        }
        if (!known.get().subflow(tuple).isPresent()) {
            supersede(tuple);
        }
        Connection awake = reroute(known.get());
        Subflow routed = place(withPromised(awake, tuple), subflow.get().withBackup(isBackup));
        Connection joined = awake.subflow(tuple).isPresent()
                ? awake.mapSubflows(other -> other.tuple().equals(tuple) ? routed : other)
                : SubflowLimit.with(awake, routed);
        if (routed.state() == SubflowState.BLOCKED) {
            provisioner.record(joined, Type.SUBFLOW_JOINED);
            return false;
        }
        if (!tables.hasRoom(awake.withSubflows(List.of(routed)))) {
            refusals.count(Refusal.FLOW_TABLES);
            return false;
        }
        provisioner.apply(List.of(joined), Type.SUBFLOW_JOINED);
        return true;
    }

    /** Does the same for a subflow of which its hosts have said nothing. */
    public boolean joined(ConnectionId id, FiveTuple tuple, boolean fromClient) {
        return joined(id, tuple, fromClient, false);
    }

    /** Returns whether the settings or a policy may block an MP_JOIN, so that SYNs have to wait in the controller. Any thread may ask. */
    public static boolean mayBlockJoins(SettingsService settings, PolicyService policies) {
        return settings.settings().joinPolicy() == JoinPolicy.BLOCK || policies.mayBlockJoins();
    }

    /**
     * Returns whether the terms of a connection allow the MP_JOIN that has just begun. They can block a subflow that would
     * get no disjoint path.
     *
     * <p>A blocked subflow is recorded as {@link SubflowState#BLOCKED}.
     *
     * @param id         the connection that its token names
     * @param tuple      five-tuple of the subflow
     * @param fromClient whether the connection's client sent the SYN
     * @return false if the policy blocks it
     */
    boolean mayJoin(ConnectionId id, FiveTuple tuple, boolean fromClient) {
        guard.check();
        Optional<Connection> connection = store.get(id);
        Optional<Subflow> subflow = unrouted(tuple, fromClient, true);
        if (!connection.isPresent() || !subflow.isPresent()) {
            return true;
        }
        if (isFull(connection.get(), tuple)) {
            refusals.count(Refusal.TOO_MANY_SUBFLOWS);
            return false;
        }
        Subflow routed = place(withPromised(connection.get(), tuple), subflow.get());
        if (routed.state() != SubflowState.BLOCKED) {
            promised.asMap().computeIfAbsent(id, unused -> new LinkedHashMap<>()).put(tuple, routed);
            return true;
        }
        if (!connection.get().subflow(tuple).isPresent()) {
            provisioner.record(SubflowLimit.with(connection.get(), routed), Type.SUBFLOW_JOINED);
        }
        return false;
    }

    /**
     * Adds the admitted MP_JOINs whose handshakes are not complete, because several MP_JOINs often come together. Their handshakes
     * may be complete in another order, and each is to find the path that was kept for it.
     */
    private Connection withPromised(Connection connection, FiveTuple newcomer) {
        Connection result = connection;
        for (Subflow subflow : promised.asMap().getOrDefault(connection.id(), Map.of()).values()) {
            if (!connection.subflow(subflow.tuple()).isPresent() && !subflow.tuple().equals(newcomer)) {
                result = result.withSubflow(subflow);
            }
        }
        return result;
    }

    private boolean isFull(Connection connection, FiveTuple tuple) {
        return SubflowLimit.isFull(connection, tuple, settings.settings().mostSubflows());
    }

    /** Wakes an idle connection after a packet: it gets rules again, on present paths or once these are up. */
    public void woken(ConnectionId id) {
        guard.check();
        store.get(id)
                .filter(connection -> connection.state() == ConnectionState.IDLE && !recoveryHold.awaits(connection))
                .ifPresent(connection -> provisioner.apply(List.of(reroute(connection)), Type.OPENED));
    }

    /**
     * Wakes an idle subflow after a packet: it gets a path and rules again. It is never blocked, because its hosts use it
     * already.
     *
     * @param id    its connection
     * @param tuple five-tuple of the packet, either way round
     * @return whether it is managed; false if its connection has reached its subflow limit
     */
    public boolean woken(ConnectionId id, FiveTuple tuple) {
        guard.check();
        woken(id);
        Optional<Connection> connection = store.get(id);
        Optional<Subflow> idle = connection.flatMap(one -> one.subflow(tuple))
                .filter(subflow -> subflow.state() == SubflowState.IDLE);
        boolean waits = connection.filter(one -> one.state() == ConnectionState.IDLE).isPresent();
        if (!idle.isPresent() || waits) {
            return connection.isPresent();
        }
        if (isFull(connection.get(), tuple)) {
            refusals.count(Refusal.TOO_MANY_SUBFLOWS);
            return false;
        }
        Connection awake = connection.get().mapSubflows(subflow -> subflow == idle.get()
                ? subflow.withoutRoute(SubflowState.DOWN) : subflow);
        provisioner.apply(List.of(reroute(awake)), Type.REROUTED);
        return true;
    }

    /**
     * Gives a connection paths again that had given them back, under the terms with which it began.
     *
     * @param id     its name
     * @param living its subflows that have not ended; not null
     * @param joins  further subflows, from the sender of the SYN; true where the client has sent it; not null
     * @param flags  what its hosts have said of these; not null
     * @return whether it is managed; false if it is not known any more, there are too many connections, or a flow table is full
     */
    boolean resumed(ConnectionId id, Set<FiveTuple> living, Map<FiveTuple, Boolean> joins, HandshakeFlags flags) {
        guard.check();
        Optional<Connection> idle = store.get(id).filter(connection -> connection.state() == ConnectionState.IDLE);
        if (!idle.isPresent()) {
            return false;
        }
        if (isCrowded(idle.get().first().tuple().source())) {
            refusals.count(Refusal.TOO_MANY);
            return false;
        }
        Connection awake = reroute(idle.get().mapSubflows(subflow -> !subflow.isUsed() || living.contains(subflow.tuple())
                ? subflow : subflow.withoutRoute(SubflowState.IDLE)));
        Map<FiveTuple, Boolean> others = new LinkedHashMap<>(joins);
        others.keySet().removeIf(tuple -> awake.subflow(tuple).filter(Subflow::isUsed).isPresent());
        Connection complete = withJoins(awake.withSubflows(awake.subflows().stream()
                .filter(subflow -> !others.containsKey(subflow.tuple())).collect(Collectors.toList())), others, flags);
        if (!tables.hasRoom(complete)) {
            refusals.count(Refusal.FLOW_TABLES);
            return false;
        }
        provisioner.apply(List.of(complete), Type.OPENED);
        return true;
    }

    private Connection reroute(Connection connection) {
        return rerouting.reroute(connection, provisioner.competitors());
    }

    private Subflow place(Connection connection, Subflow subflow) {
        return model.place(connection, subflow, provisioner.competitors());
    }

    /** Returns a five-tuple with its hosts, each the one that has the address if nobody has seen a frame; empty if that is unknown. */
    public Optional<FiveTuple> withHosts(FiveTuple tuple) {
        return attachments.withHosts(tuple);
    }

    private Optional<Subflow> unrouted(FiveTuple tuple, boolean fromClient, boolean join) {
        Optional<ConnectPoint> source = attachments.port(tuple);
        Optional<ConnectPoint> destination = attachments.destination(tuple);
        // No switch sends a frame back through the port where it came in: who hairpins reaches the other without us, or not at all.
        return source.flatMap(in -> destination.filter(out -> !out.equals(in))
                .map(out -> Subflow.unrouted(tuple, fromClient, join, in, out)));
    }

    /** Removes a reused five-tuple from the connection that had it before. */
    private void supersede(FiveTuple tuple) {
        store.owner(tuple).flatMap(store::get).ifPresent(owner -> {
            List<Subflow> rest = owner.subflows().stream()
                    .filter(subflow -> !subflow.tuple().equals(tuple) && !subflow.tuple().equals(tuple.reversed()))
                    .collect(Collectors.toList());
            if (rest.isEmpty() || owner.first().tuple().equals(tuple)) {
                provisioner.close(List.of(owner));
            } else if (owner.state() == ConnectionState.IDLE) {
                provisioner.record(owner.withSubflows(rest), Type.REROUTED);
            } else {
                provisioner.apply(List.of(owner.withSubflows(rest)), Type.REROUTED);
            }
        });
    }
}
