// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.net.Link;
import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.rules.RuleReading;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/** Reads counters, and learns demands and other traffic from them. Used by the control loop only. */
public final class CounterReading {
    /**
     * Part of its capacity above which a link counts as full: losses and retransmission time-outs leave the rest unused.
     */
    private static final double FULL = 0.85;

    private final NetworkView network;
    private final Meter meter;
    private final Demands demands;
    private final OtherTraffic others;
    private final Provisioner provisioner;
    private final AwaitedConnections awaited;

    public CounterReading(NetworkView network, Meter meter, Demands demands, OtherTraffic others, Provisioner provisioner,
                          AwaitedConnections awaited) {
        this.network = checkNotNull(network, "network");
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.others = checkNotNull(others, "others");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.awaited = checkNotNull(awaited, "awaited");
    }

    void learn(RuleReading reading) {
        // Not only active connections: a connection in state PENDING sends data too.
        List<Connection> live = provisioner.live();
        meter.sample(live, reading);
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
}
