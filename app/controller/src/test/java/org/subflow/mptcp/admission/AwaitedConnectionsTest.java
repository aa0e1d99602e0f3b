// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Connections that are added before they start: what they have, when they start, and when they are given up. */
class AwaitedConnectionsTest extends HandshakeScenario {
    private static final int SECONDS = 300;

    private Connection add(FiveTuple... subflows) {
        Connection added = stage.awaited.add(List.of(subflows), SECONDS);
        stage.installed();
        return stage.store.get(added.id()).orElseThrow();
    }

    @Test
    void itHasPathsRulesAndReservationsAtOnce() {
        Connection added = add(FIRST, SECOND, THIRD);
        assertEquals(ConnectionState.ACTIVE, added.state());
        assertEquals(3, added.subflows().stream().map(Stage::middle).distinct().count());
        assertEquals(Nets.CAPACITY, added.first().expected().up(), 1e3);
        assertTrue(stage.ledger.peak() > 0);
        assertEquals(1, stage.intents.submitted.size());
        assertEquals(1, stage.told(Type.AWAITED));
        assertEquals(0, stage.told(Type.OPENED));
        assertEquals(SECONDS * 1000L, stage.awaited.until(added.id()).getAsLong());
    }

    @Test
    void itIsNeitherIdleNorOfSmallDemandWhileItWaits() {
        Connection added = add(FIRST, SECOND);
        stage.rules.tell(FIRST, Nets.edge(1), 1, 0, 0);
        stage.pass(SECONDS - 1);
        assertEquals(added.withState(ConnectionState.ACTIVE), stage.store.get(added.id()).orElseThrow());
    }

    @Test
    void itIsGivenUpWhenItsTimeIsOver() {
        Connection added = add(FIRST, SECOND);
        stage.pass(SECONDS);
        assertFalse(stage.store.get(added.id()).isPresent());
        assertFalse(stage.awaited.contains(added.id()));
        assertEquals(1, stage.intents.withdrawn.size());
        assertEquals(1, stage.told(Type.CLOSED));
    }

    @Test
    void itIsRemoved() {
        Connection added = add(FIRST);
        assertTrue(stage.awaited.remove(added.id()));
        assertFalse(stage.store.get(added.id()).isPresent());
        assertFalse(stage.awaited.remove(added.id()), "nobody has this name now");
    }

    @Test
    void itsHandshakeMakesItThatConnection() {
        earn(60_000, 1_000_000);
        ConnectionId id = add(FIRST, SECOND).id();
        List<Object> paths = paths(id);
        handler.capableEstablished(Handshakes.capable(FIRST));
        Connection begun = only();
        assertEquals(id, begun.id());
        assertEquals(Handshakes.KEYS.listenerToken, begun.serverToken());
        assertEquals(Optional.of(Handshakes.KEYS), keys.get(id));
        assertFalse(stage.awaited.contains(id));
        assertThrows(IllegalStateException.class, () -> stage.awaited.remove(id));

        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.joinEstablished(Handshakes.join(THIRD, FIRST));
        assertEquals(3, only().subflows().size(), "one more than it was added with");
        assertEquals(paths, paths(id).subList(0, 2));
    }

    @Test
    void oneThatSendsNothingAfterItsHandshakeHasTheWholeIdleTime() {
        ConnectionId id = add(FIRST).id();
        stage.rules.tell(FIRST, Nets.edge(1), 1, 0, 0);
        stage.pass(100);
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        for (int second = 0; second < stage.settings.get(Settings.IDLE_SECONDS) - 2; second++) {
            stage.rules.clear();
            stage.rules.tell(FIRST, Nets.edge(1), stage.millis + 900, 0, 0);
            stage.rules.tell(FIRST.reversed(), Nets.edge(5), stage.millis + 900, 0, 0);
            stage.pass(1);
            assertEquals(ConnectionState.ACTIVE, stage.store.get(id).orElseThrow().state(), "second " + second);
        }
    }

    @Test
    void itsIdleTimeAndItsDemandBeginWithItsHandshake() {
        ConnectionId id = add(FIRST).id();
        stage.rules.tell(FIRST, Nets.edge(1), 1, 0, 0);
        stage.pass(100);
        handler.capableEstablished(Handshakes.capable(FIRST));
        double expected = only().expected().up();
        for (int second = 0; second < 9; second++) {
            stage.rules.clear();
            stage.rules.tell(FIRST, Nets.edge(1), stage.millis + 900, 3, 200);
            stage.pass(1);
            assertEquals(ConnectionState.ACTIVE, stage.store.get(id).orElseThrow().state());
            assertEquals(expected, stage.store.get(id).orElseThrow().expected().up(), 1e3);
        }
        assertTrue(stage.awaited.isYoung(id));
        stage.pass(1);
        assertFalse(stage.awaited.isYoung(id));
    }

    @Test
    void oneWhoseHandshakeWasSeenBeforeItWasAddedHasAllThatHaveJoined() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.joinEstablished(Handshakes.join(THIRD, FIRST));
        done();
        ConnectionId id = add(FIRST, SECOND).id();
        List<Object> paths = paths(id);
        handler.counted(data(FIRST, 1000), nanos);
        assertEquals(id, only().id());
        assertEquals(List.of(FIRST, SECOND, THIRD), only().subflows().stream().map(Subflow::tuple).collect(Collectors.toList()));
        assertEquals(paths, paths(id).subList(0, 2));
    }

    @Test
    void anotherHandshakeWithTheFiveTupleOfASubflowIsThatOfAnotherConnection() {
        ConnectionId id = add(FIRST, SECOND).id();
        handler.capableEstablished(Handshakes.capable(SECOND));
        done();
        assertTrue(stage.awaited.contains(id));
        assertEquals(2, stage.store.all().size());
        handler.capableEstablished(Handshakes.capable(FIRST, Handshakes.OTHER_KEYS));
        done();
        assertFalse(stage.awaited.contains(id));
        handler.capableEstablished(Handshakes.capable(FIRST));
        done();
        assertFalse(stage.store.get(id).isPresent(), "it had begun");
    }

    @Test
    void theyAreNumbered() {
        assertEquals("awaited-1", add(FIRST).id().value());
        assertEquals("awaited-2", add(SECOND).id().value());
        assertEquals("awaited-3", add(THIRD).id().value());
    }

    private List<Object> paths(ConnectionId id) {
        List<Object> paths = new ArrayList<>();
        stage.store.get(id).orElseThrow().subflows().forEach(subflow -> paths.add(subflow.path()));
        return paths;
    }

    @Test
    void thePacketsThatItsRulesCountStartIt() {
        ConnectionId id = add(FIRST).id();
        stage.rules.tell(FIRST, Nets.edge(1), 500, 3, 200);
        stage.pass(1);
        assertFalse(stage.awaited.contains(id));
        assertTrue(stage.store.get(id).isPresent());

        // The control loop may have seen the counters before the handshake.
        handler.capableEstablished(Handshakes.capable(FIRST));
        assertEquals(id, only().id());
        assertEquals(Handshakes.KEYS.listenerToken, only().serverToken());
    }

    @Test
    void aLaterConnectionWithItsFiveTupleIsAnother() {
        ConnectionId id = add(FIRST).id();
        stage.rules.tell(FIRST, Nets.edge(1), 500, 3, 200);
        stage.pass(12);
        handler.capableEstablished(Handshakes.capable(FIRST));
        assertFalse(only().id().equals(id));
    }

    @Test
    void afterARestartItCountsAsStarted() {
        ConnectionId id = add(FIRST).id();
        stage.start();
        stage.changes.recover(stage.millis);
        stage.installed();
        assertEquals(ConnectionState.ACTIVE, stage.store.get(id).orElseThrow().state());
        assertThrows(IllegalStateException.class, () -> stage.awaited.remove(id));
    }

    @Test
    void itSaysWhyNoneIsAdmitted() {
        assertRefused("ONOS does not know exactly one attachment point", Stage.tuple("10.9.9.9", 1));
        stage.policies = Policies.of(List.of(Policy.named("none").managed(false).build()));
        assertRefused("its policy leaves it unmanaged", FIRST);
        stage.policies = Policies.NONE;
        ConnectionId id = add(FIRST, SECOND).id();
        assertRefused("10.0.0.1:1000>10.0.0.2:5201 is a subflow of connection " + id, FIRST);
        assertRefused("is a subflow of connection", THIRD, SECOND.reversed());
        assertEquals(1, stage.store.all().size());
        assertEquals(1, stage.intents.submitted.size());
    }

    private void assertRefused(String why, FiveTuple... subflows) {
        String told = assertThrows(IllegalStateException.class, () -> stage.awaited.add(List.of(subflows), 1)).getMessage();
        assertTrue(told.contains(why), told);
    }

    @Test
    void whatCannotBeAConnectionIsRefused() {
        assertWrong(1);
        assertWrong(0, FIRST);
        assertWrong(AwaitedService.MOST_SECONDS + 1, FIRST);
        assertWrong(1, FIRST, SECOND, FIRST);
        assertWrong(1, FIRST, FIRST.reversed());
        assertWrong(1, Stage.tuple("10.0.0.1", 0));
        assertWrong(1, FiveTuple.of(FIRST.source(), 1, FIRST.destination(), 0));
        assertWrong(1, Stage.tuple("10.0.0.2", 1));
        FiveTuple[] many = new FiveTuple[stage.settings.get(Settings.MOST_SUBFLOWS) + 1];
        for (int number = 0; number < many.length; number++) {
            many[number] = Stage.tuple("10.0.0.1", 1000 + number);
        }
        assertWrong(1, many);
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void theLeastAndTheMostOfEverythingMayBe() {
        FiveTuple[] many = new FiveTuple[stage.settings.get(Settings.MOST_SUBFLOWS)];
        for (int number = 0; number < many.length; number++) {
            many[number] = Stage.tuple("10.0.0.1", 1 + number);
        }
        assertEquals(many.length, stage.awaited.add(List.of(many), 1).subflows().size());
        FiveTuple first = FiveTuple.of(SECOND.source(), 1, SECOND.destination(), 1);
        Connection longest = stage.awaited.add(List.of(first), AwaitedService.MOST_SECONDS);
        assertEquals(AwaitedService.MOST_SECONDS * 1000L, stage.awaited.until(longest.id()).getAsLong());
    }

    @Test
    void itTakesTheFiveTupleOfAnIdleOne() {
        ConnectionId old = add(FIRST).id();
        stage.provisioner.makeIdle(List.of(stage.store.get(old).orElseThrow()));
        ConnectionId added = add(FIRST).id();
        assertEquals(Optional.of(added), stage.store.owner(FIRST));
        assertFalse(stage.store.get(old).isPresent());
    }

    @Test
    void aSubflowOfTheServersAddressIsTheServers() {
        Connection added = add(FIRST, SECOND.reversed(), THIRD);
        assertEquals(List.of(true, false, true), added.subflows().stream().map(Subflow::fromClient).collect(Collectors.toList()));
    }

    private void assertWrong(int seconds, FiveTuple... subflows) {
        assertThrows(IllegalArgumentException.class, () -> stage.awaited.add(List.of(subflows), seconds));
    }

    @Test
    void thereAreOnlySoMany() {
        for (int number = 0; number < AwaitedService.MOST; number++) {
            stage.awaited.add(List.of(Stage.tuple("10.0.0.1", 1 + number)), SECONDS);
        }
        assertRefused("as many connections are awaited as may be", SECOND);
        stage.awaited.remove(stage.store.all().get(0).id());
        stage.awaited.add(List.of(SECOND), SECONDS);
    }
}
