// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.PortNumber;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** The port of a host that comes and goes concerns its own connections, and costs the network nothing. */
class HostPortsTest {
    private static final int FLAPS = 100;
    private static final ConnectPoint OTHER = new ConnectPoint(Nets.device(1), PortNumber.portNumber(101));
    private final Stage stage = new Stage();
    private final AtomicInteger shares = new AtomicInteger();

    @BeforeEach
    void open() {
        stage.settings = Settings.DEFAULTS.with(Settings.SUBFLOWS, 2);
        stage.shares = share -> () -> {
            shares.incrementAndGet();
            share.run();
        };
        stage.start();
        stage.attach("00:00:00:00:00:03", OTHER, "10.0.0.3");
        stage.open("ours", Stage.SERVER, 1000, "10.0.0.1");
        stage.changes.networkChanged(stage.millis);
        shares.set(0);
        stage.events.clear();
    }

    @Test
    void aPortWithoutConnectionsComputesNothing() {
        flap(OTHER);
        assertEquals(0, shares.get());
        assertEquals(0, stage.events.size());
    }

    @Test
    void aPortWithConnectionsConcernsThemAlone() {
        Connection theirs = stage.open("theirs", Stage.SERVER, 2000, "10.0.0.3");
        stage.events.clear();
        flap(OTHER);
        assertEquals(FLAPS, stage.events.stream().filter(event -> event.type() == Type.DOWN).count());
        assertEquals(2 * FLAPS, stage.events.stream().filter(event -> event.type() == Type.DOWN || event.type() == Type.REROUTED)
                .filter(event -> event.subject().id().equals(theirs.id())).count());
        assertEquals(ConnectionState.ACTIVE, stage.store.get(theirs.id()).get().state());
    }

    @Test
    void whileAHostIsGoneOtherPortsComputeNothing() {
        stage.open("theirs", Stage.SERVER, 2000, "10.0.0.3");
        stage.portsDown.add(OTHER);
        stage.changes.networkChanged(stage.millis);
        shares.set(0);
        stage.events.clear();
        flap(new ConnectPoint(Nets.device(1), PortNumber.portNumber(102)));
        assertEquals(0, shares.get());
        assertEquals(0, stage.events.size());
    }

    @Test
    void anotherCapacityChangesShares() {
        stage.capacities.put(Nets.link(1, 2), Nets.CAPACITY / 2);
        stage.changes.networkChanged(stage.millis);
        assertEquals(1, shares.get());
    }

    private void flap(ConnectPoint port) {
        for (int flap = 0; flap < FLAPS; flap++) {
            stage.portsDown.add(port);
            stage.changes.networkChanged(++stage.millis);
            stage.portsDown.remove(port);
            stage.changes.networkChanged(++stage.millis);
            stage.installed();
        }
    }
}
