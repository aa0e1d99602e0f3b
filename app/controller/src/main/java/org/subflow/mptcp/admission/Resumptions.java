// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.candidate.HandshakeFlags;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.routing.RecoveryHold;
import org.subflow.mptcp.store.ConnectionStore;

/** Gives idle connections and subflows their paths again. Used by the control loop only. */
public final class Resumptions {
    private final ConnectionStore store;
    private final AdmissionLimits limits;
    private final SubflowPlacement placement;
    private final JoinAdmission joins;
    private final RecoveryHold recoveryHold;
    private final Provisioner provisioner;
    private final LoopGuard guard;

    public Resumptions(ConnectionStore store, AdmissionLimits limits, SubflowPlacement placement, JoinAdmission joins,
                       RecoveryHold recoveryHold, Provisioner provisioner, LoopGuard guard) {
        this.store = checkNotNull(store, "store");
        this.limits = checkNotNull(limits, "limits");
        this.placement = checkNotNull(placement, "placement");
        this.joins = checkNotNull(joins, "joins");
        this.recoveryHold = checkNotNull(recoveryHold, "recoveryHold");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.guard = checkNotNull(guard, "guard");
    }

    /** Wakes an idle connection after a packet: it gets rules again, on present paths or once these are up. */
    public void woken(ConnectionId id) {
        guard.check();
        store.get(id)
                .filter(connection -> connection.state() == ConnectionState.IDLE && !recoveryHold.awaits(connection))
                .ifPresent(connection -> provisioner.apply(List.of(placement.reroute(connection)), Type.OPENED));
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
        if (limits.isFull(connection.get(), tuple)) {
            limits.refusals().count(Refusal.TOO_MANY_SUBFLOWS);
            return false;
        }
        Connection awake = connection.get().mapSubflows(subflow -> subflow == idle.get()
                ? subflow.withoutRoute(SubflowState.DOWN) : subflow);
        provisioner.apply(List.of(placement.reroute(awake)), Type.REROUTED);
        return true;
    }

    /**
     * Gives a connection paths again that had given them back, under the terms with which it began.
     *
     * @param id     its name
     * @param living its subflows that have not ended; not null
     * @param joined further subflows, from the sender of the SYN; true where the client has sent it; not null
     * @param flags  what its hosts have said of these; not null
     * @return whether it is managed; false if it is not known any more, there are too many connections, or a flow table is full
     */
    boolean resumed(ConnectionId id, Set<FiveTuple> living, Map<FiveTuple, Boolean> joined, HandshakeFlags flags) {
        guard.check();
        Optional<Connection> idle = store.get(id).filter(connection -> connection.state() == ConnectionState.IDLE);
        if (!idle.isPresent()) {
            return false;
        }
        if (limits.isCrowded(idle.get().first().tuple().source())) {
            limits.refusals().count(Refusal.TOO_MANY);
            return false;
        }
        Connection awake = placement.reroute(idle.get().mapSubflows(subflow -> !subflow.isUsed() || living.contains(subflow.tuple())
                ? subflow : subflow.withoutRoute(SubflowState.IDLE)));
        Map<FiveTuple, Boolean> others = new LinkedHashMap<>(joined);
        others.keySet().removeIf(tuple -> awake.subflow(tuple).filter(Subflow::isUsed).isPresent());
        Connection complete = joins.withJoins(awake.withSubflows(awake.subflows().stream()
                .filter(subflow -> !others.containsKey(subflow.tuple())).collect(Collectors.toList())), others, flags);
        if (!limits.hasRoom(complete)) {
            limits.refusals().count(Refusal.FLOW_TABLES);
            return false;
        }
        provisioner.apply(List.of(complete), Type.OPENED);
        return true;
    }
}
