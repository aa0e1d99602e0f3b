// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.AgentSubflows;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.host.Agent;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Which subflows a client's agent is told to open and to close, on a network with three disjoint paths. */
class SubflowPlannerTest extends SubflowPlannerScenario {
    @Test
    void aConnectionGetsAllDisjointPathsAtOnceAndItsClientHearsOfThemOnceTheirRulesAreThere() {
        Connection connection = stage.open();
        assertEquals(3, middles(connection).size());
        assertEquals(1, stage.intents.submitted.size());
        assertTrue(command(says(first())).add.isEmpty(), "the rules are not in the switches");
        stage.installed();
        List<FiveTuple> added = command(says(first())).add;
        assertEquals(List.of(connection.subflows().get(1).tuple(), connection.subflows().get(2).tuple()), added);
        for (FiveTuple tuple : added) {
            assertEquals(List.of(CLIENT, Stage.SERVER, 5201),
                         List.of(tuple.source(), tuple.destination(), tuple.destinationPort()));
            assertTrue(tuple.sourcePort() >= 61_000);
        }
    }

    /** The ways over 2, 3 and 4 take 2, 4 and 100 ms; those over 2 and 4 have a risk in common at 1. */
    private void stateDelaysAndRisks() {
        double[] millis = {1, 2, 50};
        for (int middle = 2; middle <= 4; middle++) {
            for (int end : new int[] {1, 5}) {
                for (Link link : Nets.bothWays(new int[][] {{end, middle}})) {
                    stage.attributes.put(link, Nets.capacity(Nets.CAPACITY)
                            .with(millis[middle - 2], middle != 3 && end == 1 ? Set.of("duct") : Set.of()));
                }
            }
        }
    }

    @Test
    void noSubflowIsAskedForThatHasARiskInCommonWithASibling() {
        stateDelaysAndRisks();
        stage.settings = settings().with(Settings.DISJOINT, "srlg").with(Settings.MAX_DELAY_SPREAD_MILLIS, 0);
        Connection connection = stage.open();
        assertEquals(2, connection.subflows().size());
        assertTrue(middles(connection).contains(Nets.device(3)), connection.toString());
    }

    @Test
    void noSubflowIsAskedForThatIsTooLongOrTooFarFromASibling() {
        stateDelaysAndRisks();
        for (Settings settings : List.of(settings().with(Settings.MAX_DELAY_MILLIS, 10), settings())) {
            stage.settings = settings;
            Connection connection = stage.open();
            assertEquals(Set.of(Nets.device(2), Nets.device(3)), middles(connection));
            assertEquals(2, connection.subflows().size());
            stage.endings.ended(connection.first().tuple(), false, stage.millis);
            stage.endings.ended(connection.first().tuple().reversed(), false, stage.millis);
            for (int second = 0; second < 3; second++) {
                stage.second(1000);
            }
        }
    }

    @Test
    void aJoinThatWasExpectedChangesNothing() {
        Connection before = stage.open();
        stage.installed();
        FiveTuple expected = before.subflows().get(1).tuple();
        assertTrue(stage.joins.joined(Stage.ID, new Join(expected, Direction.UP, false)));
        assertEquals(before.subflows(), stage.connection().subflows());
    }

    @Test
    void aJoinThatWasSeenStaysWhenTheAgentFallsSilentBeforeItTellsOfIt() {
        FiveTuple[] all = tuples(stage.open());
        stage.installed();
        says(all[0]);
        assertTrue(stage.joins.joined(Stage.ID, new Join(all[1], Direction.UP, false)));
        stage.pass(30);
        assertEquals(List.of(all[0], all[1]), List.of(tuples(stage.connection())), "the third has not come");
    }

    @Test
    void aConnectionThatEndsBeforeItsFurtherSubflowsComeIsForgottenWithTheirPaths() {
        FiveTuple[] all = tuples(stage.open());
        stage.installed();
        assertEquals(3, all.length);
        stage.endings.ended(all[0], false, stage.millis);
        stage.endings.ended(all[0].reversed(), false, stage.millis);
        for (int second = 0; second < 3; second++) {
            stage.second(1000);
        }
        assertTrue(stage.store.all().isEmpty(), "nothing shows that it lives");
        assertTrue(stage.intents.withdrawn.containsAll(stage.intents.submitted.keySet()));
    }

    @Test
    void aSubflowThatTheClientReportsAndNobodyKnowsGetsItsPathAgain() {
        FiveTuple[] all = tuples(stage.open());
        stage.installed();
        says(all[0]);
        stage.pass(30);
        assertEquals(List.of(all[0]), List.of(tuples(stage.connection())), "neither has come, as far as anybody knows");
        pass(2, all[0], all[1]);
        assertEquals(1, stage.connection().subflows().size(), "it may be about to end");
        pass(3, all[0], all[1]);
        assertTrue(stage.connection().subflow(stage.attachments.withHosts(all[1]).orElseThrow())
                .filter(Subflow::isRouted).isPresent());
        assertEquals(3, middles(stage.connection()).size(), "a third is asked for again");
    }

    @Test
    void onlyClientsOpenSubflows() {
        Agent server = agent(Stage.SERVER);
        agents.report(server, new Report("", "", OptionalLong.empty(), 0, List.of(), true), answers::add);
        agents.remove(CLIENT);
        assertEquals(1, stage.open().subflows().size());
        stage.installed();
        answers.clear();
        assertFalse(first(server).connections.get(0).paths.isPresent());
    }

    @Test
    void aHostWhoseKernelManagesPathsIsLeftAlone() {
        report(client, OptionalLong.empty(), 0);
        answers.clear();
        assertEquals(1, stage.open().subflows().size());
        stage.installed();
        assertFalse(first(client).connections.get(0).paths.isPresent());
    }

    @Test
    void anAgentThatHasFallenSilentIsToldNothing() {
        stage.millis += 6000;
        assertEquals(1, stage.open().subflows().size());
    }

    @Test
    void nothingIsOpenedWhereThatIsOff() {
        stage.settings = settings().with(Settings.AGENT_SUBFLOWS, AgentSubflows.OFF);
        stage.open();
        stage.installed();
        pass(20, first());
        assertEquals(1, stage.connection().subflows().size());
    }

    @Test
    void thereAreNoMoreThanTheLimit() {
        stage.settings = settings().with(Settings.MOST_SUBFLOWS, 2);
        assertEquals(2, stage.open().subflows().size());
    }

    @Test
    void aConnectionThatBeganBeforeItsAgentGetsItsPathsWithTheFirstReport() {
        agents.remove(CLIENT);
        stage.open();
        stage.installed();
        Agent late = agent(CLIENT);
        agents.report(late, new Report("", "", OptionalLong.empty(), 0, List.of(new ReportedConnection(
                subflows(9e6, true, first()), false, false, true)), true), answers::add);
        stage.pass(1);
        assertEquals(3, middles(stage.connection()).size());
    }

    @Test
    void aConnectionToWhichItsHostCanAddNothingIsLeftAlone() {
        isAddable = false;
        stage.settings = settings().with(Settings.AGENT_SUBFLOWS, AgentSubflows.OFF);
        stage.open();
        stage.installed();
        stage.settings = settings();
        pass(5, first());
        assertEquals(1, stage.connection().subflows().size());
    }

    @Test
    void whatDoesNotComeGivesItsPathBackAndIsTriedAgainLessAndLessOften() {
        stage.open();
        List<Set<FiveTuple>> tried = new ArrayList<>();
        for (int second = 0; second < 120; second++) {
            Set<FiveTuple> now = new HashSet<>(List.of(tuples(stage.connection())));
            if (tried.isEmpty() || !tried.get(tried.size() - 1).equals(now)) {
                tried.add(now);
            }
            pass(1, first());
        }
        List<Integer> sizes = tried.stream().map(Set::size).collect(Collectors.toList());
        assertEquals(List.of(3, 1, 3, 1, 3, 1, 3, 1, 3), sizes, "each path after 5, 10, 20 and 40 s");
        assertEquals(1, tried.get(0).stream().filter(tried.get(2)::contains).count(), "with other ports");
    }

    @Test
    void aPathThatIsNewGetsASubflow() {
        stage.cut(1, 4);
        FiveTuple[] all = tuples(stage.open());
        assertEquals(2, all.length);
        stage.installed();
        pass(3, all);
        stage.mend(1, 4);
        stage.changes.networkChanged(stage.millis);
        stage.installed();
        pass(2, all);
        assertEquals(3, middles(stage.connection()).size());
    }

    @Test
    void whatIsExpectedToGetNothingIsABackup() {
        FiveTuple[] all = tuples(stage.open());
        stage.installed();
        says(all);
        Connection connection = stage.connection();
        stage.provisioner.record(connection.mapSubflows(subflow -> subflow.tuple().equals(all[1])
                ? subflow.withExpected(Rates.of(0, 5e6)) : subflow.withExpected(Rates.of(9e6, 5e6))),
                ConnectionEvent.Type.SHARES_CHANGED);
        assertEquals(List.of(all[1]), says(all).connections.get(0).paths.orElseThrow().backups);
    }

    @Test
    void withTheRequestRuleAConnectionBeginsWithOneAndGetsWhatItMisses() {
        stage.settings = settings().with(Settings.AGENT_SUBFLOWS, AgentSubflows.NEEDED);
        stage.agents.attainable.put(Stage.ID, new AttainableRate(Rates.of(29e6, 29e6), Rates.of(29e6, 29e6)));
        assertEquals(1, stage.open().subflows().size());
        stage.installed();
        pass(2, first());
        assertEquals(1, stage.connection().subflows().size());
        pass(2, first());
        assertEquals(3, middles(stage.connection()).size());
    }

    @Test
    void withTheRequestRuleAnApplicationThatSendsLittleKeepsOne() {
        stage.settings = settings().with(Settings.AGENT_SUBFLOWS, AgentSubflows.NEEDED);
        stage.agents.attainable.put(Stage.ID, new AttainableRate(Rates.of(29e6, 29e6), Rates.of(29e6, 29e6)));
        stage.open();
        stage.installed();
        delivery = 1e6;
        isNetworkLimited = false;
        pass(30, first());
        assertEquals(1, stage.connection().subflows().size());
    }

    @Test
    void aHostHasAtMostSoManyThatHaveNotCome() {
        stage.settings = settings().with(Settings.MANAGE_AFTER_MILLIS, 0);
        for (int number = 0; number < 60; number++) {
            stage.openAnother(String.format("%08x", number), 2000 + number);
        }
        long waiting = stage.store.all().stream().mapToLong(connection -> connection.subflows().size() - 1).sum();
        assertEquals(SubflowPlanner.MOST_WAITING, waiting);
    }
}
