// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.subflows.SourcePorts;
import org.subflow.mptcp.subflows.SubflowLimit;
import org.subflow.mptcp.subflows.SubflowPlanner;

/**
 * Admits further subflows to connections, and gives each its attachment points, its path and its rules. Used by the control
 * loop only.
 */
public final class JoinAdmission {
    private static final int MOST_PROMISED = 1000;

    /** How long a path is kept for an admitted MP_JOIN whose handshake is not complete. */
    private static final int HANDSHAKE_SECONDS = 5;

    private final ConnectionStore store;
    private final Gate gate;
    private final SubflowPlacement placement;
    private final SubflowPlanner planner;
    private final Provisioner provisioner;
    private final Priorities priorities;
    private final Cache<ConnectionId, Map<FiveTuple, Subflow>> promised = CacheBuilder.newBuilder()
            .maximumSize(MOST_PROMISED)
            .expireAfterWrite(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
            .build();

    public JoinAdmission(ConnectionStore store, Gate gate, SubflowPlacement placement, SubflowPlanner planner,
                         Provisioner provisioner, Priorities priorities) {
        this.store = checkNotNull(store, "store");
        this.gate = checkNotNull(gate, "gate");
        this.placement = checkNotNull(placement, "placement");
        this.planner = checkNotNull(planner, "planner");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.priorities = checkNotNull(priorities, "priorities");
    }

    /** Returns a connection with further subflows, as far as there may be so many and their hosts have usable ports. */
    Connection withJoins(Connection opened, List<Join> joins) {
        Connection result = opened;
        for (Join join : joins) {
            Optional<Subflow> subflow = placement.further(join);
            if (!subflow.isPresent()) {
                gate.refusals().count(Refusal.WITHOUT_PORTS);
            } else if (!gate.closedTo(result, join.tuple).isPresent()) {
                supersede(join.tuple);
                result = SubflowLimit.with(result, placement.place(result, subflow.get()));
            }
        }
        return result;
    }

    /** Notes that the handshake of an awaited connection is complete; the parameters are those of {@link Admission#opened}. */
    void begun(Connection awaited, Opening opening, int version, Token clientToken, Token serverToken) {
        List<Join> others = opening.joins.stream().filter(join -> !awaited.subflow(join.tuple).isPresent())
                .collect(Collectors.toList());
        Connection begun = awaited.begun(version, clientToken, serverToken).withDeniedJoins(opening.deniesJoins)
                .mapSubflows(subflow -> subflow.withBackup(opening.isBackup(subflow.tuple())));
        if (others.isEmpty()) {
            priorities.record(begun, Type.SUBFLOW_JOINED);
        } else {
            provisioner.apply(List.of(withJoins(begun, others)), Type.SUBFLOW_JOINED);
        }
    }

    /**
     * Admits a subflow that has completed its handshake with MP_JOIN.
     *
     * @param id   the connection that its token names
     * @param join the subflow; that one is a backup which an agent was told to open, is no host's word
     * @return whether it is managed; false if the connection is unknown, has too many subflows, or the policy blocks it
     */
    public boolean joined(ConnectionId id, Join join) {
        store.checkThread();
        FiveTuple tuple = join.tuple;
        Optional<Connection> known = store.get(id);
        if (!known.isPresent()) {
            return false;
        }
        if (known.get().subflow(tuple).filter(Subflow::isRouted).isPresent()) {
            planner.came(id, tuple);
            priorities.change(id, Map.of(tuple, join.isBackup && !SourcePorts.has(tuple.sourcePort())));
            return true;
        }
        if (gate.closedTo(known.get(), tuple).isPresent()) {
            return false;
        }
        Optional<Subflow> subflow = placement.further(join);
        if (!subflow.isPresent()) {
            gate.refusals().count(Refusal.WITHOUT_PORTS);
            return false;
        }
        if (!known.get().subflow(tuple).isPresent()) {
            supersede(tuple);
        }
        Optional<Connection> entered = known.get().state() == ConnectionState.IDLE
                ? gate.enterAgain(known.get(), placement::reroute).admitted() : known.map(placement::reroute);
        return entered.filter(awake -> joinedTo(awake, tuple, subflow.get())).isPresent();
    }

    /** Adds a subflow to a connection with paths; returns whether it is managed. */
    private boolean joinedTo(Connection awake, FiveTuple tuple, Subflow subflow) {
        Subflow routed = placement.place(withPromised(awake, tuple), subflow);
        Connection joined = awake.subflow(tuple).isPresent()
                ? awake.mapSubflows(other -> other.tuple().equals(tuple) ? routed : other)
                : SubflowLimit.with(awake, routed);
        if (routed.state() == SubflowState.BLOCKED) {
            provisioner.record(joined, Type.SUBFLOW_JOINED);
            return false;
        }
        if (!gate.hasRoom(awake, routed)) {
            return false;
        }
        provisioner.apply(List.of(joined), Type.SUBFLOW_JOINED);
        return true;
    }

    /** Remembers a subflow of a connection that is to stay idle: its own packets wake it later. */
    void remember(ConnectionId id, Join join) {
        store.checkThread();
        FiveTuple tuple = join.tuple;
        Optional<Connection> idle = store.get(id).filter(one -> !one.subflow(tuple).isPresent());
        placement.further(join).ifPresent(subflow -> idle.ifPresent(connection -> {
            supersede(tuple);
            provisioner.record(SubflowLimit.with(connection, subflow.withoutRoute(SubflowState.IDLE)),
                               Type.SUBFLOW_JOINED);
        }));
    }

    /**
     * Returns whether the terms of a connection allow the MP_JOIN that has just begun. They can block a subflow that would
     * get no disjoint path.
     *
     * <p>A blocked subflow is recorded as {@link SubflowState#BLOCKED}.
     *
     * @param id   the connection that its token names
     * @param join the subflow
     * @return false if the policy blocks it
     */
    boolean mayJoin(ConnectionId id, Join join) {
        store.checkThread();
        FiveTuple tuple = join.tuple;
        Optional<Connection> connection = store.get(id);
        Optional<Subflow> subflow = placement.further(join);
        if (!connection.isPresent() || !subflow.isPresent()) {
            return true;
        }
        Connection promising = withPromised(connection.get(), tuple);
        if (gate.closedTo(promising, tuple).isPresent()) {
            return false;
        }
        Subflow routed = placement.place(promising, subflow.get());
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

    /** Returns a five-tuple with its hosts, each the one that has the address if nobody has seen a frame; empty if that is unknown. */
    public Optional<FiveTuple> withHosts(FiveTuple tuple) {
        return placement.withHosts(tuple);
    }

    /** Removes a reused five-tuple from the connection that had it before. */
    void supersede(FiveTuple tuple) {
        store.owner(tuple).flatMap(store::get).ifPresent(owner -> {
            List<Subflow> rest = owner.subflows().stream()
                    .filter(subflow -> !subflow.tuple().equals(tuple) && !subflow.tuple().equals(tuple.reversed()))
                    .collect(Collectors.toList());
            if (rest.isEmpty() || owner.first().tuple().equals(tuple)) {
                provisioner.close(List.of(owner), Cause.REPLACED);
            } else if (owner.state() == ConnectionState.IDLE) {
                provisioner.record(owner.withSubflows(rest), Type.REROUTED);
            } else {
                provisioner.apply(List.of(owner.withSubflows(rest)), Type.REROUTED, Cause.REPLACED);
            }
        });
    }
}
