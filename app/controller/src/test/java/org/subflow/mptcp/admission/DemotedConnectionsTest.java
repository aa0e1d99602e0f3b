// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.handshake.Handshakes;

/** What becomes of connections that were demoted. */
class DemotedConnectionsTest extends DemotionScenario {
    @Test
    void neitherAgeNorPacketsPromoteItAgainOnlyTraffic() {
        old();
        pass(SECONDS, 10);
        handler.midstream(data(FIRST, 5 * ENOUGH), false);
        assertEquals(ConnectionState.IDLE, only().state(), "what it sent before is not counted");
        tick(100 * OLD_MILLIS);
        handler.midstream(data(FIRST, 6 * ENOUGH - 1), false);
        assertEquals(ConnectionState.IDLE, only().state());
        handler.midstream(data(FIRST, 6 * ENOUGH), false);
        assertEquals(ConnectionState.PENDING, only().state());
    }

    @Test
    void whatAllItsSubflowsHaveSentCountsTogether() {
        old(SECOND);
        pass(SECONDS, 10);
        for (FiveTuple tuple : List.of(FIRST, SECOND.reversed())) {
            handler.midstream(data(tuple, 1), false);
            handler.midstream(data(tuple, 1 + ENOUGH / 2 - 1), false);
        }
        assertEquals(ConnectionState.IDLE, only().state());
        handler.midstream(data(FIRST, 1 + ENOUGH / 2 + 1), false);
        assertEquals(2, disjoint(only()));
    }

    @Test
    void itsPacketsAreAskedForAtOnceAndThenAfterPausesThatDouble() {
        Connection connection = old(SECOND);
        pass(SECONDS, 10);
        assertFalse(demotions.isPausing(connection.id(), stage.millis));
        for (long pause : new long[] {1, 2, 4, 8, 16, 16}) {
            handler.midstream(data(FIRST, 1), false);
            handler.midstream(data(SECOND, 1), false);
            done();
            long millis = pause * Demotions.PAUSE_MILLIS;
            assertTrue(demotions.isPausing(connection.id(), stage.millis + millis - 1));
            assertFalse(demotions.isPausing(connection.id(), stage.millis + millis));
            tick(millis);
        }
    }

    @Test
    void aSubflowThatBeginsToSendEndsALongPause() {
        Connection connection = old(SECOND);
        pass(SECONDS, 10);
        for (int pause = 1; pause <= 16; pause *= 2) {
            handler.midstream(data(FIRST, 1), false);
            done();
            assertTrue(demotions.isPausing(connection.id(), stage.millis + pause * Demotions.PAUSE_MILLIS - 1));
            tick(pause * Demotions.PAUSE_MILLIS);
        }
        handler.midstream(data(FIRST, 1), false);
        handler.midstream(data(SECOND, 1), false);
        done();
        assertFalse(demotions.isPausing(connection.id(), stage.millis + Demotions.PAUSE_MILLIS));
    }

    @Test
    void oneThatSendsMuchAfterwardsKeepsDisjointPathsForAllItsSubflows() {
        Connection before = old(SECOND, THIRD);
        pass(SECONDS, 10);
        assertEquals(ConnectionState.IDLE, only().state());
        promoteAgain(FIRST.reversed());

        Connection after = only();
        assertEquals(before.id(), after.id());
        assertEquals(before.terms(), after.terms());
        assertEquals(3, disjoint(after));
        pass(3, ENOUGH);
        assertEquals(ConnectionState.ACTIVE, only().state());
        assertTrue(stage.ledger.entries() > 0);
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state(), "this time traffic has earned them");
        assertEquals(1, demotions.total());
        assertFalse(demotions.isDemoted(before.id()));
    }

    @Test
    void aSubflowThatJoinsMeanwhileIsRememberedAndGetsItsPathWithTheOthers() {
        old(SECOND);
        pass(SECONDS, 10);
        int rules = plain.size();
        handler.joinEstablished(Handshakes.join(THIRD, FIRST));
        assertEquals(SubflowState.IDLE, only().subflow(THIRD).orElseThrow().state());
        assertEquals(rules + 1, plain.size(), "its packets go the plain way");
        handler.joinEstablished(Handshakes.join(THIRD, FIRST));
        assertEquals(3, only().subflows().size());
        assertEquals(ConnectionState.IDLE, only().state());
        promoteAgain(THIRD);
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
        promoteAgain(SECOND);
        assertEquals(2, disjoint(only()));
    }

    @Test
    void aSubflowThatEndsMeanwhileGetsNone() {
        old(SECOND, THIRD);
        pass(SECONDS, 10);
        handler.ended(fin(SECOND));
        handler.ended(fin(SECOND.reversed()));
        tick(1000);
        assertEquals(ConnectionState.IDLE, only().state());
        promoteAgain(FIRST);
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
        tick(1000);
        assertTrue(stage.store.all().isEmpty());
        assertEquals(0, candidates.size());
        assertEquals(0, tokens.size());
        assertFalse(keys.get(connection.id()).isPresent());
        assertFalse(demotions.isDemoted(connection.id()));
        assertEquals(0, stage.ledger.entries());
        assertTrue(stage.endings.isEmpty());
    }

    @Test
    void aNewConnectionWithItsFiveTupleKeepsItsOwnTokensAndTakesItsPlace() {
        old();
        pass(SECONDS, 10);
        handler.capableEstablished(Handshakes.capable(FIRST, Handshakes.OTHER_KEYS));
        done();
        assertEquals(1, tokens.find(Handshakes.OTHER_KEYS.listenerToken.get()).size());
        assertTrue(tokens.find(Handshakes.KEYS.listenerToken.get()).isEmpty());
        handler.counted(data(FIRST, ENOUGH), nanos);
        assertEquals(Handshakes.OTHER_KEYS.listenerToken, only().serverToken());
        assertEquals(1, tokens.find(Handshakes.OTHER_KEYS.listenerToken.get()).size());
    }

    @Test
    void itIsForgottenAfterTheRetentionTime() {
        old();
        pass(SECONDS, 10);
        long retention = 1000L * stage.settings.get(Settings.RETENTION_SECONDS);
        tick(retention / 2);
        assertEquals(ConnectionState.IDLE, only().state());
        tick(retention / 2);
        assertTrue(stage.store.all().isEmpty());
        assertEquals(0, tokens.size());
    }

    @Test
    void itIsRememberedAsLongAsItSends() {
        old();
        pass(SECONDS, 10);
        long retention = 1000L * stage.settings.get(Settings.RETENTION_SECONDS);
        tick(retention / 2);
        handler.midstream(data(FIRST, 20), false);
        tick(retention - 1000);
        assertEquals(ConnectionState.IDLE, only().state());
        tick(1000);
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void oneThatMayHaveEndedUnseenIsForgottenOnceItsPacketsHaveBeenAwaitedForAWhile() {
        old();
        pass(SECONDS, 10);
        handler.midstream(data(FIRST, 1), false);
        done();
        stage.endsUnseen = true;
        tick(Demotions.PAUSE_MILLIS);
        assertEquals(ConnectionState.IDLE, only().state());
        tick(9000);
        assertEquals(ConnectionState.IDLE, only().state());
        tick(1000);
        assertTrue(stage.store.all().isEmpty());
        assertEquals(TimeUnit.MILLISECONDS.toNanos(Demotions.PAUSE_MILLIS + 10_000), silentNanos);
    }

    @Test
    void oneThatItsTrafficHasPromotedAgainIsNotOnTrialAgain() {
        old();
        pass(SECONDS, 10);
        promoteAgain(FIRST);
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
        assertEquals(1, demotions.total());
    }

    @Test
    void oneWithTheNameOfAnotherThatHasGoneIsNotOnTrialInItsPlace() {
        Connection before = old();
        pass(2, 10);
        handler.ended(fin(FIRST));
        handler.ended(fin(FIRST.reversed()));
        done();
        pass(3, 0);
        assertTrue(stage.store.all().isEmpty());
        nanos = later(60_000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.counted(data(FIRST, ENOUGH), nanos);
        assertEquals(before.id(), only().id());
        pass(2 * SECONDS, 10);
        assertEquals(ConnectionState.ACTIVE, only().state());
    }

    @Test
    void anIdleSubflowThatSendsAgainCountsLikeTheOthers() {
        Connection connection = old(SECOND);
        loop.ask(() -> {
            stage.installed();
            stage.provisioner.apply(List.of(stage.store.get(connection.id()).get().mapSubflows(
                    subflow -> subflow.tuple().equals(SECOND)
                            ? subflow.withoutRoute(SubflowState.IDLE) : subflow)), Type.SUBFLOW_IDLE);
            return true;
        }, MILLIS);
        pass(SECONDS, 10);
        handler.midstream(data(SECOND, 1), false);
        assertEquals(ConnectionState.IDLE, only().state());
        promoteAgain(SECOND);
        assertEquals(2, disjoint(only()));
    }

    @Test
    void afterARestartItsNextPacketPromotesItAndItIsOnTrialAgain() {
        Connection connection = old(SECOND);
        pass(SECONDS, 10);

        stage.start();
        Restarted again = new Restarted();
        loop.ask(() -> {
            stage.changes.recover(stage.millis);
            return true;
        }, MILLIS);
        assertEquals(ConnectionState.IDLE, only().state());
        assertEquals(Optional.of(Handshakes.KEYS), keys.get(connection.id()));
        again.handler.midstream(data(FIRST, 1), false);
        assertEquals(2, disjoint(only()));
        loop.ask(() -> {
            stage.installed();
            for (int each = 0; each < SECONDS; each++) {
                counters(10);
                stage.pass(1);
                again.demotions.tick(stage.millis);
            }
            return true;
        }, MILLIS);
        assertEquals(ConnectionState.IDLE, only().state());
        assertEquals(1, again.demotions.total());
    }
}
