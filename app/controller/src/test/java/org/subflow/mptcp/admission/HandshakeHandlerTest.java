// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** What becomes of handshakes: connections and subflows on the control loop, or plain forwarding. */
class HandshakeHandlerTest extends HandshakeScenario {
    @Test
    void aYoungConnectionThatSendsMoreThanTheControllerForwardsIsLookedAtAllTheSame() {
        earn(300, 100_000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.overflowed(FIRST, Nets.edge(1));
        assertEquals(1, plain.size());
        handler.age(later(400));
        assertTrue(unmanaged.isAwaited(FIRST));
    }

    @Test
    void aConnectionToAnInterfaceIsPlainAndNoneOfItsPacketsIsAskedFor() {
        copying = true;
        earn(300, 0);
        stage.interfaces.add(7, FIRST.destination());
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.age(later(400));
        handler.counted(data(FIRST, 100_000), later(500));
        done();
        assertEquals(0, stage.store.all().size());
        assertEquals(1, counters.get(Counter.ESTABLISHED_UNMANAGED));
        assertFalse(unmanaged.isAwaited(FIRST), "a wake rule would take it off its application's rules");
        assertEquals(0, tokens.size());
        assertFalse(stage.admission.opened(Stage.ID, Opening.of(FIRST, List.of()), 1, null, null, 0), "nor is it admitted in another way");
    }

    @Test
    void aConnectionIsManagedAndItsKeysAreKept() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        Connection connection = only();

        assertEquals(Handshakes.KEYS.listenerToken.get().toString(), connection.id().value(), "the server's token names it");
        assertEquals(Optional.of(Handshakes.KEYS), keys.get(connection.id()));
        assertTrue(tokens.size() > 0);
        assertEquals(1, plain.size(), "its packets go the plain way until its path has rules");
        handler.age(nanos);
        assertEquals(0, candidates.size());
        nanos = later(1000);
        handler.midstream(data(FIRST, 1), true);
        done();
        assertEquals(1, plain.size(), "its packets need no plain rules any more");
    }

    @Test
    void twoConnectionsWithTheSameTokenAreTwo() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.capableEstablished(Handshakes.capable(SECOND));
        done();
        assertEquals(2, stage.store.all().size());
    }

    @Test
    void oneThatAPolicyLeavesAloneIsForwardedPlainlyAndForgotten() {
        stage.policies = Policies.of(List.of(Policy.named("none").managed(false).build()));
        handler.capableEstablished(Handshakes.capable(FIRST));
        done();
        assertTrue(stage.store.all().isEmpty());
        assertEquals(0, tokens.size());
        assertEquals(1, plain.size());
        assertEquals(1, stage.admission.refusals().of(Refusal.POLICY));
    }

    @Test
    void oneThatBeginsAnewWithItsKeysKeepsItsName() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        ConnectionId id = only().id();
        handler.capableEstablished(Handshakes.capable(FIRST));
        assertEquals(id, only().id());
    }

    @Test
    void timesOfRulesBeginWhenSubflowsHaveEarnedThem() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.counted(data(FIRST, 1000), nanos);
        only();
        handler.age(nanos);
        handler.joinEstablished(Handshakes.join(THIRD, FIRST));
        assertEquals(3, only().subflows().size());
        stage.ruleTimes.installed(only(), nanos);
        assertEquals(3, stage.ruleTimes.counters().get("rules.subflows"));
    }

    @Test
    void oneWhoseOpeningFailsIsForwardedPlainlyAndForgotten() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        assertEquals(1, tokens.size());
        // Whatever asks for its policy fails.
        stage.policies = null;
        handler.counted(data(FIRST, 1000), nanos);
        done();
        assertTrue(stage.store.all().isEmpty());
        assertEquals(0, tokens.size());
        assertEquals(1, plain.size());
    }

    @Test
    void plainTcpIsForwardedPlainly() {
        handler.plainEstablished(Handshakes.plain(FIRST));
        done();
        assertEquals(1, plain.size());
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void plainRulesAreLookedAfterIfTheNetworkChangedBeforeTheSwitchesHadThem() {
        handler.plainEstablished(Handshakes.plain(FIRST));
        done();
        plain.get(0).callback().onSuccess(plain.get(0));
        assertEquals(0, looks);

        stage.cut(1, 3);
        plain.get(0).callback().onSuccess(plain.get(0));
        assertEquals(1, looks);
    }

    @Test
    void aJoinBecomesASubflow() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        assertEquals(2, only().subflows().size());
        assertTrue(only().subflows().get(1).isJoin());
    }

    @Test
    void endsThatOvertakeTheHandshakeOfTheirJoinCountAllTheSame() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        handler.ended(fin(SECOND));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.ended(fin(SECOND.reversed()));
        handler.ended(fin(FIRST));
        handler.ended(fin(FIRST.reversed()));
        assertEquals(2, only().subflows().size());
        readCountersLater();
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void endsThatComeBeforeTheLoopHasAddedTheirJoinCountAllTheSame() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        whileTheLoopIsBusy(() -> {
            handler.joinEstablished(Handshakes.join(SECOND, FIRST));
            for (FiveTuple tuple : List.of(FIRST, SECOND)) {
                handler.ended(fin(tuple));
                handler.ended(fin(tuple.reversed()));
            }
        });
        assertEquals(2, only().subflows().size());
        readCountersLater();
        assertTrue(stage.store.all().isEmpty());
    }

    /** The switches report counters that stand still, after all that has come so far. */
    private void readCountersLater() {
        loop.ask(() -> {
            for (int second = 0; second < 3; second++) {
                stage.second(1000);
            }
            return true;
        }, MILLIS);
    }

    @Test
    void aJoinOfNobodysConnectionIsForwardedPlainly() {
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        done();
        assertTrue(stage.store.all().isEmpty());
        assertEquals(1, plain.size());
    }

    @Test
    void aJoinBeyondTheLimitIsForwardedPlainly() {
        stage.settings = stage.settings.with(Settings.MOST_SUBFLOWS, 1);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        assertEquals(1, only().subflows().size());
        assertEquals(2, plain.size());
    }

    @Test
    void theJoinsOfOneThatIsRefusedAreForwardedPlainlyToo() {
        handler.capableEstablished(Handshakes.capable(THIRD, Handshakes.OTHER_KEYS));
        only();
        plain.clear();
        earn(60_000, 1000);
        stage.settings = stage.settings.with(Settings.MOST_CONNECTIONS, 1);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.counted(data(FIRST, 1000), nanos);
        only();
        assertEquals(2, plain.size());
    }

    @Test
    void aSynIsLetThroughUnlessThePolicyBlocksIt() {
        stage.settings = Settings.DEFAULTS.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.joinEstablished(Handshakes.join(THIRD, FIRST));
        done();
        AtomicInteger forwarded = new AtomicInteger();
        handler.joinAttempted(Handshakes.attempt(FOURTH, FIRST), forwarded::incrementAndGet);
        done();
        assertEquals(0, forwarded.get(), "all three paths are taken");
        assertEquals(SubflowState.BLOCKED, only().subflows().get(3).state());

        handler.joinAttempted(Handshakes.attempt(FOURTH), forwarded::incrementAndGet);
        done();
        assertEquals(0, forwarded.get(), "its connection may become known in a moment");
        handler.age(later(150));
        assertEquals(1, forwarded.get(), "of a connection that nobody knows nothing is blocked");
    }

    @Test
    void synsThatOvertakeTheHandshakeOfTheirConnectionAreBlockedAllTheSame() {
        stage.settings = Settings.DEFAULTS.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        AtomicInteger forwarded = new AtomicInteger();
        for (FiveTuple early : List.of(SECOND, THIRD, FOURTH)) {
            handler.joinAttempted(Handshakes.earlyAttempt(early), forwarded::incrementAndGet);
        }
        assertEquals(0, forwarded.get());
        handler.capableEstablished(Handshakes.capableWithoutThirdAck(FIRST));
        done();
        assertEquals(2, forwarded.get(), "there are three paths");
        assertEquals(List.of(FOURTH), only().subflows().stream().filter(one -> one.state() == SubflowState.BLOCKED)
                .map(Subflow::tuple).collect(Collectors.toList()));
        handler.age(later(150));
        done();
        assertEquals(2, forwarded.get(), "none is forwarded twice");
    }

    @Test
    void onlySoManySynsWaitForTheirConnection() {
        stage.settings = Settings.DEFAULTS.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        AtomicInteger forwarded = new AtomicInteger();
        for (int number = 0; number < EarlyJoins.MOST; number++) {
            handler.joinAttempted(Handshakes.earlyAttempt(SECOND), forwarded::incrementAndGet);
        }
        assertEquals(0, forwarded.get());
        handler.joinAttempted(Handshakes.earlyAttempt(THIRD), forwarded::incrementAndGet);
        assertEquals(1, forwarded.get());
    }

    @Test
    void aSynIsNotHeldUpWhereNothingIsBlocked() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        done();
        AtomicInteger forwarded = new AtomicInteger();
        handler.joinAttempted(Handshakes.attempt(SECOND, FIRST), forwarded::incrementAndGet);
        assertEquals(1, forwarded.get(), "at once, on the caller's thread");
    }

    private void makeIdle(Connection connection) {
        loop.ask(() -> {
            stage.provisioner.makeIdle(List.of(connection));
            return true;
        }, MILLIS);
    }

    @Test
    void aPacketWakesAnIdleConnection() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        makeIdle(only());
        plain.clear();
        nanos = later(1000);
        handler.midstream(data(FIRST.reversed(), 1), false);
        assertEquals(1, plain.size(), "its packets go the plain way until its path has rules");
        assertEquals(ConnectionState.PENDING, only().state());
        assertEquals(1, plain.size());
    }

    @Test
    void aPacketOfAnIdleConnectionThatMayNotWakeGoesThePlainWay() {
        copying = true;
        handler.capableEstablished(Handshakes.capable(FIRST));
        Connection connection = only();
        makeIdle(connection);
        handler.capableEstablished(Handshakes.capable(SECOND, Handshakes.OTHER_KEYS));
        done();
        stage.settings = stage.settings.with(Settings.MOST_CONNECTIONS, 1);
        unmanaged.awaitPacket(FIRST);
        handler.unclaimed(FIRST);
        handler.midstream(data(FIRST, 1), false);
        done();
        assertEquals(ConnectionState.IDLE, stage.store.get(connection.id()).orElseThrow().state());
        assertEquals(1, plain.size());
        assertFalse(unmanaged.isAwaited(FIRST), "its packets need not come here for now");
    }

    @Test
    void packetsOfNobodysConnectionAreForwardedOnceBothDirectionsFit() {
        handler.midstream(data(FIRST, 1), false);
        done();
        assertTrue(plain.isEmpty());
        handler.midstream(data(FIRST, 1), true);
        done();
        assertEquals(1, plain.size());
    }

    @Test
    void whatTheLoopNoLongerTakesIsForwardedPlainly() {
        loop.stop();
        handler.capableEstablished(Handshakes.capable(FIRST));
        assertEquals(1, plain.size());
        assertFalse(stage.store.get(ConnectionId.of(Handshakes.KEYS.listenerToken.get().toString())).isPresent());
    }

    @Test
    void joinsThatTheLoopNoLongerTakesAreForwardedPlainlyToo() {
        stage.settings = stage.settings.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        plain.clear();
        loop.stop();
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        assertEquals(1, plain.size());
        AtomicInteger forwarded = new AtomicInteger();
        handler.joinAttempted(Handshakes.attempt(THIRD, FIRST), forwarded::incrementAndGet);
        assertEquals(1, forwarded.get());
    }

    @Test
    void whoStopsLetsNobodyIn() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        admissions.close();
        handler.counted(data(FIRST, 1000), nanos);
        done();
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void oneHostHasOnlySoManyManagedConnections() {
        stage.settings = Settings.DEFAULTS.with(Settings.MANAGE_AFTER_MILLIS, 0).with(Settings.MOST_CONNECTIONS_PER_HOST, 1);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.capableEstablished(Handshakes.capable(FIRST.withSourcePort(1001)));
        handler.capableEstablished(Handshakes.capable(SECOND));
        stage.attach("00:00:00:00:00:03", Nets.edge(1), "10.0.0.3");
        handler.capableEstablished(Handshakes.capable(Stage.tuple("10.0.0.3", 1000)
                .between(HostId.hostId(MacAddress.valueOf(3)), HostId.hostId(MacAddress.valueOf(2)))));
        done();
        assertEquals(2, stage.store.all().size(), "another address of the same host is no other client");
        assertEquals(2, stage.admission.refusals().of(Refusal.TOO_MANY));
    }

    @Test
    void synsOfOtherConnectionsWaitOn() {
        nanos = later(5000);
        stage.settings = Settings.DEFAULTS.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK);
        AtomicInteger forwarded = new AtomicInteger();
        handler.joinAttempted(Handshakes.attempt(FOURTH), forwarded::incrementAndGet);
        handler.capableEstablished(Handshakes.capable(FIRST));
        done();
        handler.age(later(99));
        assertEquals(0, forwarded.get());
        handler.age(later(100));
        assertEquals(1, forwarded.get());
    }
}
