// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.WhatIfAnswer;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.cluster.LeaderContact;
import org.subflow.mptcp.cluster.RelayReceiver;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.loop.SteadyClock;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** A node of a cluster answers as the one that decides does. */
class FollowerAnswersTest {
    private static final Subflow FIRST = Subflow.unrouted(Stage.tuple("10.0.0.1", 0), true, false, Nets.edge(1), Nets.edge(5));

    private final Stage stage = new Stage();
    private final Loops loops = new Loops(LoggerFactory.getLogger(FollowerAnswersTest.class), SteadyClock.SYSTEM);
    private final LeaderAnswers leader = stage.parts().answers(loops, () -> stage.settings, SteadyClock.SYSTEM,
                                                                () -> Map.of("packets", 3L));
    private volatile Optional<String> leads = Optional.of("10.1.1.2");
    private final CountDownLatch told = new CountDownLatch(1);
    private final FollowerAnswers follower = new FollowerAnswers(new LeaderContact(new Network(), () -> leads),
                                                                 () -> Map.of("sent", 4L), SteadyClock.SYSTEM);

    @AfterEach
    void close() {
        loops.stop();
    }

    @Test
    void connectionsLinksCountersAndWaitsAreThoseOfTheLeader() {
        stage.open();
        Connection connection = stage.join(1);
        assertEquals(List.of(connection), follower.connections());
        assertEquals(Optional.of(connection), follower.connection(connection.id()));
        assertEquals(leader.demand(connection.id()), follower.demand(connection.id()));
        assertEquals(leader.hasAgent(connection.id()), follower.hasAgent(connection.id()));
        assertEquals(leader.links().size(), follower.links().size());
        assertEquals(Map.of("packets", 3L, "sent", 4L), follower.counters());
        assertEquals(leader.histogram(Wait.SETUP).bounds().length, follower.histogram(Wait.SETUP).bounds().length);
        assertTrue(follower.ageMillis() >= 0);
        assertEquals(Optional.empty(), follower.connection(ConnectionId.of("nobody")));
    }

    @Test
    void aConnectionThatWouldBeginGetsWhatTheLeaderSays() {
        List<String> strategies = List.of("widest-disjoint", "nobody's", "shortest");
        List<WhatIfAnswer> answers = follower.whatIf(strategies, 3, FIRST);
        List<WhatIfAnswer> leaders = leader.whatIf(strategies, 3, FIRST);
        for (int i : new int[] {0, 2}) {
            assertEquals(3, answers.get(i).connection().orElseThrow().subflows().size());
            assertEquals(leaders.get(i).connection().map(Connection::subflows), answers.get(i).connection().map(Connection::subflows));
        }
        assertTrue(answers.get(1).error().orElseThrow().contains("nobody's"), "one that is wrong does not keep the others from an answer");
        assertEquals(leaders.get(1).error(), answers.get(1).error());
    }

    @Test
    void theRestOfTheSettingsIsThatInForce() {
        stage.settings = Settings.DEFAULTS.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        Connection answer = follower.whatIf(List.of("widest-disjoint"), 4, FIRST).get(0).connection().orElseThrow();
        assertEquals(SubflowState.BLOCKED, answer.subflows().get(3).state());
    }

    @Test
    void aWrongQuestionIsRefusedInTheLeadersWords() {
        List<FiveTuple> tuples = List.of(Stage.tuple("10.0.0.1", 4000));
        String words = assertThrows(IllegalArgumentException.class, () -> leader.add(tuples, -1)).getMessage();
        assertEquals(words, assertThrows(IllegalArgumentException.class, () -> follower.add(tuples, -1)).getMessage());
    }

    @Test
    void anAwaitedConnectionIsAddedAndRemovedAtTheLeader() {
        Connection added = follower.add(List.of(Stage.tuple("10.0.0.1", 4000)), 60);
        assertEquals(List.of(added.id()), List.of(leader.connections().get(0).id()));
        assertTrue(leader.awaitedUntil(added.id()).isPresent());
        assertTrue(follower.remove(added.id()));
        assertFalse(follower.remove(ConnectionId.of("nobody")));
        assertEquals(List.of(), leader.connections());
        assertThrows(IllegalArgumentException.class, () -> follower.add(List.of(Stage.tuple("10.0.0.1", 4000)), -1));
    }

    @Test
    void aPlanIsTheLeaders() {
        assertEquals(List.of(), follower.backgroundPlan());
    }

    @Test
    void theLeaderMovesConnections() {
        assertEquals(List.of(), follower.reoptimise(Optional.empty()));
        assertEquals(List.of(), follower.reoptimise(Optional.of(ConnectionId.of("nobody"))));
    }

    @Test
    void withoutALeaderQuestionsAreRefusedAndTheLastStateStays() {
        stage.open();
        List<Connection> before = follower.connections();
        leads = Optional.empty();
        assertEquals(before, follower.connections());
        assertThrows(IllegalStateException.class, follower::backgroundPlan);
    }

    @Test
    void aNodeThatNobodyHasAskedKnowsTheStateWhenTheLeaderIsLost() throws InterruptedException {
        stage.open();
        Connection connection = stage.join(1);
        loops.estimates.every(10, follower::state);
        assertTrue(told.await(10, TimeUnit.SECONDS), "the leader is asked");
        loops.estimates.stop();
        leads = Optional.empty();
        assertEquals(List.of(connection), follower.connections());
    }

    @Test
    void aNodeThatCeasesToDecideTellsWhatItKnewUntilAnotherOneAnswers() {
        assertEquals(List.of(), follower.connections());
        stage.open();
        Connection connection = stage.join(1);
        leads = Optional.empty();
        assertEquals(List.of(), follower.connections());
        follower.keep(leader.snapshot());
        assertEquals(List.of(connection), follower.connections());
        assertTrue(follower.ageMillis() >= 0);
        assertFalse(follower.hasLeaderBegun());
    }

    /** Carries messages to the leader at once. */
    private final class Network extends ClusterCommunicationServiceAdapter {
        @Override
        public <M, R> CompletableFuture<R> sendAndReceive(M message, MessageSubject subject, Function<M, byte[]> encoder,
                                                          Function<byte[], R> decoder, NodeId to, Duration timeout) {
            assertEquals(NodeId.nodeId("10.1.1.2"), to);
            byte[] asked = encoder.apply(message);
            told.countDown();
            byte[] answer = subject.equals(RelayReceiver.STATE) ? leader.state() : leader.reply(asked);
            return CompletableFuture.completedFuture(decoder.apply(answer));
        }
    }
}
