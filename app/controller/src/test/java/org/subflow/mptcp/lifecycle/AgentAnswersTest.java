// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.host.Agent;
import org.subflow.mptcp.host.Answer;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** What agents are told, and when. */
class AgentAnswersTest extends HostAgentsScenario {
    private static OptionalLong since(Answer answer) {
        return OptionalLong.of(answer.revision);
    }

    private static List<FiveTuple> senders(Answer answer) {
        return answer.connections.get(0).subflows.stream().map(subflow -> subflow.tuple).collect(Collectors.toList());
    }

    private static List<SubflowState> states(Answer answer) {
        return answer.connections.get(0).subflows.stream().map(subflow -> subflow.state).collect(Collectors.toList());
    }

    private void capacity(int a, int b, double rate) {
        stage.capacities.put(Nets.link(a, b), rate);
        stage.changes.networkChanged(stage.millis);
    }

    @Test
    void eachHostIsToldTheRatesOfTheDirectionThatItSends() {
        Agent client = agent(CLIENT);
        Agent server = agent(Stage.SERVER);
        Connection connection = stage.open();
        stage.agents.attainable.put(connection.id(), new AttainableRate(Rates.of(10e6, 9e6), Rates.of(8e6, 7e6)));
        capacity(5, 2, 4e6);
        capacity(5, 3, 4e6);
        capacity(5, 4, 4e6);
        Answer up = first(client);
        Answer down = first(server);
        assertEquals(List.of(connection.first().tuple()), senders(up));
        assertEquals(List.of(connection.first().tuple().reversed()), senders(down));
        Answer.ToldConnection told = up.connections.get(0);
        assertEquals(connection.id(), told.id);
        assertEquals(List.of(8e6, 10e6, 10e6, 10e6),
                     List.of(told.attainable, told.available, told.expected, told.subflows.get(0).expected));
        Answer.ToldConnection back = down.connections.get(0);
        assertEquals(List.of(7e6, 9e6, 4e6, 4e6),
                     List.of(back.attainable, back.available, back.expected, back.subflows.get(0).expected));
    }

    @Test
    void aHostIsToldOfItsOwnConnectionsAlone() {
        Agent client = agent(CLIENT);
        stage.open("aaaa0001", Stage.SERVER, 2000, "10.0.0.12");
        assertTrue(first(client).connections.isEmpty());
        Agent other = agent(IpAddress.valueOf("10.0.0.13"), "10.0.0.12");
        assertEquals(1, first(other).connections.size(), "one of before its registration, by another of its addresses");
    }

    @Test
    void subflowsThatNobodyIsToLimitAreLeftOut() {
        Agent client = agent(CLIENT, "10.0.0.11");
        stage.open();
        Connection connection = stage.join(1);
        assertEquals(List.of(SubflowState.ACTIVE, SubflowState.ACTIVE), states(first(client)));
        Connection reduced = connection.mapSubflows(
                subflow -> subflow.isJoin() ? subflow.withoutRoute(SubflowState.IDLE) : subflow);
        stage.provisioner.apply(List.of(reduced), ConnectionEvent.Type.SUBFLOW_IDLE);
        assertEquals(List.of(connection.first().tuple()), senders(first(client)));
        stage.provisioner.makeIdle(List.of(stage.connection()));
        assertTrue(first(client).connections.isEmpty(), "the connection is idle");
    }

    @Test
    void withoutNewsTheAnswerWaits() {
        Agent client = agent(CLIENT);
        stage.open();
        Answer first = first(client);
        ask(client, since(first), 2000);
        wait(1999);
        assertEquals(List.of(), answers);
        wait(1);
        assertEquals(first.revision, answer().revision);
        ask(client, since(first), 0);
        assertEquals(first.revision, answer().revision, "who will not wait need not");
    }

    @Test
    void noAnswerWaitsForMoreThanTenSeconds() {
        Agent client = agent(CLIENT);
        ask(client, since(first(client)), Long.MAX_VALUE);
        wait(9999);
        assertEquals(List.of(), answers);
        wait(1);
        answer();
    }

    @Test
    void aChangeIsToldAtOnce() {
        Agent client = agent(CLIENT);
        stage.open();
        Answer first = first(client);
        wait(1000);
        ask(client, since(first), 2000);
        capacity(1, 2, 5e6);
        capacity(1, 3, 5e6);
        capacity(1, 4, 5e6);
        wait(0);
        Answer news = answer();
        assertNotEquals(first.revision, news.revision);
        assertEquals(5e6, news.connections.get(0).expected);
        wait(10_000);
        assertEquals(List.of(), answers, "one answer to one request");
    }

    @Test
    void aChangeWhileNobodyWaitedIsToldWithTheNextRequest() {
        Agent client = agent(CLIENT);
        Answer first = first(client);
        stage.open();
        wait(1000);
        ask(client, since(first), 2000);
        assertEquals(1, answer().connections.size());
    }

    @Test
    void anEndIsToldAtOnce() {
        Agent client = agent(CLIENT);
        Connection connection = stage.open();
        Answer first = first(client);
        wait(1000);
        ask(client, since(first), 2000);
        stage.provisioner.close(List.of(connection), Cause.ENDED);
        wait(0);
        assertTrue(answer().connections.isEmpty());
    }

    @Test
    void aChangeOfZetaIsToldAtOnce() {
        Agent client = agent(CLIENT);
        Connection connection = stage.open();
        Answer first = first(client);
        wait(1000);
        ask(client, since(first), 2000);
        stage.agents.attainable.put(connection.id(), new AttainableRate(Rates.of(9e6, 9e6), Rates.of(9e6, 9e6)));
        agents.attainableRateChanged(connection);
        wait(0);
        assertEquals(9e6, answer().connections.get(0).attainable);
    }

    @Test
    void changesThatComeThickAreToldTogether() {
        Agent client = agent(CLIENT);
        stage.open();
        Answer first = first(client);
        wait(10);
        ask(client, since(first), 2000);
        capacity(1, 2, 5e6);
        wait(39);
        assertEquals(List.of(), answers);
        capacity(1, 2, 4e6);
        capacity(1, 3, 4e6);
        capacity(1, 4, 4e6);
        wait(1);
        assertEquals(4e6, answer().connections.get(0).expected);
    }

    @Test
    void whatComesOfNothingWakesNobody() {
        Agent client = agent(CLIENT);
        Agent other = agent(IpAddress.valueOf("10.0.0.12"));
        stage.open("aaaa0001", Stage.SERVER, 2000, "10.0.0.12");
        Connection connection = stage.open();
        ask(client, since(first(client)), 2000);
        Answer others = first(other);
        wait(1000);
        ask(other, since(others), 2000);
        agents.changed(new ConnectionEvent(ConnectionEvent.Type.SHARES_CHANGED, connection));
        wait(0);
        assertEquals(List.of(), answers, "its rates are what they were, and the other host's need not be looked at");
    }

    @Test
    void aNewRequestEndsTheOneThatWaits() {
        Agent client = agent(CLIENT);
        Answer first = first(client);
        ask(client, since(first), 2000);
        ask(client, since(first), 2000);
        assertEquals(first.revision, answer().revision);
        wait(2000);
        answer();
    }

    @Test
    void anAnswerOfAnEarlierRunIsNotTakenForTheNewest() {
        Agent client = agent(CLIENT);
        stage.open();
        Answer first = first(client);
        stage.millis += 5000;
        Agent again = agent(CLIENT);
        ask(again, since(first), 2000);
        assertNotEquals(first.revision, answer().revision);
    }

    @Test
    void whoIsRemovedWaitsNoLonger() {
        Agent client = agent(CLIENT);
        ask(client, since(first(client)), 2000);
        agents.remove(CLIENT);
        answer();
        wait(10_000);
        assertEquals(List.of(), answers);
    }

    @Test
    void whereReportsAreWantedMoreOftenTheAnswerWaitsForLess() {
        stage.agents.reportMillis = 1000;
        Agent client = agent(CLIENT);
        ask(client, since(first(client)), 2000);
        wait(900);
        assertEquals(List.of(), answers);
        wait(100);
        answer();
    }

    @Test
    void withManyAgentsTheAnswerWaitsForLonger() {
        stage.agents.reportMillis = 1000;
        Agent client = agent(CLIENT);
        for (int host = 2; host <= 500; host++) {
            agents.register(IpAddress.valueOf("10.1." + host / 250 + "." + host % 250), List.of(), true);
        }
        ask(client, since(first(client)), 4000);
        wait(1900);
        assertEquals(List.of(), answers);
        wait(100);
        answer();
        // It waits no longer than the agent is ready to.
        ask(client, since(first(client)), 1500);
        wait(1500);
        answer();
    }

    @Test
    void nobodyWaitsForAnApplicationThatStops() {
        Agent client = agent(CLIENT);
        Answer first = first(client);
        ask(client, since(first), 2000);
        agents.stop();
        answer();
        ask(client, since(first), 2000);
        answer();
    }

    @Test
    void whoHasGoneKeepsNobodyElseFromAnAnswer() {
        Agent client = agent(CLIENT);
        Agent server = agent(Stage.SERVER);
        OptionalLong known = since(first(client));
        agents.report(client, new Report("", "", known, 2000, List.of()), answer -> {
            throw new IllegalStateException("for the test");
        });
        ask(server, since(first(server)), 2000);
        wait(1000);
        stage.open();
        wait(0);
        answer();
    }
}
