// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Clients that share one router, so one MAC address and port; no host has their addresses. */
class ManyBehindOneRouterTest extends HandshakeScenario {
    private static final int CLIENTS = 24;

    private static FiveTuple client(int number, long mac) {
        return FiveTuple.of(IpAddress.valueOf("203.0.113." + number), 40_000, Stage.SERVER, 5201)
                .between(HostId.hostId(MacAddress.valueOf(mac)), HostId.hostId(MacAddress.valueOf(2)));
    }

    private void open(FiveTuple tuple, int number) {
        handler.capableEstablished(Handshakes.capable(tuple, new ConnectionKeys(
                Handshakes.KEYS.version, OptionalLong.of(100 + number), OptionalLong.of(200 + number))));
        done();
    }

    private void openAll(long mac) {
        for (int number = 1; number <= CLIENTS; number++) {
            open(client(number, mac), number);
        }
    }

    private long counted(Refusal refusal) {
        return stage.admission.refusals().of(refusal);
    }

    @Test
    void allAreAdmittedWithPathsFromTheRoutersPort() {
        openAll(1);
        assertEquals(CLIENTS, stage.store.all().size());
        assertTrue(stage.store.all().stream().flatMap(one -> one.subflows().stream()).allMatch(Subflow::isRouted));
        assertEquals(CLIENTS, plain.size(), "plain rules until the paths have theirs");
    }

    @Test
    void whoeverIsRefusedForTheirNumberCounts() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").with(Settings.MANAGE_AFTER_MILLIS, 0)
                .with(Settings.MOST_CONNECTIONS, 10);
        openAll(1);
        assertEquals(10, stage.store.all().size());
        assertEquals(CLIENTS - 10, counted(Refusal.TOO_MANY));
    }

    @Test
    void whoeverHairpinsAtTheRoutersPortCounts() {
        stage.attach("00:00:00:00:00:02", Nets.edge(1), "10.0.0.2");
        openAll(1);
        assertTrue(stage.store.all().isEmpty());
        assertEquals(CLIENTS, counted(Refusal.WITHOUT_PORTS));
    }
}
