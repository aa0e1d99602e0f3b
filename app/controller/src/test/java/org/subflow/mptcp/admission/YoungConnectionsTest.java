// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** What a connection has to show before it gets paths. */
class YoungConnectionsTest extends HandshakeScenario {
    @Test
    void aConnectionWhoseHandshakeIsNotCompleteGetsPathsAMomentLater() {
        handler.capableEstablished(Handshakes.capableWithoutThirdAck(FIRST));
        handler.age(nanos);
        done();
        assertTrue(stage.store.all().isEmpty(), "data must not overtake the third segment");
        handler.age(later(1000));
        assertEquals(1, only().subflows().size());
    }

    @Test
    void aJoinShowsThatTheHandshakeIsComplete() {
        handler.capableEstablished(Handshakes.capableWithoutThirdAck(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        assertEquals(2, only().subflows().size());
    }

    @Test
    void anAttemptToJoinIsDecidedOnlyOnceTheConnectionIsManaged() {
        stage.settings = Settings.DEFAULTS.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        handler.capableEstablished(Handshakes.capableWithoutThirdAck(FIRST));
        handler.joinAttempted(Handshakes.attempt(SECOND, FIRST), () -> assertFalse(stage.store.all().isEmpty()));
        done();
        assertFalse(stage.store.all().isEmpty());
    }

    @Test
    void aYoungConnectionHasNeitherPathsNorRules() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.plainEstablished(Handshakes.plain(THIRD));
        handler.age(nanos);
        done();
        assertTrue(stage.store.all().isEmpty());
        assertTrue(plain.isEmpty());
        assertEquals(1, tokens.size(), "a sibling would be known");
    }

    @Test
    void whatHasSentEnoughGetsPathsForAllItsSubflowsAtOnce() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        assertTrue(handler.counted(data(FIRST, 600), nanos));
        done();
        assertTrue(stage.store.all().isEmpty());
        assertTrue(handler.counted(data(SECOND.reversed(), 400), nanos));
        assertEquals(2, only().subflows().size());
        assertEquals(2, stage.intents.submitted.values().iterator().next().routes.size(), "one submission for both");
    }

    @Test
    void whatIsOldEnoughGetsThemWithItsNextPacket() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.counted(data(FIRST, 1), later(59_000));
        handler.age(later(60_001));
        done();
        assertTrue(stage.store.all().isEmpty(), "nothing shows that it still lives");
        handler.counted(data(FIRST, 2), later(60_002));
        assertEquals(1, only().subflows().size());
    }

    @Test
    void ageAdmitsFewAtATimeAndTrafficMore() {
        earn(60_000, 1000);
        List<FiveTuple> tuples = new ArrayList<>();
        for (int port = 0; port < AdmissionPace.MOST_FOR_OLD + 3; port++) {
            tuples.add(Stage.tuple("10.0.0.1", 2000 + port));
            handler.capableEstablished(Handshakes.capable(tuples.get(port)));
        }
        FiveTuple busy = tuples.get(tuples.size() - 1);
        FiveTuple patient = tuples.get(tuples.size() - 2);
        // Those that are admitted wait until the control loop has submitted them.
        whileTheLoopIsBusy(() -> {
            tuples.forEach(tuple -> handler.counted(data(tuple, 1), later(60_001)));
            handler.counted(data(busy, 1000), later(60_002));
            nanos += AdmissionPace.PATIENCE_NANOS + 1;
            handler.counted(data(patient, 2), later(60_003));
        });
        List<FiveTuple> admitted = new ArrayList<>(tuples.subList(0, AdmissionPace.MOST_FOR_OLD));
        admitted.add(busy);
        admitted.add(patient);
        assertEquals(Set.copyOf(admitted), stage.store.all().stream().map(one -> one.first().tuple()).collect(Collectors.toSet()),
                     "few by age, one that sends much, and one that has waited long enough");
    }

    @Test
    void whatWaitsForSwitchesHoldsUpNobodyAtOtherSwitches() {
        earn(60_000, 1000);
        stage.attach("00:00:00:00:00:21", Nets.edge(2), "10.0.2.1");
        stage.attach("00:00:00:00:00:41", Nets.edge(4), "10.0.4.1");
        List<FiveTuple> tuples = new ArrayList<>();
        for (int port = 0; port < AdmissionPace.MOST_FOR_OLD; port++) {
            tuples.add(Stage.tuple("10.0.0.1", 2000 + port));
        }
        tuples.add(FiveTuple.of(IpAddress.valueOf("10.0.2.1"), 3000, IpAddress.valueOf("10.0.4.1"), 5201));
        tuples.forEach(tuple -> handler.capableEstablished(Handshakes.capable(tuple)));
        tuples.forEach(tuple -> handler.counted(data(tuple, 1), later(60_001)));
        done();
        assertEquals(tuples.size(), stage.store.all().size());
    }

    /** By way of the controller its packets would meet no link's limit. */
    @Test
    void whatWaitsForTheControlLoopGoesThePlainWay() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        whileTheLoopIsBusy(() -> {
            handler.counted(data(FIRST, 1000), nanos);
            assertEquals(2, plain.size(), "each subflow");
        });
        only();
        handler.age(nanos);
        whileTheLoopIsBusy(() -> {
            handler.joinEstablished(Handshakes.join(THIRD, FIRST));
            assertEquals(3, plain.size(), "one that joins later, too");
        });
        assertEquals(3, only().subflows().size());
    }

    /** Its rules of plain TCP hide it where switches send to the controller what has no rules. */
    @Test
    void oneThatRulesOfPlainTcpCoverIsAskedForItsNextPacket() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        whileTheLoopIsBusy(() -> {
            while (loop.execute(() -> { })) {
                assertTrue(plain.isEmpty());
            }
            handler.counted(data(FIRST, 1), later(60_001));
            assertEquals(1, plain.size(), "the control loop has no time for it");
        });
        handler.age(later(70_000));
        assertTrue(unmanaged.isAwaited(FIRST), "nothing else brings its packets here");
        handler.counted(data(FIRST, 2), later(70_001));
        assertEquals(1, only().subflows().size());
    }

    @Test
    void oneWithoutRulesIsNotAskedWherePacketsComeToTheController() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.age(later(70_000));
        assertFalse(unmanaged.isAwaited(FIRST));
    }

    @Test
    void oneThatEndsWhileItsTaskWaitsIsNotOpened() {
        earn(60_000, 1000);
        whileTheLoopIsBusy(() -> {
            handler.capableEstablished(Handshakes.capable(FIRST));
            handler.counted(data(FIRST, 1000), nanos);
            handler.ended(fin(FIRST));
            handler.ended(fin(FIRST.reversed()));
        });
        handler.age(nanos);
        assertTrue(stage.store.all().isEmpty());
        assertEquals(0, tokens.size());
    }

    @Test
    void anEndThatComesBeforeTheConnectionIsKnownCounts() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.ended(fin(FIRST));
        handler.counted(data(FIRST.reversed(), 1000), nanos);
        Connection connection = only();
        handler.age(nanos);
        handler.ended(fin(FIRST.reversed()));
        done();
        loop.ask(() -> {
            stage.installed();
            for (int second = 0; second < 6; second++) {
                stage.rules.clear();
                for (FiveTuple sender : List.of(FIRST, FIRST.reversed())) {
                    stage.rules.tell(sender, sender.equals(FIRST) ? connection.first().ingress() : connection.first().egress(),
                                     stage.millis + 900, 10, 1000);
                }
                stage.pass(1);
            }
            return true;
        }, MILLIS);
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void oneThatEndsBeforeLeavesNothing() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        for (FiveTuple tuple : List.of(FIRST, SECOND)) {
            assertTrue(handler.counted(fin(tuple), nanos));
            assertTrue(handler.counted(fin(tuple.reversed()), nanos));
        }
        assertFalse(handler.counted(data(FIRST, 1), nanos));
        assertEquals(0, candidates.size());
        assertEquals(0, tokens.size());
        handler.age(nanos + TimeUnit.MILLISECONDS.toNanos(70_000));
        done();
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void plainTcpThatGoesOnGetsRules() {
        earn(60_000, 1000);
        handler.plainEstablished(Handshakes.plain(FIRST));
        handler.counted(data(FIRST.reversed(), 999), nanos);
        assertTrue(plain.isEmpty());
        handler.counted(data(FIRST.reversed(), 1000), nanos);
        assertEquals(1, plain.size());
        assertEquals(0, candidates.size());
    }

    @Test
    void aServiceWithManyNewConnectionsGoesUnseenForAWhile() {
        earn(60_000, 1000);
        for (int number = 0; number < BusyServices.BURST; number++) {
            assertTrue(plain.isEmpty());
            handler.began(FiveTuple.of(FIRST.source(), 30_000 + number, FIRST.destination(), FIRST.destinationPort()));
        }
        assertEquals(1, plain.size());
        handler.midstream(data(FiveTuple.of(FIRST.source(), 40_000, FIRST.destination(), FIRST.destinationPort()), 1), true);
        assertEquals(1, plain.size(), "it had begun unseen, and is likely to be short");
        handler.midstream(data(FiveTuple.of(FIRST.source(), 40_001, FIRST.destination(), FIRST.destinationPort() + 1), 1), true);
        assertEquals(2, plain.size(), "another service");
    }

    @Test
    void whereSwitchesCopyNobodyGoesUnseen() {
        copying = true;
        earn(60_000, 1000);
        for (int number = 0; number < 2 * BusyServices.BURST; number++) {
            FiveTuple tuple = FiveTuple.of(FIRST.source(), 30_000 + number, FIRST.destination(), FIRST.destinationPort());
            handler.began(tuple);
            handler.capableEstablished(Handshakes.capable(tuple));
        }
        assertEquals(0, counters.get(Counter.BUSY_SERVICE));
        assertTrue(plain.isEmpty(), "others forward them");
        handler.age(later(6000));
        assertEquals(2 * BusyServices.BURST, candidates.size(), "their ends would be seen");
    }
}
