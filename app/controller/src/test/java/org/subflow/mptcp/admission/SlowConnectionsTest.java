// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Connections that have earned their paths by age alone, and then send little. */
class SlowConnectionsTest extends HandshakeScenario {
    private static final int SECONDS = (int) SlowConnections.WINDOW_MILLIS / 1000 + 2;
    private static final int ENOUGH = 10_000;
    private static final int OLD_MILLIS = 1000;

    private long counted;

    @BeforeEach
    void earnByAgeOrBytes() {
        earn(OLD_MILLIS, ENOUGH);
    }

    @Test
    void oneThatSendsLittleGivesItsPathsBackAndStaysKnown() {
        Connection connection = old();
        assertTrue(stage.ledger.entries() > 0);
        pass(SECONDS, 10);

        assertEquals(ConnectionState.IDLE, only().state());
        assertEquals(1, stage.intents.withdrawn.size());
        assertEquals(0, stage.ledger.entries());
        assertEquals(1, stage.told(Type.GIVEN_BACK));
        assertEquals(0, stage.told(Type.CLOSED));
        assertEquals(1, slow.total());
        assertEquals(1, tokens.size());
        assertEquals(Optional.of(Handshakes.KEYS), keys.get(connection.id()));
    }

    @Test
    void wherePacketsWouldComeToTheControllerPlainRulesAreThereBeforeTheOthersGo() {
        old();
        assertTrue(plain.isEmpty());
        pass(SECONDS - 2, 10);
        assertTrue(plain.isEmpty(), "it has rules still");
        pass(2, 10);
        assertEquals(1, plain.size());
    }

    @Test
    void oneThatSendsEnoughInTheTimeKeepsThem() {
        old();
        pass(SECONDS - 4, ENOUGH / (SECONDS - 5));
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
        assertEquals(0, slow.total());
    }

    @Test
    void oneThatHasEarnedThemByItsTrafficKeepsThem() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.counted(data(FIRST, ENOUGH), nanos);
        only();
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void oneThatIsManagedAtOnceKeepsThem() {
        earn(0, ENOUGH);
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void oneThatNobodyElseForwardsKeepsThem() {
        old();
        handler.unclaimed(FIRST.reversed());
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void anIpv6ConnectionKeepsThem() {
        stage.attach("00:00:00:00:00:61", Nets.edge(1), "2001:db8::1");
        stage.attach("00:00:00:00:00:62", Nets.edge(5), "2001:db8::2");
        open(FiveTuple.of(IpAddress.valueOf("2001:db8::1"), 1000, IpAddress.valueOf("2001:db8::2"), 5201));
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void withoutAReadingOfItsCountersNothingIsTaken() {
        old();
        loop.ask(() -> {
            stage.installed();
            for (int second = 0; second < 14; second++) {
                stage.pass(1);
                slow.tick(stage.millis);
            }
            return true;
        }, MILLIS);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void neitherAgeNorPacketsBringThemBackOnlyTraffic() {
        old();
        pass(SECONDS, 10);
        assertTrue(handler.counted(data(FIRST, 5 * ENOUGH), later(2 * OLD_MILLIS)), "what it sent before is not counted");
        handler.age(later(100 * OLD_MILLIS));
        assertTrue(handler.counted(data(FIRST, 6 * ENOUGH - 1), later(100 * OLD_MILLIS)));
        assertEquals(ConnectionState.IDLE, only().state());
        handler.counted(data(FIRST, 6 * ENOUGH), later(101 * OLD_MILLIS));
        assertEquals(ConnectionState.PENDING, only().state());
    }

    @Test
    void oneThatSendsMuchHasDisjointPathsAgainForAllItsSubflows() {
        Connection before = old(SECOND, THIRD);
        pass(SECONDS, 10);
        assertEquals(ConnectionState.IDLE, only().state());
        sendMuch(FIRST.reversed());

        Connection after = only();
        assertEquals(before.id(), after.id());
        assertEquals(before.terms(), after.terms());
        assertEquals(3, disjoint(after));
        loop.ask(() -> {
            stage.installed();
            return true;
        }, MILLIS);
        assertEquals(ConnectionState.ACTIVE, only().state());
        assertTrue(stage.ledger.entries() > 0);
        handler.age(later(50));
        assertEquals(0, candidates.size());
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state(), "this time traffic has earned them");
        assertEquals(1, slow.total());
    }

    @Test
    void aSubflowThatJoinsMeanwhileIsRememberedAndGetsItsPathWithTheOthers() {
        old(SECOND);
        pass(SECONDS, 10);
        handler.joinEstablished(Handshakes.join(THIRD, FIRST));
        assertEquals(2, only().subflows().size());
        assertEquals(ConnectionState.IDLE, only().state());
        sendMuch(THIRD);
        assertEquals(3, disjoint(only()));
    }

    @Test
    void aSubflowThatJoinsJustBeforeIsRemembered() {
        old();
        pass(SECONDS - 2, 10);
        CountDownLatch joined = new CountDownLatch(1);
        loop.execute(() -> {
            Uninterruptibles.awaitUninterruptibly(joined);
            secondPasses(10);
            secondPasses(10);
        });
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        joined.countDown();
        assertEquals(ConnectionState.IDLE, only().state());
        sendMuch(SECOND);
        assertEquals(2, disjoint(only()));
    }

    @Test
    void aSubflowThatEndsMeanwhileGetsNone() {
        old(SECOND, THIRD);
        pass(SECONDS, 10);
        handler.ended(fin(SECOND));
        handler.ended(fin(SECOND.reversed()));
        sendMuch(FIRST);
        assertEquals(2, disjoint(only()));
        assertFalse(only().subflow(SECOND).get().isRouted());
    }

    @Test
    void oneThatEndsMeanwhileLeavesNothing() {
        Connection connection = old(SECOND);
        pass(SECONDS, 10);
        for (FiveTuple tuple : List.of(FIRST, SECOND)) {
            handler.ended(fin(tuple));
            handler.ended(fin(tuple.reversed()));
        }
        done();
        assertTrue(stage.store.all().isEmpty());
        assertEquals(0, candidates.size());
        assertEquals(0, tokens.size());
        assertFalse(keys.get(connection.id()).isPresent());
        assertFalse(slow.isWaiting(connection.id()));
        assertEquals(0, stage.ledger.entries());
    }

    @Test
    void oneThatTheTableGivesUpLeavesNothing() {
        Connection connection = old();
        pass(SECONDS, 10);
        handler.age(nanos);
        for (int port = 0; port < 100; port++) {
            handler.capableEstablished(Handshakes.capable(Stage.tuple("10.0.0.1", 2000 + port)));
        }
        done();
        assertFalse(stage.store.get(connection.id()).isPresent());
        assertFalse(keys.get(connection.id()).isPresent());
        assertEquals(100, tokens.size());
    }

    @Test
    void aNewConnectionWithItsFiveTupleKeepsItsOwnTokens() {
        old();
        pass(SECONDS, 10);
        handler.capableEstablished(Handshakes.capable(FIRST, Handshakes.OTHER_KEYS));
        done();
        assertTrue(stage.store.all().isEmpty());
        assertEquals(1, tokens.find(Handshakes.OTHER_KEYS.listenerToken().get()).size());
        assertTrue(tokens.find(Handshakes.KEYS.listenerToken().get()).isEmpty());
    }

    @Test
    void itIsRememberedAsLongAsItSends() {
        old();
        pass(SECONDS, 10);
        handler.age(nanos);
        long retention = 1000L * stage.settings.get(Settings.RETENTION_SECONDS);
        stage.millis += retention / 2;
        handler.counted(data(FIRST, 20), later(60_000));
        tick(retention / 2 + 60_000);
        assertEquals(ConnectionState.IDLE, only().state());
        tick(retention);
        assertTrue(stage.store.all().isEmpty());
        tick(1000);
        handler.age(later(70_000));
        assertEquals(0, candidates.size());
        assertEquals(0, tokens.size());
    }

    @Test
    void anIdleSubflowThatSendsAgainIsPartOfTheCandidate() {
        Connection connection = old(SECOND);
        loop.ask(() -> {
            stage.installed();
            stage.provisioner.apply(List.of(stage.store.get(connection.id()).get().mapSubflows(
                    subflow -> subflow.tuple().equals(SECOND)
                            ? subflow.withoutRoute(SubflowState.IDLE) : subflow)), Type.SUBFLOW_IDLE);
            return true;
        }, MILLIS);
        pass(SECONDS, 10);
        assertFalse(handler.counted(data(SECOND, 1), nanos));
        handler.midstream(SECOND, false);
        assertEquals(ConnectionState.IDLE, only().state());
        sendMuch(SECOND);
        assertEquals(2, disjoint(only()));
    }

    @Test
    void afterARestartItsNextPacketBringsItBackAndItIsOnTrialAgain() {
        Connection connection = old(SECOND);
        pass(SECONDS, 10);

        stage.start();
        Restarted again = new Restarted();
        loop.ask(() -> {
            stage.lifecycle.recover(stage.millis);
            return true;
        }, MILLIS);
        assertEquals(ConnectionState.IDLE, only().state());
        assertEquals(Optional.of(Handshakes.KEYS), keys.get(connection.id()));
        assertFalse(unmanaged.isAwaited(FIRST));
        again.slow.awaitIdleBefore();
        assertTrue(unmanaged.isAwaited(FIRST) && unmanaged.isAwaited(SECOND));
        again.handler.midstream(FIRST, false);
        assertEquals(2, disjoint(only()));
        loop.ask(() -> {
            stage.installed();
            for (int each = 0; each < SECONDS; each++) {
                counters(10);
                stage.pass(1);
                again.slow.tick(stage.millis);
            }
            return true;
        }, MILLIS);
        assertEquals(ConnectionState.IDLE, only().state());
        assertEquals(1, again.slow.total());
    }

    /** Opens a connection that is managed because it is old enough. */
    private Connection old(FiveTuple... joins) {
        return open(FIRST, joins);
    }

    private Connection open(FiveTuple first, FiveTuple... joins) {
        handler.capableEstablished(Handshakes.capable(first));
        for (FiveTuple join : joins) {
            handler.joinEstablished(Handshakes.join(join, first));
        }
        handler.counted(data(first, 1), later(OLD_MILLIS + 1));
        Connection connection = only();
        handler.age(nanos);
        return connection;
    }

    /** Lets seconds pass, in each of which every rule at the edge counts so many bytes. */
    private void pass(int seconds, long bytes) {
        loop.ask(() -> {
            stage.installed();
            for (int second = 0; second < seconds; second++) {
                secondPasses(bytes);
            }
            return true;
        }, MILLIS);
    }

    private void secondPasses(long bytes) {
        counters(bytes);
        stage.pass(1);
        slow.tick(stage.millis);
    }

    private void counters(long bytes) {
        counted += bytes;
        stage.rules.clear();
        for (Connection connection : stage.store.all()) {
            for (Subflow subflow : connection.subflows()) {
                stage.rules.tell(subflow.tuple(), subflow.ingress(), stage.millis + 900, counted, counted);
                stage.rules.tell(subflow.tuple().reversed(), subflow.egress(), stage.millis + 900, counted, 0);
            }
        }
    }

    private void tick(long millis) {
        loop.ask(() -> {
            stage.millis += millis;
            stage.lifecycle.tick(stage.millis);
            slow.tick(stage.millis);
            return true;
        }, MILLIS);
    }

    /** A candidate's packets show that it has sent enough since the first of them. */
    private void sendMuch(FiveTuple tuple) {
        assertTrue(handler.counted(data(tuple, 1), later(5 * OLD_MILLIS)));
        assertTrue(handler.counted(data(tuple, 1 + ENOUGH), later(6 * OLD_MILLIS)));
        done();
    }

    /** Returns how many subflows have paths, each through another switch. */
    private static int disjoint(Connection connection) {
        Set<DeviceId> middles = new HashSet<>();
        connection.subflows().stream().filter(Subflow::isRouted).forEach(
                subflow -> assertTrue(middles.add(Stage.middle(subflow)), connection::toString));
        return middles.size();
    }
}
