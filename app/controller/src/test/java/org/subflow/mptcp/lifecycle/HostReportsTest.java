// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.host.Agent;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** What hosts say of their connections, and what the controller makes of it. */
class HostReportsTest extends HostAgentsScenario {
    private Demand demand() {
        return stage.demands.of(Stage.ID);
    }

    @Test
    void anApplicationsLimitBoundsTheDemandOfTheDirectionThatTheHostSends() {
        Agent client = agent(CLIENT);
        Connection connection = stage.open();
        report(client, limitedByApplication(2e6, tuples(connection)));
        assertEquals(Demand.of(2.5e6, UNLIMITED), demand());
        assertEquals(2.5e6, stage.connection().expected().up(), 1, "its share follows without any counter");
    }

    @Test
    void theServersWordIsOfTheOtherDirection() {
        Agent server = agent(Stage.SERVER);
        Connection connection = stage.open();
        report(server, limitedByApplication(2e6, connection.first().tuple().reversed()));
        assertEquals(Demand.of(UNLIMITED, 2.5e6), demand());
    }

    @Test
    void theRatesOfSubflowsCountTogether() {
        Agent client = agent(CLIENT, "10.0.0.11");
        stage.open();
        report(client, limitedByApplication(2e6, tuples(stage.join(1))));
        assertEquals(5e6, demand().up());
    }

    @Test
    void aHostThatSendsNothingStillSendsAcknowledgements() {
        Agent client = agent(CLIENT);
        Connection connection = stage.open();
        report(client, limitedByApplication(0, tuples(connection)));
        assertEquals(Demand.FLOOR, demand().up());
        stage.demands.rest(connection.id());
        assertEquals(Demand.of(Demand.FLOOR, Demand.FLOOR), demand());
    }

    @Test
    void theNetworksLimitIsNoneOfTheDemand() {
        Agent client = agent(CLIENT);
        Connection connection = stage.open();
        stage.demands.rest(connection.id());
        report(client, limitedByNetwork(tuples(connection)));
        assertEquals(Demand.of(UNLIMITED, Demand.FLOOR), demand());
    }

    @Test
    void whereNothingLimitsTheCountersDecide() {
        Agent client = agent(CLIENT);
        Connection connection = stage.open();
        stage.demands.rest(connection.id());
        report(client, new ReportedConnection(subflows(2e6, false, tuples(connection)), false, false));
        assertEquals(Demand.of(Demand.FLOOR, Demand.FLOOR), demand());
    }

    @Test
    void aWordCountsForFiveSeconds() {
        Agent client = agent(CLIENT);
        Connection connection = stage.open();
        report(client, limitedByApplication(2e6, tuples(connection)));
        wait(3000);
        report(client, limitedByApplication(2e6, tuples(connection)));
        wait(5000);
        reports.apply();
        assertEquals(2.5e6, demand().up());
        wait(1001);
        reports.apply();
        assertEquals(Demand.UNLIMITED, demand());
    }

    @Test
    void aConnectionHasTheAgentOfTheHostThatSendsMore() {
        Agent client = agent(CLIENT);
        Agent server = agent(Stage.SERVER);
        Connection connection = stage.open();
        report(client, limitedByApplication(2e6, tuples(connection)));
        assertFalse(agents.reception().isReported(stage.connection()), "the server may send more");
        report(server, limitedByNetwork(connection.first().tuple().reversed()));
        assertTrue(agents.reception().isReported(stage.connection()));
        wait(5000);
        assertTrue(agents.reception().isReported(stage.connection()));
        wait(1);
        assertFalse(agents.reception().isReported(stage.connection()));
    }

    @Test
    void aReportWithoutNewsDoesNotReachTheControlLoop() {
        Agent client = agent(CLIENT);
        Connection connection = stage.open();
        report(client, limitedByApplication(2e6, tuples(connection)));
        assertEquals(1, stage.agents.news);
        for (double rate : new double[] {2e6, 2.1e6, 1.9e6, 1.6e6}) {
            wait(1000);
            report(client, OptionalLong.empty(), 0, limitedByApplication(rate, tuples(connection)));
        }
        assertEquals(1, stage.agents.news);
        report(client, OptionalLong.empty(), 0, limitedByApplication(3e6, tuples(connection)));
        assertEquals(2, stage.agents.news);
    }

    @Test
    void anEndCountsAtOnce() {
        Agent client = agent(CLIENT, "10.0.0.11");
        stage.open();
        Connection connection = stage.join(1);
        report(client, ended(connection.subflows().get(1).tuple()));
        assertTrue(stage.store.all().isEmpty());
        assertTrue(stage.intents.withdrawn.containsAll(stage.intents.submitted.keySet()), "its intent is withdrawn");
        report(client, ended(connection.subflows().get(1).tuple()));
    }

    @Test
    void aSubflowThatOnlyAClientTellsOfGetsAPathOnlyToItsConnectionsOtherHost() {
        stage.attach("00:00:00:00:00:02", Nets.edge(5), "10.0.0.2", "10.0.0.22");
        stage.attach("00:00:00:00:00:03", Nets.edge(5), "10.0.0.3");
        Agent client = agent(CLIENT);
        FiveTuple first = stage.attachments.withHosts(Stage.tuple("10.0.0.1", 1000)).orElseThrow();
        stage.admission.opened(Stage.ID, Opening.of(first, List.of()), 1, Token.of(1), Token.of(2), 0);
        List<String> servers = List.of("10.0.0.3", "10.0.0.22", "10.0.0.2");
        FiveTuple[] reported = Stream.concat(Stream.of(first.withoutHosts()), servers.stream().map(server ->
                FiveTuple.of(CLIENT, 61000, IpAddress.valueOf(server), 5201))).toArray(FiveTuple[]::new);
        report(client, limitedByNetwork(reported));
        wait(4000);
        report(client, limitedByNetwork(reported));
        assertEquals(Set.of("10.0.0.2", "10.0.0.22"), stage.connection().subflows().stream()
                .map(subflow -> subflow.tuple().destination().toString()).collect(Collectors.toSet()));
        assertEquals(3, stage.connection().subflows().size());
    }

    @Test
    void nobodySpeaksForAnotherHost() {
        Agent stranger = agent(IpAddress.valueOf("10.0.0.13"));
        Connection connection = stage.open();
        FiveTuple tuple = connection.first().tuple();
        for (FiveTuple each : List.of(tuple, tuple.reversed())) {
            report(stranger, ended(each));
            report(stranger, limitedByApplication(1e6, each));
        }
        report(stranger, ended(FiveTuple.of(stranger.host(), tuple.sourcePort(), tuple.destination(), tuple.destinationPort())));
        assertEquals(List.of(connection.id()), List.of(stage.connection().id()));
        assertEquals(Demand.UNLIMITED, demand());
        assertEquals(4L, agents.counters().get("agents.foreign"));
    }

    @Test
    void whatIsSaidOfUnknownConnectionsIsForgotten() {
        Agent client = agent(CLIENT);
        report(client, limitedByApplication(1e6, Stage.tuple("10.0.0.1", 7)));
        report(client, ended(Stage.tuple("10.0.0.1", 7)));
        assertEquals(0, stage.agents.news);
        assertEquals(0L, agents.counters().get("agents.foreign"));
    }

    @Test
    void theDemandIsKnownWhenBothHostsSaySo() {
        Agent client = agent(CLIENT);
        Agent server = agent(Stage.SERVER);
        Connection connection = stage.open();
        report(client, limitedByNetwork(tuples(connection)));
        assertFalse(stage.demands.isKnown(connection.id()));
        report(server, limitedByApplication(0, connection.first().tuple().reversed()));
        assertTrue(stage.demands.isKnown(connection.id()) && stage.demands.isBusy(connection.id()));
    }
}
