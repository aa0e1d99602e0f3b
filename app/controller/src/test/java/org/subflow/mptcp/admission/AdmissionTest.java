// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

class AdmissionTest {
    private final Stage stage = new Stage();

    @Test
    void threeSubflowsTakeThreeDisjointPathsWithAllTheirBandwidth() {
        stage.open();
        stage.join(1);
        Connection connection = stage.join(2);

        assertEquals(Set.of(Nets.device(2), Nets.device(3), Nets.device(4)), middles(connection));
        connection.subflows().forEach(subflow -> assertEquals(Rates.of(10e6, 10e6), subflow.expected()));
        assertEquals(10e6, stage.ledger.allocated(Nets.port(1, 2)));
        assertEquals(10e6, stage.ledger.allocated(Nets.port(5, 4)));
        assertEquals(12, stage.ledger.entries(), "both directions of six links");
        assertEquals(3, stage.intents.submitted.values().iterator().next().routes.size());
        assertEquals(ConnectionState.PENDING, connection.state());

        stage.installed();
        assertEquals(ConnectionState.ACTIVE, stage.connection().state());
    }

    @Test
    void aFourthSubflowSharesAPathByDefault() {
        openWithThree();
        Connection connection = stage.join(3);

        assertEquals(SubflowState.ACTIVE, connection.subflows().get(3).state());
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
        assertEquals(30e6, connection.expected().up(), 1);
    }

    @Test
    void aFourthSubflowBecomesABackupUnderBackup() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").with(Settings.JOIN_POLICY, JoinPolicy.BACKUP);
        openWithThree();
        Connection connection = stage.join(3);

        assertEquals(SubflowState.BACKUP, connection.subflows().get(3).state());
        assertEquals(Rates.ZERO, connection.subflows().get(3).expected());
        assertEquals(4, intent().routes.size());
    }

    @Test
    void aFourthSubflowIsRefusedUnderBlockAndTheOthersAreLeftAlone() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        openWithThree();
        long revision = intent().revision;

        assertFalse(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.13", 1003), Direction.UP, false)));
        assertFalse(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.13", 1003), Direction.UP, false)), "sent again");
        assertFalse(stage.joins.joined(Stage.ID, new Join(Stage.tuple("10.0.0.13", 1003), Direction.UP, false)));
        assertEquals(4, stage.connection().subflows().size());
        assertEquals(SubflowState.BLOCKED, stage.connection().subflows().get(3).state());
        assertEquals(revision, intent().revision);
    }

    @Test
    void ofJoinsThatComeTogetherOnlyAsManyAsTheConnectionMayHaveAreLetThrough() {
        stage.settings = Settings.DEFAULTS.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK).with(Settings.MOST_SUBFLOWS, 2);
        stage.open();
        assertTrue(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.11", 1001), Direction.UP, false)));
        assertFalse(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.12", 1002), Direction.UP, false)));
        assertTrue(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.11", 1001), Direction.UP, false)), "sent again");
    }

    @Test
    void ofJoinsThatComeTogetherOnlyAsManyAsThereArePathsAreLetThrough() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        stage.open();
        assertTrue(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.11", 1001), Direction.UP, false)));
        assertTrue(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.11", 1001), Direction.UP, false)), "sent again");
        assertTrue(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.12", 1002), Direction.UP, false)));
        assertFalse(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.13", 1003), Direction.UP, false)));

        stage.join(2);
        assertFalse(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.13", 1003), Direction.UP, false)), "the first one's path is kept for it");
        stage.join(1);
        assertEquals(3, middles(stage.connection()).size());
        assertEquals(SubflowState.BLOCKED, stage.connection().subflow(Stage.tuple("10.0.0.13", 1003)).get().state());
    }

    @Test
    void aJoinThatIsSeenTwiceIsOneSubflow() {
        stage.open();
        stage.join(1);
        assertEquals(2, stage.join(1).subflows().size());
    }

    @Test
    void aJoinThatIsSeenAgainMaySayThatItIsABackup() {
        stage.open();
        stage.join(1);
        FiveTuple join = stage.connection().subflows().get(1).tuple();
        stage.joins.joined(Stage.ID, new Join(join, Direction.UP, true));
        assertTrue(stage.connection().subflow(join).get().isBackup());
    }

    @Test
    void aJoinWhoseHostIsNotAttachedIsNotManaged() {
        stage.open();
        assertFalse(stage.joins.joined(Stage.ID, new Join(Stage.tuple("10.9.9.9", 1), Direction.UP, false)));
        assertTrue(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.9.9.9", 1), Direction.UP, false)), "nobody blocks it");
        assertEquals(1, stage.connection().subflows().size());
    }

    @Test
    void aJoinThatNobodyHasAskedForIsRecordedAsBlocked() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        openWithThree();
        assertFalse(stage.joins.joined(Stage.ID, new Join(Stage.tuple("10.0.0.13", 1003), Direction.UP, false)));
        assertEquals(SubflowState.BLOCKED, stage.connection().subflow(Stage.tuple("10.0.0.13", 1003)).get().state());
    }

    @Test
    void anIdleSubflowThatJoinsAgainIsOneSubflow() {
        openWithThree();
        FiveTuple join = stage.connection().subflows().get(2).tuple();
        stage.provisioner.apply(List.of(stage.connection().mapSubflows(subflow -> subflow.tuple().equals(join)
                ? subflow.withoutRoute(SubflowState.IDLE) : subflow)), ConnectionEvent.Type.SUBFLOW_IDLE);
        assertTrue(stage.joins.joined(Stage.ID, new Join(join, Direction.UP, false)));
        assertEquals(3, stage.connection().subflows().size());
        assertTrue(stage.connection().subflow(join).get().isRouted());
    }

    @Test
    void aJoinOfAnUnknownConnectionChangesNothing() {
        assertFalse(stage.joins.joined(ConnectionId.of("nobody"), new Join(Stage.tuple("10.0.0.11", 1001), Direction.UP, false)));
        assertTrue(stage.store.all().isEmpty());
        assertTrue(stage.intents.submitted.isEmpty());
    }

    @Test
    void aHostThatIsNotAttachedIsNotManaged() {
        assertFalse(stage.admission.opened(Stage.ID, Opening.of(Stage.tuple("10.9.9.9", 1), List.of()), 1, null, Token.of(2), 0));
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void theStrategyShortestPutsEverySubflowOnOnePath() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "shortest");
        Connection connection = openWithThree();

        assertEquals(1, middles(connection).size());
        assertEquals(10e6, connection.expected().up(), 1);
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
    }

    @Test
    void theStrategyResourcePoolGivesEverySubflowAnotherPathOfThePool() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "resource-pool");
        Connection connection = openWithThree();

        assertEquals(3, middles(connection).size());
        assertEquals(30e6, connection.expected().up(), 1);
    }

    @Test
    void theStrategyNetworkWideGivesEverySubflowADisjointPathNextToOtherConnections() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "network-wide");
        stage.openAnother("other", 2000);
        Connection connection = openWithThree();

        assertEquals(3, middles(connection).size());
        assertEquals("network-wide", connection.strategy());
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
    }

    @Test
    void theStrategyResourcePoolDoesSoNextToOtherConnections() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "resource-pool");
        stage.openAnother("other", 2000);

        assertEquals(3, middles(openWithThree()).size());
        assertEquals(SubflowState.ACTIVE, stage.join(3).subflows().get(3).state(), "the pool is empty: shared by the policy");
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
    }

    @Test
    void aStrategyChosenAtRunTimeIsForConnectionsThatBeginLater() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow");
        stage.open();
        stage.join(1);
        List<Subflow> before = stage.connection().subflows();

        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "shortest");
        Connection later = stage.openAnother("later", 2000);

        assertEquals("shortest", later.strategy());
        assertEquals("multiflow", stage.connection().strategy());
        assertEquals(paths(before), paths(stage.connection().subflows()));
        assertEquals(3, middles(stage.join(2)).size(), "its next subflow is still for the strategy it began with");
    }

    private static List<List<Link>> paths(List<Subflow> subflows) {
        return subflows.stream().map(Subflow::path).collect(Collectors.toList());
    }

    @Test
    void aFiveTupleThatIsUsedAgainLeavesItsOldConnection() {
        stage.open();
        ConnectionId second = ConnectionId.of("second");
        stage.admission.opened(second, Opening.of(Stage.tuple("10.0.0.1", 1000), List.of()), 1, Token.of(3), Token.of(4), 1);

        assertFalse(stage.store.get(Stage.ID).isPresent());
        assertEquals(second, stage.store.owner(Stage.tuple("10.0.0.1", 1000)).get());
        assertEquals(Set.of(second), new HashSet<>(stage.reservations.holders()));
    }

    /** Whichever host opens it again, and whether or not the old connection is idle. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void aFurtherSubflowsFiveTupleThatIsUsedAgainLeavesTheOthersAlone(boolean isIdle, boolean isReversed) {
        openWithThree();
        FiveTuple used = stage.connection().subflows().get(1).tuple();
        if (isIdle) {
            stage.provisioner.makeIdle(List.of(stage.connection()));
        }
        ConnectionState before = stage.connection().state();
        Connection second = stage.openAnother("second", 2000);
        assertTrue(stage.joins.joined(second.id(), new Join(isReversed ? used.reversed() : used, Direction.UP, false)));

        assertEquals(second.id(), stage.store.owner(used).get());
        assertEquals(2, stage.connection().subflows().size());
        assertTrue(stage.connection().subflows().stream().noneMatch(subflow -> subflow.tuple().equals(used)));
        assertEquals(isIdle ? ConnectionState.IDLE : before, stage.connection().state());
    }

    @Test
    void anIdleConnectionHoldsNothingAndWakesOnPathsThatExist() {
        openWithThree();
        stage.provisioner.makeIdle(List.of(stage.connection()));
        assertEquals(0, stage.ledger.entries());
        assertEquals(1, stage.intents.withdrawn.size());
        assertEquals(ConnectionState.IDLE, stage.connection().state());

        stage.cut(3, 5);
        stage.resumptions.woken(Stage.ID, stage.connection().first().tuple());

        assertEquals(ConnectionState.PENDING, stage.connection().state());
        assertTrue(stage.connection().subflows().stream().allMatch(Subflow::isRouted));
        assertFalse(middles(stage.connection()).contains(Nets.device(3)));
    }

    @Test
    void whenOnosWithdrawsAnIntentThatIsNeededAgainItIsReservedAndSubmittedAnew() {
        openWithThree();
        stage.provisioner.makeIdle(List.of(stage.connection()));
        stage.resumptions.woken(Stage.ID, stage.connection().first().tuple());
        stage.sendsAsMuchAsItMay(Stage.ID);
        long revision = intent().revision;

        stage.provisioner.withdrawn(Stage.ID);

        assertTrue(intent().revision > revision);
        assertEquals(12, stage.ledger.entries());
        assertEquals(10e6, stage.ledger.allocated(Nets.port(1, 2)));
    }

    @Test
    void anIdleConnectionsIntentIsPurgedOnceItsRulesAreGone() {
        openWithThree();
        stage.provisioner.makeIdle(List.of(stage.connection()));
        stage.provisioner.withdrawn(Stage.ID);

        assertTrue(stage.intents.submitted.isEmpty());
        assertTrue(stage.store.get(Stage.ID).isPresent(), "but it is remembered");
    }

    @Test
    void aLostPathIsReplacedAndTheOthersStay() {
        stage.open();
        Connection before = stage.join(1);
        DeviceId lost = middle(before.subflows().get(1));
        int number = Integer.parseInt(lost.toString().substring("of:".length()));
        stage.cut(number, 5);

        Connection after = stage.rerouted(before);

        assertEquals(before.subflows().get(0).path(), after.subflows().get(0).path());
        assertTrue(after.subflows().get(1).isRouted());
        assertEquals(2, middles(after).size());
        assertFalse(middles(after).contains(lost));
    }

    @Test
    void withoutAnyPathItIsDownAndComesBackWithThePath() {
        stage.open();
        stage.cut(2, 5);
        stage.cut(3, 5);
        stage.cut(4, 5);
        stage.provisioner.apply(List.of(stage.rerouted(stage.connection())), ConnectionEvent.Type.REROUTED);
        assertEquals(ConnectionState.DOWN, stage.connection().state());
        assertEquals(stage.intents.submitted.keySet(), stage.intents.withdrawn);
        assertEquals(0, stage.ledger.entries());

        stage.mend(3, 5);
        stage.provisioner.apply(List.of(stage.rerouted(stage.connection())), ConnectionEvent.Type.REROUTED);
        assertEquals(ConnectionState.PENDING, stage.connection().state());
        assertEquals(Set.of(Nets.device(3)), middles(stage.connection()));
    }

    @Test
    void anOlderSubmissionThatTheCoreBringsBackIsOvertakenAgain() {
        stage.open();
        MptcpIntent old = intent();
        stage.join(1);
        stage.intents.submitted.put(old.key(), old);

        stage.provisioner.installed(Stage.ID, old.revision);

        assertEquals(2, intent().routes.size());
        assertTrue(intent().revision > old.revision);
    }

    private Connection openWithThree() {
        stage.open();
        stage.join(1);
        return stage.join(2);
    }

    private MptcpIntent intent() {
        return stage.intents.submitted.values().iterator().next();
    }

    private static Set<DeviceId> middles(Connection connection) {
        return connection.subflows().stream().filter(Subflow::isRouted).map(AdmissionTest::middle)
                .collect(Collectors.toSet());
    }

    private static DeviceId middle(Subflow subflow) {
        List<DeviceId> devices = subflow.devices();
        assertEquals(3, devices.size());
        return devices.get(1);
    }
}
