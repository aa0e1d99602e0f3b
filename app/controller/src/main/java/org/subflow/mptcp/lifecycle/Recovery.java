// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.admission.AdmissionResult;
import org.subflow.mptcp.admission.Gate;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.routing.RecoveryHold;
import org.subflow.mptcp.routing.Rerouting;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Takes over the connections of an earlier run of the application. Each gets rules and reservations again, on its old paths if
 * these are up or expected soon, else on others. Until then it counts as idle, but is stored as it was: the application, or the node,
 * may end before. Used by the control loop only.
 */
public final class Recovery {
    /** So many connections are looked at when switches have confirmed rules of another one. */
    private static final int MOST_AT_ONCE = 64;

    private final ConnectionStore store;
    private final Meter meter;
    private final Provisioner provisioner;
    private final Gate gate;
    private final Rerouting rerouting;
    private final RecoveryHold hold;
    /** Connections that wait for their paths. */
    private final Set<ConnectionId> waiting = new LinkedHashSet<>();

    public Recovery(ConnectionStore store, Meter meter, Provisioner provisioner, Gate gate, Rerouting rerouting, RecoveryHold hold) {
        this.store = checkNotNull(store, "store");
        this.meter = checkNotNull(meter, "meter");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.gate = checkNotNull(gate, "gate");
        this.rerouting = checkNotNull(rerouting, "rerouting");
        this.hold = checkNotNull(hold, "hold");
    }

    /**
     * Begins: all connections that are not idle are to have their paths again.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    void begin(long nowMillis) {
        store.checkThread();
        hold.begin();
        store.all().forEach(connection -> meter.watch(connection.id(), nowMillis));
        for (Connection connection : provisioner.live()) {
            provisioner.disown(connection);
            waiting.add(connection.id());
        }
        tick();
    }

    /** Takes over whoever is ready. */
    void tick() {
        OneByOne.forEach(List.copyOf(waiting), this::takeOver);
    }

    /** Does the same after a change of the network. */
    void networkChanged() {
        hold.look();
        tick();
    }

    /** Notes that switches have confirmed rules: some that waited for that may follow. */
    public void confirmed() {
        store.checkThread();
        OneByOne.forEach(waiting.stream().limit(MOST_AT_ONCE).collect(Collectors.toList()), this::takeOver);
    }

    private void takeOver(ConnectionId id) {
        waiting.remove(id);
        store.get(id).filter(one -> one.state() == ConnectionState.IDLE).ifPresent(idle -> {
            if (hold.awaits(idle) || !gate.hasTurn(idle.first().tuple(), true)) {
                // Others are looked at first.
                waiting.add(id);
                return;
            }
            AdmissionResult result = gate.enterAgain(idle, one -> rerouting.reroute(one, provisioner.live()));
            result.admitted().ifPresent(awake -> provisioner.apply(List.of(awake), Type.OPENED));
            // Who may not decide any more leaves it to the next one.
            if (result.isFinal()) {
                store.release(id);
            }
        });
    }
}
