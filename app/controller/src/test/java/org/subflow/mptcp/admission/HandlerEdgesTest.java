// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.wiring.Stage;

/** Which packets come to the controller, and what waits for nobody. */
class HandlerEdgesTest extends HandshakeScenario {
    @Test
    void whereCopiesComeOnlyWhatNobodyForwardsGetsRules() {
        copying = true;
        handler.plainEstablished(Handshakes.plain(FIRST));
        assertEquals(0, plain.size());
        handler.unclaimed(SECOND);
        handler.plainEstablished(Handshakes.plain(SECOND.reversed()));
        assertEquals(1, plain.size(), "in either direction");
    }

    @Test
    void packetsOfManagedConnectionsAndOfWhatNobodyForwardsAreForUs() {
        assertFalse(handler.isAwaited(FIRST));
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        handler.unclaimed(SECOND);
        assertTrue(handler.isAwaited(FIRST));
        assertTrue(handler.isAwaited(FIRST.reversed()));
        assertTrue(handler.isAwaited(SECOND.reversed()));
        assertFalse(handler.isAwaited(THIRD));
    }

    @Test
    void aConnectionBeyondTheLimitIsForwardedPlainly() {
        stage.settings = Settings.DEFAULTS.with(Settings.MANAGE_AFTER_MILLIS, 0).with(Settings.MOST_CONNECTIONS, 1);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.capableEstablished(Handshakes.capable(SECOND));
        only();
        assertEquals(2, plain.size());
        assertEquals(1, stage.admission.refusals().of(Refusal.TOO_MANY));
    }

    @Test
    void aSweepLeavesWhatIsAskedForOfCandidatesAndManagedConnections() {
        copying = true;
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        earn(60_000, 100_000);
        handler.capableEstablished(Handshakes.capable(SECOND, Handshakes.OTHER_KEYS));
        unmanaged.awaitPacket(FIRST);
        unmanaged.awaitPacket(SECOND);
        unmanaged.awaitPacket(THIRD);
        handler.sweep();
        assertTrue(unmanaged.isAwaited(FIRST));
        assertTrue(unmanaged.isAwaited(SECOND));
        assertFalse(unmanaged.isAwaited(THIRD), "nobody's");
    }

    @Test
    void aCandidateThatWasHeardIsNotAskedForBeforeItsNextProbe() {
        copying = true;
        earn(300, 100_000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        unmanaged.awaitPacket(FIRST);
        handler.counted(data(FIRST, 10), later(10));
        assertFalse(unmanaged.isAwaited(FIRST));
    }

    @Test
    void aSubflowWhoseEndWasSeenIsNotWokenByWhatItStillSends() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        only();
        handler.ended(fin(SECOND));
        handler.ended(fin(SECOND.reversed()));
        loop.ask(() -> {
            for (int second = 0; second < 3; second++) {
                stage.second(1_000_000);
            }
            return true;
        }, MILLIS);
        assertEquals(SubflowState.IDLE, second().state());
        handler.midstream(data(SECOND.reversed(), 1), false);
        handler.midstream(data(SECOND, 1), false);
        assertEquals(SubflowState.IDLE, second().state(), "either way");
        assertFalse(plain.isEmpty(), "its packets go on");
        nanos = later(5000);
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        assertTrue(second().isRouted(), "another one with its five-tuple");
        loop.ask(() -> {
            for (int second = 0; second < 3; second++) {
                stage.second(2_000_000);
            }
            return true;
        }, MILLIS);
        assertTrue(second().isRouted(), "nobody has ended that one");
    }

    @Test
    void aPacketOfAConnectionWithPathsAsksNothingOfTheControlLoop() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        handler.ended(fin(FIRST));
        handler.ended(fin(FIRST.reversed()));
        done();
        plain.clear();
        nanos = later(1000);
        handler.midstream(data(FIRST, 1), false);
        done();
        assertTrue(plain.isEmpty(), "its rules are for its path");
    }

    private Subflow second() {
        return only().subflow(SECOND).orElseThrow();
    }

    @Test
    void aJoinThatNothingBlocksDoesNotWaitForTheControlLoop() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        AtomicBoolean isForwarded = new AtomicBoolean();
        whileTheLoopIsBusy(() -> {
            handler.joinAttempted(Handshakes.attempt(SECOND, FIRST), () -> isForwarded.set(true));
            assertTrue(isForwarded.get());
        });
    }

    @Test
    void whoseTurnHasNotComeIsTriedAgainSoon() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        othersWait(AdmissionPace.MOST);
        handler.counted(data(FIRST, 1000), nanos);
        done();
        assertTrue(stage.store.all().isEmpty());
        handler.age(later(50));
        othersGo(AdmissionPace.MOST);
        handler.age(later(100));
        assertEquals(FIRST, only().first().tuple());
    }

    @Test
    void soItIsEachTime() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        othersWait(AdmissionPace.MOST);
        handler.counted(data(FIRST, 1000), nanos);
        for (int time = 1; time <= 5; time++) {
            handler.age(later(100L * time));
        }
        othersGo(AdmissionPace.MOST);
        handler.age(later(600));
        assertEquals(FIRST, only().first().tuple());
    }

    @Test
    void connectionsWithOneTokenHaveNamesOfTheirOwn() {
        for (FiveTuple tuple : List.of(FIRST, SECOND, THIRD)) {
            handler.capableEstablished(Handshakes.capable(tuple));
        }
        done();
        String token = Handshakes.KEYS.listenerToken.get().toString();
        assertEquals(Set.of(token, token + "-2", token + "-3"),
                     stage.store.all().stream().map(one -> one.id().value()).collect(Collectors.toSet()));
    }

    @Test
    void oneWhoseServersKeyWasNotSeenIsNamedByItsFiveTuple() {
        handler.capableEstablished(Handshakes.capable(FIRST, new ConnectionKeys(MptcpVersion.of(1).get(), OptionalLong.of(33),
                                                                                OptionalLong.empty())));
        assertEquals(String.format("t%08x", FIRST.hashCode()), only().id().value());
    }

    @Test
    void aConnectionWhoseHostNobodyKnowsIsCountedAsUnmanaged() {
        FiveTuple unknown = Stage.tuple("10.0.0.99", 1000);
        handler.capableEstablished(Handshakes.capable(unknown));
        done();
        assertEquals(1, counters.get(Counter.ESTABLISHED_UNMANAGED));
    }

    @Test
    void theTokensAreThoseOfTheNewestConnectionWithAFiveTuple() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST, Handshakes.OTHER_KEYS));
        handler.counted(data(FIRST, 1000), nanos);
        only();
        assertEquals(1, tokens.find(Handshakes.OTHER_KEYS.listenerToken.get()).size());
        assertEquals(0, tokens.find(Handshakes.KEYS.listenerToken.get()).size());
    }

    @Test
    void aConnectionWithTheKeysOfThatBeforeItKeepsItsToken() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        assertEquals(1, tokens.find(Handshakes.KEYS.listenerToken.get()).size());
    }

    private static Policy policy(boolean atOnce) {
        return Policy.named("one").with(Settings.MANAGE_AFTER_MILLIS, atOnce ? 0 : 300).build();
    }

    @Test
    void whoIsNotAdmittedLeavesItsTurnToOthers() {
        handler.capableEstablished(Handshakes.capable(SECOND, Handshakes.OTHER_KEYS));
        only();
        earn(60_000, 1000);
        stage.settings = stage.settings.with(Settings.MOST_CONNECTIONS, 1);
        handler.capableEstablished(Handshakes.capable(FIRST));
        othersWait(AdmissionPace.MOST - 1);
        handler.counted(data(FIRST, 1000), nanos);
        only();
        handler.age(nanos);
        assertTrue(stage.parts().gate.hasTurn(THIRD, true), "it was refused");
        stage.parts().gate.leaves(THIRD);
        handler.capableEstablished(Handshakes.capable(FOURTH));
        loop.stop();
        handler.counted(data(FOURTH, 1000), nanos);
        assertTrue(stage.parts().gate.hasTurn(THIRD, true), "the loop has not taken it");
    }

    @Test
    void nothingIsAskedForOfWhatIsNoCandidateAnyMore() {
        copying = true;
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.capableEstablished(Handshakes.capable(THIRD, Handshakes.OTHER_KEYS));
        unmanaged.awaitPacket(SECOND);
        unmanaged.awaitPacket(THIRD);
        handler.counted(data(FIRST, 1000), nanos);
        assertFalse(unmanaged.isAwaited(SECOND), "it has earned paths");
        handler.ended(Segment.of(THIRD, Segment.RST, 1, 1, null, 0));
        assertFalse(unmanaged.isAwaited(THIRD), "it has ended");
    }

    @Test
    void connectionsAndJoinsMakeAServiceBusyUnlessTheyMayNotGoUnseen() {
        for (int number = 0; number < 2 * BusyServices.BURST; number++) {
            handler.began(FIRST.withSourcePort(2000 + number));
        }
        assertEquals(0, counters.get(Counter.BUSY_SERVICE), "each is managed at once");
        earn(300, 1000);
        for (int number = 0; number < BusyServices.BURST; number++) {
            handler.began(FIRST.withSourcePort(3000 + number));
        }
        assertEquals(1, counters.get(Counter.BUSY_SERVICE));
        assertEquals(1, plain.size());
    }

    @Test
    void whoseHostsHaveAPolicyGoesUnseenAsThatSays() {
        earn(300, 1000);
        for (boolean atOnce : new boolean[] {true, false}) {
            stage.policies = Policies.of(List.of(policy(atOnce)));
            for (int number = 0; number < 2 * BusyServices.BURST; number++) {
                handler.began(FIRST.withSourcePort(2000 + number));
            }
            assertEquals(atOnce, counters.get(Counter.BUSY_SERVICE) == 0);
        }
    }

    @Test
    void endsOfAnEarlierConnectionDoNotCountForTheNextOneWithItsFiveTuples() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        only();
        for (FiveTuple tuple : List.of(FIRST, SECOND)) {
            handler.ended(fin(tuple));
            handler.ended(fin(tuple.reversed()));
        }
        nanos = later(5000);
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST, Handshakes.OTHER_KEYS));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.counted(data(FIRST, 1000), nanos);
        only();
        loop.ask(() -> {
            for (int second = 0; second < 3; second++) {
                stage.second(1000);
            }
            return true;
        }, MILLIS);
        assertEquals(2, only().subflows().stream().filter(Subflow::isRouted).count());
        assertEquals(1, tokens.find(Handshakes.OTHER_KEYS.listenerToken.get()).size());
    }

    @Test
    void aConnectionToAnInterfaceIsRememberedAsPlainTcp() {
        earn(300, 1000);
        stage.interfaces.add(7, FIRST.destination());
        handler.capableEstablished(Handshakes.capable(FIRST));
        assertTrue(candidates.of(FIRST).filter(one -> !one.keys().isPresent()).isPresent());
    }
}
