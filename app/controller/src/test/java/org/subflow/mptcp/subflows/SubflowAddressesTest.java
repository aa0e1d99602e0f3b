// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.host.Agent;
import org.subflow.mptcp.host.Answer;
import org.subflow.mptcp.host.PathCommand;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.lifecycle.HostAgentsScenario;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** From which addresses to which a client's agent is told to open subflows, where hosts are attached to several switches. */
class SubflowAddressesTest extends HostAgentsScenario {
    private static final String FURTHER = "10.0.1.1";
    private static final String FURTHER_OF_SERVER = "10.0.2.1";
    private Agent client;

    @BeforeEach
    void manage() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint");
        client = agent(CLIENT, FURTHER);
        // Switch 2 leads to the server by a link of its own.
        stage.cut(1, 2);
        stage.attach("00:00:00:00:01:01", Nets.edge(2), FURTHER);
    }

    /** An agent that manages paths reports a connection with these subflows, or none; returns the answer. */
    private Answer says(Agent agent, FiveTuple... present) {
        List<ReportedConnection> connections = present.length == 0 ? List.of() : List.of(
                new ReportedConnection(subflows(9e6, true, present), false, false, true));
        agents.report(agent, new Report("", "", OptionalLong.empty(), 0, connections, true), answers::add);
        reports.apply();
        return answer();
    }

    private Connection open() {
        says(client);
        Connection connection = stage.open();
        stage.installed();
        return connection;
    }

    private void pass(int seconds, FiveTuple... present) {
        for (int second = 0; second < seconds; second++) {
            says(client, present);
            stage.pass(1);
        }
    }

    /** Returns the subflows as "from the address at a switch, to the address at a switch". */
    private static List<String> ends(Connection connection) {
        return connection.subflows().stream().filter(Subflow::isRouted)
                .map(subflow -> subflow.tuple().source() + "@" + Stage.number(subflow.ingress().deviceId()) + " "
                        + subflow.tuple().destination() + "@" + Stage.number(subflow.egress().deviceId()))
                .collect(Collectors.toList());
    }

    @Test
    void aFurtherAddressIsUsedForThePathThatTheFirstOneDoesNotHave() {
        Connection connection = open();
        assertEquals(List.of("10.0.0.1@1 10.0.0.2@5", "10.0.0.1@1 10.0.0.2@5", "10.0.1.1@2 10.0.0.2@5"), ends(connection));
        assertEquals(5, connection.subflows().stream().flatMap(subflow -> subflow.path().stream()).distinct().count());
        FiveTuple added = connection.subflows().get(2).tuple();
        assertTrue(added.sourcePort() >= 61_000);
        assertEquals(5201, added.destinationPort());
        PathCommand command = says(client, connection.first().tuple()).connections.get(0).paths.orElseThrow().command;
        assertTrue(command.add.contains(added));
    }

    @Test
    void whereOneAddressHasAllPathsTheOthersAreNotUsed() {
        stage.mend(1, 2);
        assertEquals(List.of("10.0.0.1@1 10.0.0.2@5", "10.0.0.1@1 10.0.0.2@5", "10.0.0.1@1 10.0.0.2@5"), ends(open()));
    }

    @Test
    void anAddressWithWhichTheHostIsNotRegisteredIsNotUsed() {
        agents.remove(CLIENT);
        client = agent(CLIENT);
        assertEquals(2, open().subflows().size());
    }

    @Test
    void anAddressThatIsNotAttachedOrWhosePortIsDownIsNotUsed() {
        agents.remove(CLIENT);
        client = agent(CLIENT, "10.0.9.9", "fd00::1", FURTHER);
        stage.portsDown.add(Nets.edge(2));
        assertEquals(2, open().subflows().size());
    }

    @Test
    void anInterfaceThatIsThereLaterGetsItsSubflow() {
        stage.portsDown.add(Nets.edge(2));
        FiveTuple[] all = tuples(open());
        pass(2, all);
        assertEquals(2, stage.connection().subflows().size());
        stage.portsDown.clear();
        stage.changes.networkChanged(stage.millis);
        pass(2, all);
        assertEquals("10.0.1.1@2 10.0.0.2@5", ends(stage.connection()).get(2));
    }

    @Test
    void withoutItsFirstInterfaceAConnectionGoesOnFromTheOther() {
        FiveTuple[] all = tuples(open());
        pass(2, all);
        stage.portsDown.add(Nets.edge(1));
        stage.changes.networkChanged(stage.millis);
        // The host has given up what it cannot send on.
        pass(20, all[2]);
        assertEquals(List.of("10.0.1.1@2 10.0.0.2@5"), ends(stage.connection()));
        stage.portsDown.clear();
        stage.changes.networkChanged(stage.millis);
        pass(30, all[2]);
        assertTrue(ends(stage.connection()).contains("10.0.0.1@1 10.0.0.2@5"), () -> "" + ends(stage.connection()));
    }

    @Test
    void aFurtherAddressOfAServerWithAnAgentIsUsedToo() {
        stage.mend(1, 2);
        stage.cut(2, 5);
        agents.remove(CLIENT);
        client = agent(CLIENT);
        stage.attach("00:00:00:00:02:01", Nets.edge(2), FURTHER_OF_SERVER);
        Agent server = agent(Stage.SERVER, FURTHER_OF_SERVER);
        assertEquals(2, open().subflows().size(), "nobody knows whether the server takes it");
        stage.installed();
        says(server);
        stage.changes.networkChanged(stage.millis);
        pass(2, tuples(stage.connection()));
        assertEquals("10.0.0.1@1 10.0.2.1@2", ends(stage.connection()).get(2));
    }

    @Test
    void fromWhereNothingComesTheNextTriesAreEverMoreSeldomAndAtOnceWhenTheNetworkChanges() {
        FiveTuple[] all = tuples(open());
        FiveTuple[] present = Arrays.copyOf(all, 2);
        pass(12, present);
        assertEquals(2, stage.connection().subflows().size(), "the host has not opened the third");
        pass(110, present);
        assertEquals(5, planned(), "after 5, 10, 20 and 40 s");
        while (stage.connection().subflows().size() > 2) {
            pass(1, present);
        }
        stage.changes.networkChanged(stage.millis);
        pass(2, present);
        assertEquals(3, stage.connection().subflows().size());
    }

    /** Returns how many source ports of the further address have been used. */
    private long planned() {
        return stage.events.stream().flatMap(event -> event.subject().subflows().stream())
                .map(Subflow::tuple).filter(tuple -> tuple.source().toString().equals(FURTHER)).distinct().count();
    }
}
