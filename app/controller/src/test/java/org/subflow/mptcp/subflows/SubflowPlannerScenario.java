// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.onosproject.net.DeviceId;
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
import org.subflow.mptcp.wiring.Stage;

/** A client with an agent, on a network with three disjoint paths. */
abstract class SubflowPlannerScenario extends HostAgentsScenario {
    final Agent client = agent(CLIENT);
    boolean isAddable = true;
    double delivery = 9e6;
    boolean isNetworkLimited = true;
    /** What each subflow has sent so far. */
    long octets;

    @BeforeEach
    void manage() {
        stage.settings = settings();
        says();
    }

    static Settings settings() {
        return Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint");
    }

    /** The client's agent reports that its connection has these subflows; returns the answer. */
    Answer says(FiveTuple... present) {
        List<ReportedConnection> connections = present.length == 0 ? List.of() : List.of(new ReportedConnection(
                subflows(delivery / present.length, isNetworkLimited, present), false, !isNetworkLimited, isAddable));
        agents.report(client, new Report("0.1.0", "bpf", OptionalLong.empty(), 0, connections, true), answers::add);
        reports.apply();
        return answer();
    }

    /** Seconds pass, and the agent reports these subflows in each of them. */
    void pass(int seconds, FiveTuple... present) {
        for (int second = 0; second < seconds; second++) {
            says(present);
            stage.pass(1);
        }
    }

    /** Likewise, and by the switches' counters the subflows send. */
    void send(int seconds, FiveTuple... present) {
        for (int second = 0; second < seconds; second++) {
            octets += 1_000_000;
            says(present);
            stage.second(octets);
        }
    }

    static PathCommand command(Answer answer) {
        return answer.connections.get(0).paths.orElseThrow().command;
    }

    FiveTuple first() {
        return stage.connection().first().tuple();
    }

    static Set<DeviceId> middles(Connection connection) {
        return connection.subflows().stream().filter(Subflow::isRouted).map(Stage::middle).collect(Collectors.toSet());
    }
}
