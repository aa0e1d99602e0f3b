// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.candidate.ConnectionPolicies;
import org.subflow.mptcp.candidate.Threshold;
import org.subflow.mptcp.handshake.CapableEstablished;
import org.subflow.mptcp.handshake.HandshakeEvent;
import org.subflow.mptcp.handshake.JoinAttempt;
import org.subflow.mptcp.handshake.JoinEstablished;
import org.subflow.mptcp.handshake.PlainEstablished;
import org.subflow.mptcp.handshake.SegmentHandler;
import org.subflow.mptcp.loop.Clock;
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
    private final CandidateTable candidates;
    private final ManagedTraffic managed;
    private final UnmanagedTraffic unmanaged;
    private final State known;
    private final EarlyJoins earlyJoins;
    private final Promotion promotion;
    private final ConnectionPolicies policies;
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

    public HandshakeHandler(CandidateTable candidates, State known, ManagedTraffic managed, UnmanagedTraffic unmanaged,
                            Promotion promotion, ConnectionPolicies policies, Clock clock) {
        this.candidates = checkNotNull(candidates, "candidates");
        this.known = checkNotNull(known, "known");
        this.earlyJoins = new EarlyJoins(known.tokens);
        this.managed = checkNotNull(managed, "managed");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.promotion = checkNotNull(promotion, "promotion");
        this.policies = checkNotNull(policies, "policies");
        this.clock = checkNotNull(clock, "clock");
    }

    @Override
    public void plainEstablished(PlainEstablished event) {
        rememberPlain(event);
    }

    private void rememberPlain(HandshakeEvent event) {
        Threshold threshold = policies.threshold(Policy.STANDARD);
        if (threshold.isNone()) {
            unmanaged.forward(event.fiveTuple);
        } else {
            candidates.openPlain(event, threshold, clock.nanos());
        }
    }

    @Override
    public void capableEstablished(CapableEstablished event) {
        FiveTuple tuple = event.fiveTuple;
        Policy policy = policies.policyFor(tuple);
        if (!policy.isManaged()) {
            managed.refused(Refusal.POLICY);
            rememberPlain(event);
            return;
        }
        if (unmanaged.isOthers(tuple)) {
            rememberPlain(event);
            return;
        }
        known.tokens.register(tuple, event.keys);
        open(event, policy);
        earlyJoins.handOver(this);
    }

    private void open(CapableEstablished event, Policy policy) {
        FiveTuple tuple = event.fiveTuple;
        Threshold threshold = policies.threshold(policy);
        candidates.open(event, threshold, clock.nanos());
        // What nobody else forwards would go by way of the controller until then.
        if (threshold.isNone() && event.isComplete() || unmanaged.isUnclaimed(tuple) || known.awaited.withFirst(tuple).isPresent()) {
            candidates.of(tuple).ifPresent(promotion::promote);
        }
    }

    /** Its handshake is complete: a connection that needs no more than that gets its paths. */
    private void complete(FiveTuple first) {
        candidates.of(first).filter(candidate -> candidate.needsNothing() && !candidate.isSubmitted()).ifPresent(promotion::promote);
    }

    @Override
    public void joinEstablished(JoinEstablished event) {
        if (candidates.join(event, clock.nanos())) {
            complete(event.owner.connection);
        } else {
            promotion.waits(event.fiveTuple);
            managed.join(event, candidates.earlyEnds(event.fiveTuple, clock.nanos()));
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
            candidates.settle(candidate);
            known.tokens.remove(candidate.first());
            unmanaged.fellBack();
            plainEstablished(fallback.get());
        } else if (hasEarned) {
            promotion.promoteUnlessBusy(candidate, now);
        }
    }

    @Override
    public void ended(Segment segment) {
        candidates.ended(segment.fiveTuple(), segment.isReset(), clock.nanos());
        managed.end(segment);
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
        unmanaged.sweep(tuple -> candidates.of(tuple).isPresent() || managed.has(tuple));
    }

    @Override
    public boolean isAwaited(FiveTuple tuple) {
        return unmanaged.isAwaited(tuple) || unmanaged.isUnclaimed(tuple) || managed.has(tuple);
    }

    @Override
    public void overflowed(FiveTuple tuple, ConnectPoint port) {
        unmanaged.forwardFrom(port, tuple);
    }

    @Override
    public void unclaimed(FiveTuple tuple) {
        unmanaged.unclaimed(tuple);
    }

    @Override
    public void began(FiveTuple initiators) {
        // Policies are asked for few SYNs only: a list of many costs more than all else here.
        unmanaged.opened(initiators, () -> {
            Policy policy = policies.policyFor(initiators);
            return !policies.threshold(policy.isManaged() ? policy : Policy.STANDARD).isNone();
        });
    }

    @Override
    public void joinAttempted(JoinAttempt attempt, Runnable forward) {
        if (!attempt.owner.isPresent() && policies.mayBlockJoins()) {
            earlyJoins.hold(attempt, forward, clock.nanos());
            return;
        }
        attempt.owner.filter(owner -> !managed.isNeverBlocked(owner.connection)).ifPresentOrElse(owner -> {
            complete(owner.connection);
            managed.ask(attempt.fiveTuple, owner, forward);
        }, forward);
    }

    @Override
    public void midstream(Segment segment, boolean confirmed) {
        if (!managed.wake(segment) && confirmed) {
            unmanaged.forwardMidstream(segment.fiveTuple());
        }
    }
}
