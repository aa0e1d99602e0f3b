// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.util.ImmutableByteSequence;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyMatch;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** What policies do to connections. */
class PolicyTest {
    private static final double ROUNDING = 2e4;

    private final Stage stage = new Stage();

    @Test
    void aConnectionThatIsNotManagedLeavesNoTrace() {
        stage.policies = Policies.of(List.of(policy("plain").managed(false).build()));

        assertFalse(open());
        assertTrue(stage.store.all().isEmpty());
        assertTrue(stage.intents.submitted.isEmpty());
        assertEquals(0, stage.ledger.entries());
        assertEquals(1, stage.admission.refusals().of(Refusal.POLICY));
        assertEquals(0, stage.admission.refusals().of(Refusal.SHORT));
    }

    @Test
    void aFiveTupleThatIsNoLongerManagedLeavesItsOldConnection() {
        stage.open();
        stage.policies = Policies.of(List.of(policy("plain").managed(false).build()));

        assertFalse(stage.admission.opened(ConnectionId.of("again"), Opening.of(Stage.tuple("10.0.0.1", 1000), List.of()), 1, null,
                                           Token.of(9), 1));
        assertTrue(stage.store.all().isEmpty());
        assertEquals(0, stage.ledger.entries());
    }

    @Test
    void theTermsAreThoseOfThePolicyThatMatches() {
        stage.policies = Policies.of(List.of(
                Policy.named("other").match(clients("10.0.0.12/32")).weight(2).build(),
                Policy.named("mine").match(clients("10.0.0.1/32")).with(Settings.STRATEGY, "shortest")
                        .with(Settings.JOIN_POLICY, JoinPolicy.BACKUP).build()));
        stage.open();
        Connection connection = stage.join(1);

        assertEquals(Optional.of("mine"), connection.terms().policy());
        assertEquals("shortest", connection.strategy());
        assertEquals(connection.subflows().get(0).path(), connection.subflows().get(1).path());
    }

    @Test
    void theJoinPolicyIsTheConnectionsOwn() {
        stage.policies = Policies.of(List.of(policy("strict").with(Settings.JOIN_POLICY, JoinPolicy.BLOCK).build()));
        openWithThree();

        assertFalse(stage.joins.mayJoin(Stage.ID, new Join(Stage.tuple("10.0.0.13", 1003), Direction.UP, false)));
        assertEquals(SubflowState.BLOCKED, stage.connection().subflows().get(3).state());
    }

    @Test
    void aLivingConnectionKeepsWhatItBeganWith() {
        stage.policies = Policies.of(List.of(policy("old").cap(4e6).with(Settings.JOIN_POLICY, JoinPolicy.BACKUP).build()));
        openWithThree();
        stage.policies = Policies.of(List.of(policy("new").cap(9e6).with(Settings.JOIN_POLICY, JoinPolicy.BLOCK).build()));
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "shortest").with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        Connection connection = stage.join(3);

        assertEquals(Optional.of("old"), connection.terms().policy());
        assertEquals("multiflow", connection.strategy());
        assertEquals(SubflowState.BACKUP, connection.subflows().get(3).state());
        assertEquals(4e6, connection.expected().up(), ROUNDING);

        stage.policies = Policies.of(List.of(policy("none").managed(false).build()));
        stage.provisioner.makeIdle(List.of(connection));
        stage.resumptions.woken(Stage.ID, stage.connection().first().tuple());
        stage.sendsAsMuchAsItMay(Stage.ID);
        assertEquals(4e6, stage.connection().expected().up(), ROUNDING);
    }

    @Test
    void aCapHoldsPerDirectionAndForTheWholeConnection() {
        stage.policies = Policies.of(List.of(policy("slow").cap(12e6).build()));
        Connection connection = openWithThree();

        assertEquals(12e6, connection.expected().up(), ROUNDING);
        assertEquals(12e6, connection.expected().down(), ROUNDING);
    }

    @Test
    void aDemandBelowTheCapCounts() {
        stage.policies = Policies.of(List.of(policy("slow").cap(5e6).build()));
        stage.open();
        for (int i = 1; i <= 3; i++) {
            stage.demands.update(stage.connection(), new Measurement(Map.of(), 0), i, true, link -> false);
        }
        stage.share();
        assertEquals(Demand.FLOOR, stage.connection().expected().up(), ROUNDING);
    }

    @Test
    void withThreeTimesTheWeightItGetsThreeTimesTheRate() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        stage.policies = Policies.of(List.of(
                Policy.named("dear").match(clients("10.0.0.11/32")).weight(3).build()));
        stage.open();
        ConnectionId dear = ConnectionId.of("dear");
        stage.admission.opened(dear, Opening.of(Stage.tuple("10.0.0.11", 2000), List.of()), 1, Token.of(3), Token.of(4), 1);

        assertEquals(2.5e6, stage.connection().expected().up(), ROUNDING);
        assertEquals(7.5e6, stage.store.get(dear).get().expected().up(), ROUNDING);
    }

    @Test
    void whatIsShortIsRefusedWithoutATrace() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        stage.openAnother("before", 2000);
        int entries = stage.ledger.entries();
        stage.policies = Policies.of(List.of(policy("choosy").refuseBelow(5.1e6).build()));

        assertFalse(open());
        assertEquals(1, stage.store.all().size());
        assertEquals(1, stage.intents.submitted.size());
        assertEquals(entries, stage.ledger.entries());
        assertEquals(10e6, stage.store.get(ConnectionId.of("before")).get().expected().up(), ROUNDING);
        assertEquals(1, stage.admission.refusals().of(Refusal.SHORT));
    }

    @Test
    void aShareThatSufficesIsTaken() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        stage.openAnother("before", 2000);
        stage.policies = Policies.of(List.of(policy("modest").refuseBelow(5e6).build()));

        assertTrue(open());
        assertEquals(5e6, stage.connection().expected().up(), ROUNDING);
    }

    @Test
    void theShareThatCountsIsThatOfAllExpectedSubflows() {
        stage.policies = Policies.of(List.of(policy("three").with(Settings.SUBFLOWS, 3).refuseBelow(30e6).build()));
        assertTrue(open());

        stage.provisioner.close(List.of(stage.connection()), Cause.ENDED);
        stage.policies = Policies.of(List.of(policy("two").with(Settings.SUBFLOWS, 2).refuseBelow(30e6).build()));
        assertFalse(open());
    }

    @Test
    void weightsCountWhenAShareIsWorkedOut() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        stage.openAnother("before", 2000);
        stage.policies = Policies.of(List.of(policy("dear").weight(3).refuseBelow(7.5e6).build()));
        assertTrue(open());
    }

    @Test
    void whatOtherConnectionsDoNotUseIsNotShort() {
        stage.cut(3, 5);
        stage.cut(4, 5);
        Connection idle = stage.openAnother("before", 2000);
        for (int i = 1; i <= 3; i++) {
            stage.demands.update(idle, new Measurement(Map.of(), 0), i, true, link -> false);
        }
        stage.policies = Policies.of(List.of(policy("choosy").refuseBelow(9e6).build()));
        assertTrue(open());
    }

    @Test
    void withoutAPathCapacityIsShort() {
        stage.cut(2, 5);
        stage.cut(3, 5);
        stage.cut(4, 5);
        stage.policies = Policies.of(List.of(policy("choosy").refuseBelow(1e3).build()));
        assertFalse(open());
    }

    @Test
    void betweenHostsOfOneSwitchNothingIsShort() {
        stage.attach("00:00:00:00:00:03", Nets.port(1, 101), "10.0.0.3");
        stage.policies = Policies.of(List.of(policy("choosy").refuseBelow(1e12).build()));
        FiveTuple local = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1000, IpAddress.valueOf("10.0.0.3"), 5201);
        assertTrue(stage.admission.opened(Stage.ID, Opening.of(local, List.of()), 1, Token.of(1), Token.of(2), 0));
    }

    @Test
    void aConnectionWithItsTermsCanBeWrittenAndReadAgain() {
        stage.policies = Policies.of(List.of(policy("all").weight(2).cap(7e6).with(Settings.SUBFLOWS, 4)
                .with(Settings.JOIN_POLICY, JoinPolicy.BLOCK)
                                                     .build()));
        Connection connection = openWithThree();
        Map<ImmutableByteSequence, ImmutableByteSequence> kept = new HashMap<>();
        new ConnectionStore(kept, now -> now, LoopGuard.NONE).put(connection);
        Connection copy = new ConnectionStore(kept, now -> now, LoopGuard.NONE).get(connection.id()).get();

        assertEquals(connection, copy);
        assertEquals(connection.terms(), copy.terms());
    }

    private static Policy.Builder policy(String name) {
        return Policy.named(name);
    }

    private static PolicyMatch clients(String prefix) {
        return PolicyMatch.of(List.of(), List.of(IpPrefix.valueOf(prefix)), List.of(), List.of());
    }

    private boolean open() {
        return stage.admission.opened(Stage.ID, Opening.of(Stage.tuple("10.0.0.1", 1000), List.of()), 1, Token.of(1), Token.of(2), 0);
    }

    private Connection openWithThree() {
        stage.open();
        stage.join(1);
        return stage.join(2);
    }
}
