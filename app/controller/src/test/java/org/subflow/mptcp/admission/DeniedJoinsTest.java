// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.host.Agent;
import org.subflow.mptcp.host.Answer;
import org.subflow.mptcp.host.PathCommand;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.lifecycle.HostAgentsScenario;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** A server that wants no further subflows to its address and port (flag C of MP_CAPABLE, RFC 8684, section 3.1). */
class DeniedJoinsTest extends HostAgentsScenario {
    private static final String FURTHER_OF_SERVER = "10.0.2.1";
    private Agent client;

    @BeforeEach
    void manage() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint");
        client = agent(CLIENT);
        says(client);
    }

    private Answer says(Agent agent, FiveTuple... present) {
        List<ReportedConnection> connections = present.length == 0 ? List.of() : List.of(
                new ReportedConnection(subflows(9e6, true, present), false, false, true));
        agents.report(agent, new Report("", "", OptionalLong.empty(), 0, connections, true), answers::add);
        reports.apply();
        return answer();
    }

    private boolean opened(boolean deniesJoins) {
        return stage.admission.opened(Stage.ID, new Opening(Stage.tuple("10.0.0.1", 1000), false, deniesJoins, List.of()), 1, Token.of(1),
                                      Token.of(2), 0);
    }

    private List<IpAddress> servers() {
        return stage.connection().subflows().stream().map(subflow -> subflow.tuple().destination()).collect(Collectors.toList());
    }

    @Test
    void nobodyIsToldToOpenASubflowThere() {
        assertTrue(opened(true));
        stage.installed();
        for (int second = 0; second < 5; second++) {
            PathCommand command = says(client, tuples(stage.connection())).connections.get(0).paths.orElseThrow().command;
            assertEquals(List.of(), command.add);
            stage.pass(1);
        }
        stage.changes.networkChanged(stage.millis);
        stage.pass(5);
        assertEquals(List.of(Stage.SERVER), servers());
        assertTrue(stage.connection().deniesJoins());
    }

    @Test
    void withoutTheFlagThereAreThree() {
        assertTrue(opened(false));
        assertEquals(3, servers().size());
        assertFalse(stage.connection().deniesJoins());
    }

    @Test
    void anotherAddressOfTheServerIsJoinedAllTheSame() {
        stage.cut(2, 5);
        stage.attach("00:00:00:00:02:01", Nets.edge(2), FURTHER_OF_SERVER);
        says(agent(Stage.SERVER, FURTHER_OF_SERVER));
        assertTrue(opened(true));
        stage.installed();
        for (int second = 0; second < 3; second++) {
            says(client, stage.connection().first().tuple());
            stage.pass(1);
        }
        assertEquals(List.of(Stage.SERVER, IpAddress.valueOf(FURTHER_OF_SERVER)), servers());
    }

    @Test
    void theForecastCountsTheFirstSubflowAlone() {
        agents.remove(CLIENT);
        stage.policies = Policies.of(List.of(Policy.named("fast").refuseBelow(1.5 * Nets.CAPACITY).build()));
        assertFalse(opened(true), "it has one path");
        assertTrue(opened(false), "it would have three");
    }

    @Test
    void aClientThatJoinsAllTheSameIsServed() {
        agents.remove(CLIENT);
        assertTrue(opened(true));
        Connection joined = stage.join(1);
        assertEquals(2, joined.subflows().size());
        assertTrue(joined.subflows().stream().noneMatch(one -> one.path().isEmpty()));
        assertTrue(joined.deniesJoins());
    }
}
