// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Every limit holds whichever way a connection or subflow comes to paths. */
class GateTest {
    private static final int MANY = 12;

    private final Stage stage = new Stage();

    @Test
    void openingKeepsTheLimit() {
        limit(2);
        open(MANY);
        assertEquals(2, live());
        assertEquals(MANY - 2, refused(Refusal.TOO_MANY));
    }

    @Test
    void wakingKeepsTheLimit() {
        idle(MANY);
        limit(2);
        wakeAll();
        assertEquals(2, live());
        assertEquals(MANY - 2, refused(Refusal.TOO_MANY));
        assertEquals(MANY, stage.store.all().size(), "the others stay idle, and may wake later");
    }

    @Test
    void joiningAnIdleConnectionKeepsTheLimit() {
        idle(MANY);
        limit(2);
        for (int number = 0; number < MANY; number++) {
            stage.joins.joined(id(number), new Join(Stage.tuple("10.0.0.11", 3000 + number), Direction.UP, false));
        }
        assertEquals(2, live());
    }

    @Test
    void recoveringKeepsTheLimit() {
        open(MANY);
        limit(2);
        stage.start();
        stage.changes.recover(stage.millis);
        assertEquals(2, live());
        assertEquals(MANY, stage.store.all().size());
    }

    @Test
    void aHostIsOneWhateverAddressesItHas() {
        stage.settings = settings().with(Settings.MOST_CONNECTIONS_PER_HOST, 1);
        String[] addresses = {"10.0.0.1", "10.0.0.11", "10.0.0.12", "10.0.0.13"};
        for (int number = 0; number < addresses.length; number++) {
            open(number, Stage.tuple(addresses[number], 1000));
        }
        assertEquals(1, live());
    }

    @Test
    void behindOnePortEachMacAddressIsAHost() {
        stage.settings = settings().with(Settings.MOST_CONNECTIONS_PER_HOST, 1);
        stage.attach("00:00:00:00:00:03", Nets.edge(1), "10.0.0.3");
        for (int number = 0; number < 4; number++) {
            open(number, tuple("10.0.0.1", 1, 1000 + number));
            open(10 + number, tuple("10.0.0.3", 3, 1000 + number));
        }
        assertEquals(2, live());
    }

    @Test
    void aHostThatHasMovedIsTheSame() {
        stage.settings = settings().with(Settings.MOST_CONNECTIONS_PER_HOST, 1);
        stage.attach("00:00:00:00:00:03", Nets.edge(1), "10.0.0.3");
        open(1, tuple("10.0.0.3", 3, 1000));
        stage.attach("00:00:00:00:00:03", Nets.edge(2), "10.0.0.3");
        open(2, tuple("10.0.0.3", 3, 1001));
        assertEquals(1, live(), "its first connection still comes in at the old port");
    }

    @Test
    void oneMacAddressInOtherVlansAtOtherPortsIsAnotherHost() {
        stage.settings = settings().with(Settings.MOST_CONNECTIONS_PER_HOST, 1);
        for (int vlan = 1; vlan <= 2; vlan++) {
            HostId virtual = HostId.hostId("00:00:5e:00:01:01/" + vlan);
            HostId server = HostId.hostId("00:00:00:00:00:02/" + vlan);
            stage.attach(virtual.toString(), Nets.edge(vlan), "10.0.1." + vlan);
            stage.attach(server.toString(), Nets.edge(5), "10.0.2." + vlan);
            open(vlan, FiveTuple.of(IpAddress.valueOf("10.0.1." + vlan), 1000, IpAddress.valueOf("10.0.2." + vlan), 5201)
                    .between(virtual, server));
        }
        assertEquals(2, live());
    }

    @Test
    void wakingDoesNotFillAFullTable() {
        idle(1);
        stage.retries.tableIsFull(Nets.device(1));
        wakeAll();
        assertEquals(0, live());
        assertEquals(1, refused(Refusal.FLOW_TABLES));
    }

    @Test
    void aSubflowDoesNotWakeInAFullTable() {
        stage.open();
        FiveTuple join = stage.join(1).subflows().get(1).tuple();
        stage.installed();
        stage.provisioner.apply(List.of(stage.connection().mapSubflows(subflow -> subflow.tuple().equals(join)
                ? subflow.withoutRoute(SubflowState.IDLE) : subflow)), Type.SUBFLOW_IDLE);
        stage.retries.tableIsFull(Nets.device(1));
        assertEquals(0, refused(Refusal.FLOW_TABLES));
        assertFalse(stage.resumptions.woken(Stage.ID, join));
        assertEquals(1, refused(Refusal.FLOW_TABLES));
        assertFalse(stage.joins.joined(Stage.ID, new Join(Stage.tuple("10.0.0.12", 3000), Direction.UP, false)), "nor does another one join");
        assertEquals(1, stage.connection().subflows().stream().filter(subflow -> subflow.isRouted()).count());
    }

    @Test
    void whoWakesWaitsItsTurn() {
        idle(1);
        othersWait();
        wakeAll();
        assertEquals(0, live());
        othersGo();
        wakeAll();
        assertEquals(1, live());
    }

    @Test
    void whoIsRefusedLeavesItsTurnToOthers() {
        idle(2);
        open(20, Stage.tuple("10.0.0.1", 2000));
        stage.installed();
        othersWait();
        stage.parts().gate.leaves(Stage.tuple("10.0.0.1", 5000));
        limit(1);
        assertFalse(stage.resumptions.woken(id(0), stage.store.get(id(0)).get().first().tuple()));
        limit(2);
        assertTrue(stage.resumptions.woken(id(1), stage.store.get(id(1)).get().first().tuple()));
    }

    @Test
    void thoseOfAnEarlierRunWaitTheirTurn() {
        open(1);
        stage.start();
        othersWait();
        stage.changes.recover(stage.millis);
        assertEquals(0, live());
        othersGo();
        stage.installed();
        assertEquals(1, live(), "it follows at once");
    }

    @Test
    void withoutAMandateNobodyPasses() {
        idle(2);
        stage.mayDecide = false;
        int before = live();
        wakeAll();
        open(20, Stage.tuple("10.0.0.1", 2000));
        stage.changes.recover(stage.millis);
        assertFalse(stage.joins.joined(id(0), new Join(Stage.tuple("10.0.0.11", 3000), Direction.UP, false)));
        assertFalse(stage.joins.mayJoin(id(0), new Join(Stage.tuple("10.0.0.11", 3000), Direction.UP, false)));
        assertEquals(0, live(), () -> "of " + before);
        assertTrue(refused(Refusal.NO_MANDATE) > 0);
    }

    /** As many connections as may wait for rules of a switch. */
    private void othersWait() {
        for (int number = 0; number < AdmissionPace.MOST; number++) {
            assertTrue(stage.parts().gate.hasTurn(Stage.tuple("10.0.0.1", 5000 + number), true));
        }
    }

    private void othersGo() {
        for (int number = 0; number < AdmissionPace.MOST; number++) {
            stage.parts().gate.leaves(Stage.tuple("10.0.0.1", 5000 + number));
        }
    }

    private static Settings settings() {
        return Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow");
    }

    private void limit(int most) {
        stage.settings = settings().with(Settings.MOST_CONNECTIONS, most);
    }

    private static ConnectionId id(int number) {
        return ConnectionId.of("c" + number);
    }

    private static FiveTuple tuple(String client, long mac, int port) {
        return Stage.tuple(client, port).between(HostId.hostId(MacAddress.valueOf(mac)), HostId.hostId(MacAddress.valueOf(2)));
    }

    private void open(int number, FiveTuple tuple) {
        stage.admission.opened(id(number), Opening.of(tuple, List.of()), 1, Token.of(2 * number), Token.of(2 * number + 1), stage.millis);
    }

    private void open(int many) {
        for (int number = 0; number < many; number++) {
            open(number, Stage.tuple("10.0.0.1", 1000 + number));
        }
        stage.installed();
    }

    private void idle(int many) {
        open(many);
        stage.provisioner.makeIdle(stage.provisioner.live());
    }

    private void wakeAll() {
        stage.store.all().forEach(connection -> stage.resumptions.woken(connection.id(), connection.first().tuple()));
    }

    private int live() {
        return stage.provisioner.live().size();
    }

    private long refused(Refusal why) {
        return stage.admission.refusals().of(why);
    }
}
