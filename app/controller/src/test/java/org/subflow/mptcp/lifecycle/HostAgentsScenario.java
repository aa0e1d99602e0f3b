// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.host.Agent;
import org.subflow.mptcp.host.Answer;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.host.report.ReportedSubflow;
import org.subflow.mptcp.wiring.Stage;

/** A network whose hosts have agents, which report what a test says. */
public abstract class HostAgentsScenario {
    public static final IpAddress CLIENT = IpAddress.valueOf("10.0.0.1");
    static final double UNLIMITED = Double.POSITIVE_INFINITY;

    public final Stage stage = new Stage();
    public final HostAgents agents = stage.agents.agents;
    public final HostReports reports =
            new HostReports(agents.reception(), stage.store, stage.demands, stage.provisioner, stage.parts().ended, stage.joins,
                            stage.attachments::isOwn);
    /** The answers that have come, in their order. */
    public final List<Answer> answers = new ArrayList<>();

    /** Registers a host and logs its agent in. */
    public Agent agent(IpAddress host, String... further) {
        List<IpAddress> addresses = List.of(further).stream().map(IpAddress::valueOf).collect(Collectors.toList());
        return agents.login(host, agents.register(host, addresses, true)).orElseThrow();
    }

    /** Lets time pass for what waits. */
    void wait(int millis) {
        stage.millis += millis;
        stage.agents.later.run();
    }

    /** An agent asks, with nothing to report. */
    void ask(Agent agent, OptionalLong since, long waitMillis) {
        report(agent, since, waitMillis);
    }

    public void report(Agent agent, OptionalLong since, long waitMillis, ReportedConnection... connections) {
        agents.report(agent, new Report("0.1.0", "bpf", since, waitMillis, List.of(connections)), answers::add);
    }

    /** An agent reports a connection, and the control loop applies what is new. */
    public void report(Agent agent, ReportedConnection connection) {
        report(agent, OptionalLong.empty(), 0, connection);
        reports.apply();
    }

    /** Returns the answer that has just come, the only one since the last call. */
    public Answer answer() {
        assertEquals(1, answers.size());
        return answers.remove(0);
    }

    /** Returns the answer to an agent that has none. */
    public Answer first(Agent agent) {
        ask(agent, OptionalLong.empty(), 0);
        return answer();
    }

    static ReportedConnection limitedByApplication(double delivery, FiveTuple... tuples) {
        return new ReportedConnection(subflows(delivery, false, tuples), false, true);
    }

    static ReportedConnection limitedByNetwork(FiveTuple... tuples) {
        return new ReportedConnection(subflows(1e6, true, tuples), false, false);
    }

    static ReportedConnection ended(FiveTuple... tuples) {
        return new ReportedConnection(subflows(0, false, tuples), true, false);
    }

    public static List<ReportedSubflow> subflows(double delivery, boolean isNetworkLimited, FiveTuple... tuples) {
        return List.of(tuples).stream().map(tuple -> new ReportedSubflow(tuple, delivery, isNetworkLimited))
                .collect(Collectors.toList());
    }

    public static FiveTuple[] tuples(Connection connection) {
        return connection.subflows().stream().map(Subflow::tuple).toArray(FiveTuple[]::new);
    }
}
