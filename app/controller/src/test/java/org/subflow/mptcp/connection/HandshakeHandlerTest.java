// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Policies;
import org.subflow.mptcp.api.Policy;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.detect.DetectCounters;
import org.subflow.mptcp.detect.FlagCopies;
import org.subflow.mptcp.detect.Handshakes;
import org.subflow.mptcp.detect.Ignored;
import org.subflow.mptcp.detect.Segment;
import org.subflow.mptcp.detect.TokenTable;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.plain.PlainTcpForwarder;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.store.KeyStore;

/** What becomes of handshakes: connections and subflows on the control loop, or plain forwarding. */
class HandshakeHandlerTest {
    private static final FiveTuple FIRST = Stage.tuple("10.0.0.1", 1000);
    private static final FiveTuple SECOND = Stage.tuple("10.0.0.11", 1001);
    private static final FiveTuple THIRD = Stage.tuple("10.0.0.12", 1002);
    private static final FiveTuple FOURTH = Stage.tuple("10.0.0.13", 1003);
    private static final long MILLIS = 10_000;

    private final Stage stage = new Stage();
    private final ControlLoop loop = new ControlLoop(Executors.defaultThreadFactory(), 100);
    private final KeyStore keys = new KeyStore(new HashMap<>(), now -> now, LoopGuard.NONE);
    private final TokenTable tokens = new TokenTable();
    private final List<FlowRuleOperations> plain = new CopyOnWriteArrayList<>();
    private final FlagCopies copies = new FlagCopies(new DeviceServiceAdapter());
    private final UnmanagedTraffic unmanaged = new UnmanagedTraffic(new PlainTcpForwarder(new FlowRuleServiceAdapter() {
        @Override
        public void apply(FlowRuleOperations operations) {
            plain.add(operations);
        }
    }, new DefaultApplicationId(7, "org.subflow.mptcp")), new WakeRules(new FlowRuleServiceAdapter(),
        new DefaultApplicationId(7, "org.subflow.mptcp")), copies, stage, stage.attachments, () -> stage.settings,
        new Ignored(new DetectCounters()));
    private final CandidateTable candidates = new CandidateTable(100, 100, this::forgotten);
    private final HandshakeHandler handler = new HandshakeHandler(
            loop, candidates, new HandshakeHandler.State(stage.store, keys, tokens), stage.admission, stage.lifecycle, unmanaged,
            () -> stage.settings, stage.policyService, stage.setupTimes, () -> stage.millis);

    private void forgotten(Candidate candidate) {
        handler.forgotten(candidate);
    }

    @BeforeEach
    void manageAtOnce() {
        stage.settings = Settings.builder().strategy("multiflow").manageAfterMillis(0).build();
    }

    @AfterEach
    void stop() {
        loop.stop();
        stage.close();
    }

    @Test
    void aConnectionIsManagedAndItsKeysAreKept() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        Connection connection = only();

        assertEquals(Handshakes.KEYS.listenerToken().get().toString(), connection.id().value(), "the server's token names it");
        assertEquals(Optional.of(Handshakes.KEYS), keys.get(connection.id()));
        assertTrue(tokens.size() > 0);
        assertTrue(plain.isEmpty());
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
    }

    @Test
    void plainTcpIsForwardedPlainly() {
        handler.plainEstablished(Handshakes.plain(FIRST));
        done();
        assertEquals(1, plain.size());
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void aJoinBecomesASubflow() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        assertEquals(2, only().subflows().size());
        assertTrue(only().subflows().get(1).isJoin());
    }

    @Test
    void aJoinOfNobodysConnectionIsForwardedPlainly() {
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        done();
        assertTrue(stage.store.all().isEmpty());
        assertEquals(1, plain.size());
    }

    @Test
    void aSynIsLetThroughUnlessThePolicyBlocksIt() {
        stage.settings = Settings.builder().joinPolicy(JoinPolicy.BLOCK).build();
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
        assertEquals(1, forwarded.get(), "of a connection that nobody knows nothing is blocked");
    }

    @Test
    void aSynIsNotHeldUpWhereNothingIsBlocked() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        done();
        AtomicInteger forwarded = new AtomicInteger();
        handler.joinAttempted(Handshakes.attempt(SECOND, FIRST), forwarded::incrementAndGet);
        assertEquals(1, forwarded.get(), "at once, on the caller's thread");
    }

    @Test
    void aPacketWakesAnIdleConnection() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        Connection connection = only();
        loop.ask(() -> {
            stage.provisioner.makeIdle(List.of(connection));
            return true;
        }, MILLIS);
        handler.midstream(FIRST.reversed(), false);
        assertEquals(ConnectionState.PENDING, only().state());
    }

    @Test
    void packetsOfNobodysConnectionAreForwardedOnceBothDirectionsFit() {
        handler.midstream(FIRST, false);
        done();
        assertTrue(plain.isEmpty());
        handler.midstream(FIRST, true);
        done();
        assertEquals(1, plain.size());
    }

    @Test
    void whatTheLoopNoLongerTakesIsForwardedPlainly() {
        loop.stop();
        handler.capableEstablished(Handshakes.capable(FIRST));
        assertEquals(1, plain.size());
        assertFalse(stage.store.get(ConnectionId.of(Handshakes.KEYS.listenerToken().get().toString())).isPresent());
    }

    @Test
    void aYoungConnectionHasNeitherPathsNorRules() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        handler.plainEstablished(Handshakes.plain(THIRD));
        handler.age(System.nanoTime());
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
        assertTrue(handler.counted(data(FIRST, 600), System.nanoTime()));
        done();
        assertTrue(stage.store.all().isEmpty());
        assertTrue(handler.counted(data(SECOND.reversed(), 400), System.nanoTime()));
        assertEquals(2, only().subflows().size());
        assertEquals(2, stage.submitted.values().iterator().next().routes().size(), "one submission for both");
    }

    @Test
    void whatIsOldEnoughGetsThemWithoutAnotherPacket() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.age(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(59_000));
        done();
        assertTrue(stage.store.all().isEmpty());
        handler.age(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(60_001));
        assertEquals(1, only().subflows().size());
    }

    @Test
    void oneThatEndsBeforeLeavesNothing() {
        earn(60_000, 1000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        for (FiveTuple tuple : List.of(FIRST, SECOND)) {
            assertTrue(handler.counted(fin(tuple), System.nanoTime()));
            assertTrue(handler.counted(fin(tuple.reversed()), System.nanoTime()));
        }
        assertFalse(handler.counted(data(FIRST, 1), System.nanoTime()));
        assertEquals(0, candidates.size());
        assertEquals(0, tokens.size());
        handler.age(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(70_000));
        done();
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void plainTcpThatGoesOnGetsRules() {
        earn(60_000, 1000);
        handler.plainEstablished(Handshakes.plain(FIRST));
        handler.counted(data(FIRST.reversed(), 999), System.nanoTime());
        assertTrue(plain.isEmpty());
        handler.counted(data(FIRST.reversed(), 1000), System.nanoTime());
        assertEquals(1, plain.size());
        assertEquals(0, candidates.size());
    }

    @Test
    void aConnectionBeyondTheLimitIsForwardedPlainly() {
        stage.settings = Settings.builder().manageAfterMillis(0).mostConnections(1).build();
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.capableEstablished(Handshakes.capable(SECOND));
        only();
        assertEquals(1, plain.size());
        assertEquals(1, stage.admission.overMost());
    }

    private void earn(int millis, int octets) {
        stage.settings = Settings.builder().strategy("multiflow").manageAfterMillis(millis).manageAfterBytes(octets).build();
    }

    /** A segment after which its sender has sent so many octets. */
    private static Segment data(FiveTuple tuple, int octets) {
        return Segment.of(tuple, Segment.ACK, 1, 1, null, octets);
    }

    private static Segment fin(FiveTuple tuple) {
        return Segment.of(tuple, Segment.ACK | Segment.FIN, 1, 1, null, 0);
    }

    private Connection only() {
        done();
        assertEquals(1, stage.store.all().size());
        return stage.store.all().get(0);
    }

    private void done() {
        loop.ask(() -> true, MILLIS);
    }
}
