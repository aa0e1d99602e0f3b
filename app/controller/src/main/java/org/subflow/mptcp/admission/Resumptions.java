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
    private final Gate gate;
    private final SubflowPlacement placement;
    private final JoinAdmission joins;
    private final RecoveryHold recoveryHold;
    private final Provisioner provisioner;
    private final LoopGuard guard;

    public Resumptions(ConnectionStore store, Gate gate, SubflowPlacement placement, JoinAdmission joins,
                       RecoveryHold recoveryHold, Provisioner provisioner, LoopGuard guard) {
        this.store = checkNotNull(store, "store");
        this.gate = checkNotNull(gate, "gate");
        this.placement = checkNotNull(placement, "placement");
        this.joins = checkNotNull(joins, "joins");
        this.recoveryHold = checkNotNull(recoveryHold, "recoveryHold");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.guard = checkNotNull(guard, "guard");
    }

    /** Wakes an idle connection after a packet: it gets rules again, on present paths or once these are up. */
    private void wake(Connection idle) {
        if (gate.hasTurn(idle.first().tuple(), true)) {
            gate.enterAgain(idle, placement::reroute).ifPresent(awake -> provisioner.apply(List.of(awake), Type.OPENED));
        }
    }

    /**
     * Wakes an idle subflow after a packet: it gets a path and rules again. It is never blocked, because its hosts use it
     * already.
     *
     * @param id    its connection
     * @param tuple five-tuple of the packet, either way round
     * @return whether it is managed; false if the gate does not let it in now. It may wake later
     */
    public boolean woken(ConnectionId id, FiveTuple tuple) {
        guard.check();
        if (store.get(id).filter(Resumptions::isIdle).filter(recoveryHold::awaits).isPresent()) {
            return true;
        }
        store.get(id).filter(Resumptions::isIdle).ifPresent(this::wake);
        Optional<Connection> connection = store.get(id).filter(one -> !isIdle(one));
        Optional<Subflow> idle = connection.flatMap(one -> one.subflow(tuple))
                .filter(subflow -> subflow.state() == SubflowState.IDLE);
        if (!idle.isPresent()) {
            return connection.isPresent();
        }
        if (gate.closedTo(connection.get(), tuple).isPresent()) {
            return false;
        }
        Connection awake = placement.reroute(connection.get().mapSubflows(subflow -> subflow == idle.get()
                ? subflow.withoutRoute(SubflowState.DOWN) : subflow));
        if (!gate.hasRoom(awake, awake.subflow(tuple).orElseThrow())) {
            return false;
        }
        provisioner.apply(List.of(awake), Type.REROUTED);
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
        Optional<Connection> awake = store.get(id).filter(Resumptions::isIdle).flatMap(idle -> gate.enter(
                idle, 0, connection -> placement.reroute(connection.mapSubflows(
                        subflow -> !subflow.isUsed() || living.contains(subflow.tuple())
                                ? subflow : subflow.withoutRoute(SubflowState.IDLE))),
                connection -> withJoins(connection, joined, flags)).admitted());
        awake.ifPresent(connection -> provisioner.apply(List.of(connection), Type.OPENED));
        return awake.isPresent();
    }

    private Connection withJoins(Connection awake, Map<FiveTuple, Boolean> joined, HandshakeFlags flags) {
        Map<FiveTuple, Boolean> others = new LinkedHashMap<>(joined);
        others.keySet().removeIf(tuple -> awake.subflow(tuple).filter(Subflow::isUsed).isPresent());
        return joins.withJoins(awake.withSubflows(awake.subflows().stream()
                .filter(subflow -> !others.containsKey(subflow.tuple())).collect(Collectors.toList())), others, flags);
    }

    private static boolean isIdle(Connection connection) {
        return connection.state() == ConnectionState.IDLE;
    }
}
