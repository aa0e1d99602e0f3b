// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.host.Agent;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** A thousand agents: those whom a change does not concern cost nothing. */
class ManyAgentsTest extends HostAgentsScenario {
    private static final int MANY = 1000;

    private final List<Agent> all = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();

    private static IpAddress host(int number) {
        return IpAddress.valueOf(0x0a010000 + number);
    }

    private void everybodyWaits() {
        for (int number = 0; number < MANY; number++) {
            Agent agent = agent(host(number));
            all.add(agent);
            FiveTuple tuple = FiveTuple.of(host(number), 1000, Stage.SERVER, 5201);
            Subflow subflow = Subflow.unrouted(tuple, true, false, Nets.edge(1), Nets.edge(5))
                    .withRoute(SubflowState.ACTIVE, List.of(), List.of(), 1e9).withExpected(Rates.of(1e6, 1e6));
            Connection connection = Connection.opened(ConnectionId.of("c" + number), 1, null, null,
                    Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").terms(), number, subflow);
            connections.add(connection);
            stage.store.put(connection);
            agents.changed(new ConnectionEvent(ConnectionEvent.Type.OPENED, connection));
            ask(agent, OptionalLong.of(first(agent).revision), 5000);
        }
        wait(2000);
        assertEquals(List.of(), answers);
    }

    private void change(int number, double expected) {
        Connection changed = connections.get(number).mapSubflows(one -> one.withExpected(Rates.of(expected, 1e6)));
        stage.store.put(changed);
        agents.changed(new ConnectionEvent(ConnectionEvent.Type.SHARES_CHANGED, changed));
    }

    @Test
    void aChangeIsToldToTheHostConcernedAlone() {
        everybodyWaits();
        int before = stage.agents.asked;
        change(7, 2e6);
        wait(0);
        assertEquals("c7", answer().connections.get(0).id.value());
        assertEquals(1, stage.agents.asked - before, "nobody else's answer was made anew");
    }

    @Test
    void changesForAllComeOnceAndThenAtAPauseThatGrowsWithTheirNumber() {
        everybodyWaits();
        for (int number = 0; number < MANY; number++) {
            change(number, 2e6);
        }
        wait(0);
        assertEquals(MANY, answers.size());
        for (int number = 0; number < MANY; number++) {
            ask(all.get(number), OptionalLong.of(answers.get(number).revision), 5000);
        }
        answers.clear();
        for (int number = 0; number < MANY; number++) {
            change(number, 3e6);
        }
        wait(549);
        assertEquals(List.of(), answers);
        wait(1);
        assertEquals(MANY, answers.size());
    }

    @Test
    void reportsWithoutNewsAreNoWorkForTheLoop() {
        everybodyWaits();
        for (int number = 0; number < MANY; number++) {
            report(all.get(number), OptionalLong.empty(), 0, limitedByNetwork(connections.get(number).first().tuple()));
        }
        assertTrue(stage.agents.news > 0);
        reports.apply();
        int before = stage.agents.news;
        for (int number = 0; number < MANY; number++) {
            report(all.get(number), OptionalLong.empty(), 0, limitedByNetwork(connections.get(number).first().tuple()));
        }
        assertEquals(before, stage.agents.news);
    }
}
