// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.admission.Refusal;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.subflows.SubflowLimit;
import org.subflow.mptcp.wiring.Stage;

/** Subflows that stand still while their siblings run. */
class IdleSubflowsTest {
    private static final int IDLE_SECONDS = 30;
    private static final FiveTuple FIRST = Stage.tuple("10.0.0.1", 1000);
    private static final FiveTuple SECOND = Stage.tuple("10.0.0.11", 1001);
    private static final FiveTuple THIRD = Stage.tuple("10.0.0.12", 1002);

    private Stage stage = new Stage();
    private final Map<FiveTuple, Long> counted = new HashMap<>();

    @BeforeEach
    void open() {
        open(64);
    }

    private void open(int mostSubflows) {
        stage = new Stage();
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint").with(Settings.MOST_SUBFLOWS, mostSubflows)
                .with(Settings.IDLE_SECONDS, IDLE_SECONDS);
        stage.open();
        stage.join(1);
        stage.join(2);
        stage.installed();
        stage.changes.recover(0);
        stage.installed();
    }

    @Test
    void oneThatStandsStillWhileOthersRunGivesBackItsRulesAndItsShare() {
        run(IDLE_SECONDS - 2, FIRST, SECOND);
        assertEquals(SubflowState.ACTIVE, state(THIRD), "not yet");
        run(4, FIRST, SECOND);

        assertEquals(SubflowState.IDLE, state(THIRD));
        assertEquals(2, routes());
        assertEquals(8, stage.ledger.entries(), "both directions of four links");
        assertEquals(20e6, stage.connection().expected().up(), 1e3);
        assertEquals(1, stage.told(Type.SUBFLOW_IDLE));
        assertEquals(3, stage.connection().subflows().size(), "it is remembered");
        assertEquals(ConnectionState.ACTIVE, stage.connection().state());
    }

    @Test
    void aPacketOfItBringsItBackToAPathOfItsOwn() {
        run(IDLE_SECONDS + 4, FIRST, SECOND);
        assertTrue(stage.resumptions.woken(Stage.ID, THIRD.reversed()));
        stage.installed();

        assertEquals(SubflowState.ACTIVE, state(THIRD));
        assertEquals(3, middles().size());
        assertEquals(30e6, stage.connection().expected().up(), 1e3);
        run(4, FIRST, SECOND);
        assertEquals(SubflowState.ACTIVE, state(THIRD), "its time begins anew");
    }

    @Test
    void itsTimeBeginsAnewAlsoIfItsPacketComesAtOnce() {
        for (int second = 0; second < IDLE_SECONDS + 4 && state(THIRD) != SubflowState.IDLE; second++) {
            run(1, FIRST, SECOND);
        }
        assertTrue(stage.resumptions.woken(Stage.ID, THIRD));
        stage.installed();
        run(4, FIRST, SECOND);
        assertEquals(SubflowState.ACTIVE, state(THIRD));
    }

    @Test
    void theFirstOneMayEndLikeAnyOther() {
        run(IDLE_SECONDS + 4, SECOND, THIRD);

        assertEquals(SubflowState.IDLE, state(FIRST));
        assertEquals(FIRST, stage.connection().first().tuple());
        assertEquals(2, routes());
    }

    @Test
    void whereAllStandStillItIsTheConnectionThatIsIdle() {
        run(5, FIRST, SECOND, THIRD);
        run(IDLE_SECONDS + 4);

        assertEquals(ConnectionState.IDLE, stage.connection().state());
        assertEquals(0, stage.told(Type.SUBFLOW_IDLE));
        assertEquals(0, stage.ledger.entries());
    }

    @Test
    void oneInWhosePlaceAnotherHasComeIsGivenLessTimeAndTheNewOneGetsItsPath() {
        FiveTuple again = Stage.tuple("10.0.0.12", 2002);
        run(3, FIRST, SECOND, THIRD);
        assertTrue(stage.joins.joined(Stage.ID, new Join(again, Direction.UP, false)));
        stage.installed();
        assertEquals(3, middles().size(), "it shares a path for now");

        run((int) (IdleSubflows.REPLACED_MILLIS / 1000) + 3, FIRST, SECOND, again);
        assertEquals(SubflowState.IDLE, state(THIRD));
        for (int step = 0; step < 10; step++) {
            stage.installed();
            run(2, FIRST, SECOND, again);
        }
        assertEquals(3, middles().size());
        assertEquals(30e6, stage.connection().expected().up(), 1e3);
    }

    @Test
    void hostsThatJoinAgainForHoursAlwaysGetTheirSubflows() {
        open(3);
        FiveTuple last = THIRD;
        for (int port = 3000; port < 3000 + SubflowLimit.MOST_UNUSED + 4; port++) {
            run(IDLE_SECONDS + 4, FIRST, SECOND);
            assertEquals(SubflowState.IDLE, state(last));
            last = Stage.tuple("10.0.0.12", port);
            assertTrue(stage.joins.joined(Stage.ID, new Join(last, Direction.UP, false)), "with port " + port);
            stage.installed();
            assertEquals(3, middles().size());
            assertEquals(3, stage.connection().subflows().size(), "the one before has been forgotten");
        }
        assertEquals(0, stage.admission.refusals().of(Refusal.TOO_MANY_SUBFLOWS));
    }

    @Test
    void ofThoseFromManyAddressesTheOldestAreForgotten() {
        for (int port = 3000; port < 3100; port++) {
            Subflow idle = Subflow.unrouted(Stage.tuple("10.0.1." + (port - 2999), port), true, true,
                                            stage.connection().first().ingress(), stage.connection().first().egress());
            stage.store.put(SubflowLimit.with(stage.connection(), idle.withoutRoute(SubflowState.IDLE)));
        }
        List<FiveTuple> remaining = stage.connection().subflows().stream().map(Subflow::tuple).collect(Collectors.toList());
        assertEquals(3 + SubflowLimit.MOST_UNUSED + 1, remaining.size());
        assertEquals(List.of(FIRST, SECOND, THIRD), remaining.subList(0, 3));
        assertEquals(Stage.tuple("10.0.1.100", 3099), remaining.get(remaining.size() - 1));
    }

    @Test
    void idleAndBlockedOnesDoNotCountTowardsTheCapAndAWokenOneDoes() {
        open(3);
        run(IDLE_SECONDS + 4, FIRST, SECOND);
        assertTrue(stage.joins.joined(Stage.ID, new Join(Stage.tuple("10.0.0.13", 1003), Direction.UP, false)));
        stage.installed();

        assertFalse(stage.resumptions.woken(Stage.ID, THIRD));
        assertEquals(SubflowState.IDLE, state(THIRD));
        assertEquals(1, stage.admission.refusals().of(Refusal.TOO_MANY_SUBFLOWS));
    }

    @Test
    void anotherRunOfTheApplicationLeavesIdleOnesIdle() {
        run(IDLE_SECONDS + 4, FIRST, SECOND);
        stage.start();
        stage.changes.recover(1_000_000);

        assertEquals(SubflowState.IDLE, state(THIRD));
        assertEquals(2, routes());
    }

    @Test
    void readingsOfOneSwitchAloneSayNothingOfTheOther() {
        IdleSubflows quiet = new IdleSubflows();
        Connection connection = stage.connection();
        quiet.update(connection, measured(), 0, 0);
        quiet.update(connection, measured(FIRST), 40_000, 40_000);
        quiet.update(connection, measured(FIRST), 40_001, 40_001);
        assertEquals(Set.of(), quiet.of(connection, 30_000));
        quiet.update(connection, measured(FIRST), 45_000, 45_000);
        assertNotEquals(Set.of(), quiet.of(connection, 30_000));
    }

    /** Lets seconds pass in which these subflows send. */
    private void run(int seconds, FiveTuple... sending) {
        for (int second = 0; second < seconds; second++) {
            stage.millis += 1000;
            for (FiveTuple tuple : sending) {
                counted.merge(tuple, 1000L, Long::sum);
            }
            stage.rules.clear();
            for (Subflow subflow : stage.connection().subflows()) {
                long packets = counted.getOrDefault(subflow.tuple(), 0L);
                stage.rules.tell(subflow.tuple(), subflow.ingress(), stage.millis, packets, packets * 1250);
                stage.rules.tell(subflow.tuple().reversed(), subflow.egress(), stage.millis, packets / 2, packets * 30);
            }
            stage.tick(stage.millis);
            stage.installed();
        }
    }

    private static Measurement measured(FiveTuple... sending) {
        return new Measurement(Stream.of(sending).collect(Collectors.toMap(tuple -> tuple, tuple -> Rates.of(1e6, 1e4))), 0);
    }

    private SubflowState state(FiveTuple tuple) {
        return stage.connection().subflow(tuple).get().state();
    }

    private int routes() {
        return stage.intents.submitted.values().iterator().next().routes.size();
    }

    private Set<DeviceId> middles() {
        return stage.connection().subflows().stream().filter(Subflow::isRouted).map(Stage::middle)
                .collect(Collectors.toSet());
    }
}
