// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.routing.RecoveryHold;
import org.subflow.mptcp.store.ConnectionStore;

/** Gives idle connections and subflows their paths again. Used by the control loop only. */
public final class Resumptions {
    private final ConnectionStore store;
    private final Gate gate;
    private final SubflowPlacement placement;
    private final RecoveryHold recoveryHold;
    private final Provisioner provisioner;

    public Resumptions(ConnectionStore store, Gate gate, SubflowPlacement placement, RecoveryHold recoveryHold,
                       Provisioner provisioner) {
        this.store = checkNotNull(store, "store");
        this.gate = checkNotNull(gate, "gate");
        this.placement = checkNotNull(placement, "placement");
        this.recoveryHold = checkNotNull(recoveryHold, "recoveryHold");
        this.provisioner = checkNotNull(provisioner, "provisioner");
    }

    /** Wakes an idle connection after a packet: it gets rules again, on present paths or once these are up. */
    private void wake(Connection idle) {
        if (gate.hasTurn(idle.first().tuple(), true)) {
            gate.enterAgain(idle, placement::reroute).admitted().ifPresent(awake -> provisioner.apply(List.of(awake), Type.OPENED));
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
        store.checkThread();
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

    private static boolean isIdle(Connection connection) {
        return connection.state() == ConnectionState.IDLE;
    }
}
