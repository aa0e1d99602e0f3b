// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.ConnectPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Threshold;
import org.subflow.mptcp.handshake.CapableEstablished;
import org.subflow.mptcp.handshake.HandshakeEvent;
import org.subflow.mptcp.handshake.JoinAttempt;
import org.subflow.mptcp.handshake.JoinEstablished;
import org.subflow.mptcp.handshake.PlainEstablished;
import org.subflow.mptcp.handshake.SegmentHandler;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.provisioning.RuleTimes;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.token.TokenTable;

/**
 * Turns what the tracking tells into candidates, into tasks for the control loop, or into plain forwarding.
 *
 * <p>Called by one thread at a time. It registers tokens at once, so that an immediate MP_JOIN finds its connection. A
 * connection is a candidate until it has earned its paths; then it becomes a task of the loop. Every change of a connection
 * is such a task.
 */
public final class HandshakeHandler implements SegmentHandler {
    private static final Logger LOG = LoggerFactory.getLogger(HandshakeHandler.class);

    private final ControlLoop loop;
    private final CandidateTable candidates;
    /** Subflows of managed connections whose handshakes are complete and that the control loop has not added yet. */
    private final Set<FiveTuple> joining = ConcurrentHashMap.newKeySet();
    private final ConnectionStore store;
    private final Admissions admissions;
    private final Endings endings;
    private final TokenTable tokens;
    private final EarlyJoins earlyJoins;
    private final UnmanagedTraffic unmanaged;
    private final Demotions demotions;
    private final AwaitedConnections awaited;
    private final Promotion promotion;
    private final ConnectionPolicies policies;
    private final RuleTimes ruleTimes;
    private final Clock clock;

    /** What is known of connections. */
    public static final class State {
        public final ConnectionStore store;
        public final KeyStore keys;
        public final TokenTable tokens;
        final AwaitedConnections awaited;

        public State(ConnectionStore store, KeyStore keys, TokenTable tokens, AwaitedConnections awaited) {
            this.store = checkNotNull(store, "store");
            this.keys = checkNotNull(keys, "keys");
            this.tokens = checkNotNull(tokens, "tokens");
            this.awaited = checkNotNull(awaited, "awaited");
        }
    }

    public HandshakeHandler(ControlLoop loop, CandidateTable candidates, State known, Admissions admissions, Endings endings,
                            UnmanagedTraffic unmanaged, Demotions demotions, ConnectionPolicies policies, RuleTimes ruleTimes,
                            Promotion promotion, Clock clock) {
        this.loop = checkNotNull(loop, "loop");
        this.candidates = checkNotNull(candidates, "candidates");
        this.store = known.store;
        this.tokens = known.tokens;
        this.earlyJoins = new EarlyJoins(tokens);
        this.awaited = known.awaited;
        this.admissions = checkNotNull(admissions, "admissions");
        this.endings = checkNotNull(endings, "endings");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.demotions = checkNotNull(demotions, "demotions");
        this.policies = checkNotNull(policies, "policies");
        this.ruleTimes = checkNotNull(ruleTimes, "ruleTimes");
        this.clock = checkNotNull(clock, "clock");
        this.promotion = checkNotNull(promotion, "promotion");
    }

    @Override
    public void plainEstablished(PlainEstablished event) {
        rememberPlain(event);
    }

    private void rememberPlain(HandshakeEvent event) {
        Threshold threshold = policies.threshold(Policy.STANDARD);
        if (threshold.isNone()) {
            unmanaged.forward(event.fiveTuple());
        } else {
            candidates.openPlain(event, threshold, clock.nanos());
            unmanaged.opened(event.fiveTuple());
        }
    }

    @Override
    public void capableEstablished(CapableEstablished event) {
        FiveTuple tuple = event.fiveTuple();
        Policy policy = policies.policyFor(tuple);
        if (!policy.isManaged()) {
            admissions.connections.refusals().count(Refusal.POLICY);
            rememberPlain(event);
            return;
        }
        if (unmanaged.isOthers(tuple)) {
            rememberPlain(event);
            return;
        }
        tokens.register(tuple, event.keys());
        open(event, policy);
        earlyJoins.handOver(this);
    }

    private void open(CapableEstablished event, Policy policy) {
        FiveTuple tuple = event.fiveTuple();
        Threshold threshold = policies.threshold(policy);
        candidates.open(event, threshold, clock.nanos());
        // What nobody else forwards would go by way of the controller until then.
        if (threshold.isNone() && event.isComplete() || unmanaged.isUnclaimed(tuple) || awaited.withFirst(tuple).isPresent()) {
            candidates.of(tuple).ifPresent(promotion::promote);
        } else if (!threshold.isNone()) {
            unmanaged.opened(tuple);
        }
    }

    /** Its handshake is complete: a connection that needs no more than that gets its paths. */
    private void complete(FiveTuple first) {
        candidates.of(first).filter(candidate -> candidate.needsNothing() && !candidate.isSubmitted()).ifPresent(promotion::promote);
    }

    @Override
    public void joinEstablished(JoinEstablished event) {
        unmanaged.joined(event.connection());
        if (candidates.join(event, clock.nanos())) {
            complete(event.connection());
            return;
        }
        FiveTuple tuple = event.fiveTuple();
        ruleTimes.earned(tuple, clock.nanos());
        Map<FiveTuple, Boolean> ends = candidates.earlyEnds(tuple, clock.nanos());
        joining.add(tuple);
        boolean accepted = onLoop(tuple, () -> {
            try {
                joined(event, ends);
            } finally {
                joining.remove(tuple);
            }
        });
        if (!accepted) {
            joining.remove(tuple);
        }
    }

    /** Adds a subflow to its connection; some of its ends may have come before that. */
    private void joined(JoinEstablished event, Map<FiveTuple, Boolean> ends) {
        if (promotion.isStopped()) {
            return;
        }
        FiveTuple tuple = event.fiveTuple();
        endings.begins(tuple);
        Join join = Join.of(tuple, event.direction(), event.backup());
        Optional<ConnectionId> owner = store.owner(event.connection());
        if (owner.filter(demotions::isDemoted).isPresent()) {
            admissions.joins.remember(owner.get(), join);
            unmanaged.forward(tuple);
            return;
        }
        boolean managed = owner.filter(id -> admissions.joins.joined(id, join)).isPresent();
        if (managed) {
            long now = clock.millis();
            ends.forEach((sender, reset) -> endings.ended(sender, reset, now));
        } else {
            unmanaged.forwardUnmanaged(tuple);
        }
    }

    @Override
    public boolean counted(Segment segment, long now) {
        Optional<Candidate> found = candidates.of(segment.fiveTuple());
        if (!found.isPresent()) {
            return false;
        }
        if (segment.isReset() || segment.isFin()) {
            candidates.ended(segment.fiveTuple(), segment.isReset(), now);
        } else {
            note(found.get(), segment, now);
        }
        return true;
    }

    private void note(Candidate candidate, Segment segment, long now) {
        // Until it is probed again, its packets need not come here.
        unmanaged.ignore(segment.fiveTuple());
        boolean hasEarned = candidates.note(candidate, segment, now);
        Optional<PlainEstablished> fallback = candidate.fallback(segment);
        if (fallback.isPresent()) {
            tokens.remove(candidate.first());
            unmanaged.fellBack();
            plainEstablished(fallback.get());
        } else if (hasEarned) {
            promotion.promoteUnlessBusy(candidate, now);
        }
    }

    @Override
    public void ended(Segment segment) {
        FiveTuple sender = segment.fiveTuple();
        candidates.ended(sender, segment.isReset(), clock.nanos());
        boolean isManaged = store.owner(sender).isPresent() || joining.contains(sender) || joining.contains(sender.reversed());
        if (isManaged && !loop.execute(
                () -> endings.ended(sender, segment.isReset(), clock.millis()))) {
            LOG.debug("The control loop is too busy for the end of {}: it ends by its idle time", sender);
        }
    }

    @Override
    public void age(long now) {
        promotion.settle();
        earlyJoins.letGo(now);
        for (Candidate candidate : candidates.toProbe(now)) {
            if (candidate.needsNothing()) {
                promotion.promote(candidate);
            } else if (candidate.hasSentEnough()) {
                promotion.promoteUnlessBusy(candidate, now);
            } else {
                // Its next packet shows that the handshake is complete, and how much both hosts have sent.
                unmanaged.awaitPacket(candidate.subflowToProbe());
            }
        }
    }

    @Override
    public void sweep() {
        unmanaged.sweep(tuple -> candidates.of(tuple).isPresent() || store.owner(tuple).isPresent());
    }

    @Override
    public boolean isAwaited(FiveTuple tuple) {
        return unmanaged.isAwaited(tuple) || unmanaged.isUnclaimed(tuple) || store.owner(tuple).isPresent();
    }

    @Override
    public void overflowed(FiveTuple tuple, ConnectPoint port) {
        unmanaged.forwardFrom(port, tuple);
    }

    @Override
    public void unclaimed(FiveTuple tuple) {
        unmanaged.unclaimed(tuple);
    }

    /** Opens no further connection: the application stops. */
    public void stop() {
        promotion.stop();
    }

    @Override
    public void joinAttempted(JoinAttempt attempt, Runnable forward) {
        if (!attempt.owner().isPresent() && policies.mayBlockJoins()) {
            earlyJoins.hold(attempt, forward, clock.nanos());
            return;
        }
        if (!attempt.owner().isPresent() || isNeverBlocked(attempt.owner().get().connection())) {
            forward.run();
            return;
        }
        complete(attempt.owner().get().connection());
        Join join = Join.of(attempt.fiveTuple(), attempt.owner().get().joins(), false);
        boolean accepted = loop.execute(() -> {
            Optional<ConnectionId> id = store.owner(attempt.owner().get().connection());
            if (!id.isPresent() || admissions.joins.mayJoin(id.get(), join)) {
                forward.run();
            }
        });
        if (!accepted) {
            forward.run();
        }
    }

    /** Returns whether the terms of a connection never block a subflow; false if its admission still waits. */
    private boolean isNeverBlocked(FiveTuple first) {
        return store.owner(first).flatMap(store::get)
                .filter(connection -> connection.terms().joinPolicy() != JoinPolicy.BLOCK)
                .isPresent();
    }

    @Override
    public void midstream(Segment segment, boolean confirmed) {
        FiveTuple tuple = segment.fiveTuple();
        Optional<Connection> owner = store.owner(tuple).flatMap(store::get);
        if (owner.isPresent()) {
            boolean idle = owner.get().state() == ConnectionState.IDLE || owner.get().subflow(tuple)
                    .filter(subflow -> subflow.state() == SubflowState.IDLE).isPresent();
            if (idle) {
                onLoop(tuple, () -> {
                    ConnectionId id = owner.get().id();
                    if (!demotions.mayWake(id, segment, clock.millis()) || !admissions.resumptions.woken(id, tuple)) {
                        // Its packets need not come here until it is asked for the next one.
                        unmanaged.ignoreAll(List.of(tuple, tuple.reversed()));
                        unmanaged.forward(tuple);
                    }
                });
            }
        } else if (confirmed) {
            unmanaged.forwardMidstream(tuple);
        }
    }

    private boolean onLoop(FiveTuple tuple, Runnable task) {
        boolean accepted = loop.execute(task);
        if (!accepted) {
            unmanaged.forward(tuple);
        }
        return accepted;
    }
}
