// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Policy;
import org.subflow.mptcp.api.PolicyService;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.candidate.Threshold;
import org.subflow.mptcp.detect.CapableEstablished;
import org.subflow.mptcp.detect.ConnectionKeys;
import org.subflow.mptcp.detect.HandshakeEvent;
import org.subflow.mptcp.detect.JoinAttempt;
import org.subflow.mptcp.detect.JoinEstablished;
import org.subflow.mptcp.detect.PlainEstablished;
import org.subflow.mptcp.detect.Segment;
import org.subflow.mptcp.detect.SegmentHandler;
import org.subflow.mptcp.detect.TokenTable;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.provisioning.SetupTimes;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;

/**
 * Turns what the tracking tells into candidates, into tasks for the control loop, or into plain forwarding.
 *
 * <p>Called on the tracking thread. It registers tokens at once, so that an immediate MP_JOIN finds its connection. A
 * connection is a candidate until it has earned its paths; then it becomes a task of the loop. Every change of a connection
 * is such a task.
 */
final class HandshakeHandler implements SegmentHandler {
    private static final Logger LOG = LoggerFactory.getLogger(HandshakeHandler.class);

    private final ControlLoop loop;
    private final CandidateTable candidates;
    /** Candidates with which the control loop has finished; the tracking thread takes them out of the table. */
    private final Queue<Candidate> settled = new ConcurrentLinkedQueue<>();
    private final ConnectionStore store;
    private final KeyStore keyStore;
    private final Admission admission;
    private final Lifecycle lifecycle;
    private final TokenTable tokens;
    private final UnmanagedTraffic unmanaged;
    private final SettingsService settings;
    private final PolicyService policies;
    private final SetupTimes setupTimes;
    private final LongSupplier clockMillis;
    private volatile boolean stopped;

    /** What is known of connections. */
    static final class State {
        final ConnectionStore store;
        final KeyStore keys;
        final TokenTable tokens;

        State(ConnectionStore store, KeyStore keys, TokenTable tokens) {
            this.store = checkNotNull(store, "store");
            this.keys = checkNotNull(keys, "keys");
            this.tokens = checkNotNull(tokens, "tokens");
        }
    }

    HandshakeHandler(ControlLoop loop, CandidateTable candidates, State known, Admission admission, Lifecycle lifecycle,
                     UnmanagedTraffic unmanaged, SettingsService settings, PolicyService policies, SetupTimes setupTimes,
                     LongSupplier clockMillis) {
        this.loop = checkNotNull(loop, "loop");
        this.candidates = checkNotNull(candidates, "candidates");
        this.store = known.store;
        this.keyStore = known.keys;
        this.tokens = known.tokens;
        this.admission = checkNotNull(admission, "admission");
        this.lifecycle = checkNotNull(lifecycle, "lifecycle");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.settings = checkNotNull(settings, "settings");
        this.policies = checkNotNull(policies, "policies");
        this.setupTimes = checkNotNull(setupTimes, "setupTimes");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    @Override
    public void plainEstablished(PlainEstablished event) {
        rememberPlain(event);
    }

    private void rememberPlain(HandshakeEvent event) {
        Threshold threshold = Threshold.of(Policy.STANDARD, settings.settings());
        if (threshold.isNone()) {
            unmanaged.forward(event.fiveTuple());
        } else {
            candidates.openPlain(event, threshold, System.nanoTime());
        }
    }

    @Override
    public void capableEstablished(CapableEstablished event) {
        FiveTuple tuple = event.fiveTuple();
        Policy policy = policies.policyFor(tuple);
        if (!policy.isManaged()) {
            admission.countUnmanaged();
            rememberPlain(event);
            return;
        }
        tokens.register(tuple, event.keys());
        Threshold threshold = Threshold.of(policy, settings.settings());
        candidates.open(event, event.isConfirmed(), threshold, System.nanoTime());
        // What nobody else forwards would go by way of the controller until then.
        if (threshold.isNone() || unmanaged.isUnclaimed(tuple)) {
            candidates.of(tuple).ifPresent(this::earned);
        }
    }

    @Override
    public void joinEstablished(JoinEstablished event) {
        if (candidates.join(event)) {
            return;
        }
        FiveTuple tuple = event.fiveTuple();
        setupTimes.established(tuple, System.nanoTime());
        onLoop(tuple, () -> {
            if (stopped) {
                return;
            }
            lifecycle.begins(tuple);
            boolean managed = store.owner(event.connection())
                    .filter(id -> admission.joined(id, tuple, event.byInitiator()))
                    .isPresent();
            if (!managed) {
                unmanaged.forwardUnmanaged(tuple);
            }
        });
    }

    @Override
    public boolean counted(Segment segment, long now) {
        Optional<Candidate> found = candidates.of(segment.fiveTuple());
        if (!found.isPresent()) {
            return false;
        }
        if (segment.isReset() || segment.isFin()) {
            candidates.ended(segment.fiveTuple(), segment.isReset());
        } else {
            look(found.get(), segment, now);
        }
        return true;
    }

    private void look(Candidate candidate, Segment segment, long now) {
        // Until it is looked at again, its packets need not come here.
        unmanaged.ignore(segment.fiveTuple());
        if (candidates.note(candidate, segment, now)) {
            earned(candidate);
        }
    }

    @Override
    public void ended(Segment segment) {
        FiveTuple sender = segment.fiveTuple();
        candidates.ended(sender, segment.isReset());
        if (store.owner(sender).isPresent() && !loop.execute(
                () -> lifecycle.ended(sender, segment.isReset(), clockMillis.getAsLong()))) {
            LOG.debug("The control loop is too busy for the end of {}: it ends by its idle time", sender);
        }
    }

    @Override
    public void age(long now) {
        for (Candidate done = settled.poll(); done != null; done = settled.poll()) {
            candidates.settle(done);
        }
        for (Candidate candidate : candidates.toLookAt(now)) {
            if (candidates.hasEarned(candidate, now)) {
                earned(candidate);
            } else {
                // Its next packet shows that the handshake is complete, and how much both hosts have sent.
                unmanaged.awaitPacket(candidate.subflowToLookAt());
            }
        }
    }

    @Override
    public boolean isAwaited(FiveTuple tuple) {
        return unmanaged.isAwaited(tuple) || unmanaged.isUnclaimed(tuple) || store.owner(tuple).isPresent();
    }

    @Override
    public void unclaimed(FiveTuple tuple) {
        unmanaged.unclaimed(tuple);
    }

    /** Drops what is kept for a candidate that has ended or that the table had to give up. */
    void forgotten(Candidate candidate) {
        tokens.remove(candidate.first());
        ignore(candidate);
    }

    private void ignore(Candidate candidate) {
        candidate.tuples().forEach(unmanaged::ignore);
    }

    private void earned(Candidate candidate) {
        if (candidate.isSubmitted()) {
            return;
        }
        if (!candidate.capable().isPresent()) {
            candidates.settle(candidate);
            unmanaged.forward(candidate.first());
            return;
        }
        CapableEstablished event = candidate.capable().get();
        Map<FiveTuple, Boolean> joins = new LinkedHashMap<>();
        candidate.joins().forEach(join -> joins.put(join.fiveTuple(), join.byInitiator()));
        candidates.submitted(candidate);
        ignore(candidate);
        long now = System.nanoTime();
        setupTimes.established(event.fiveTuple(), now);
        joins.keySet().forEach(join -> setupTimes.established(join, now));
        boolean accepted = loop.execute(() -> {
            try {
                open(event, joins);
            } finally {
                settled.add(candidate);
            }
        });
        if (!accepted) {
            // Its packets need not wait for the loop; it earns its paths again a moment later.
            unmanaged.forward(event.fiveTuple());
            candidates.postponed(candidate);
        }
    }

    /** Opens no further connection: the application stops. */
    void stop() {
        stopped = true;
    }

    private void open(CapableEstablished event, Map<FiveTuple, Boolean> joins) {
        if (stopped) {
            return;
        }
        FiveTuple tuple = event.fiveTuple();
        ConnectionKeys keys = event.keys();
        ConnectionId id = freeId(keys, tuple);
        boolean managed = admission.opened(id, tuple, joins, event.version().number(), keys.initiatorToken().orElse(null),
                                           keys.listenerToken().orElse(null), clockMillis.getAsLong());
        if (managed) {
            keyStore.put(id, keys);
            // Admission has closed the previous connection with this five-tuple, and removed its tokens.
            tokens.register(tuple, keys);
        } else {
            tokens.remove(tuple);
            unmanaged.forwardUnmanaged(tuple);
            joins.keySet().forEach(unmanaged::forward);
        }
    }

    @Override
    public void joinAttempted(JoinAttempt attempt, Runnable forward) {
        if (!attempt.owner().isPresent() || isNeverBlocked(attempt.owner().get().connection())) {
            forward.run();
            return;
        }
        boolean accepted = loop.execute(() -> {
            Optional<ConnectionId> id = store.owner(attempt.owner().get().connection());
            if (!id.isPresent() || admission.mayJoin(id.get(), attempt.fiveTuple(), attempt.owner().get().listener())) {
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
    public void midstream(FiveTuple tuple, boolean confirmed) {
        Optional<Connection> owner = store.owner(tuple).flatMap(store::get);
        if (owner.isPresent()) {
            boolean idle = owner.get().state() == ConnectionState.IDLE || owner.get().subflow(tuple)
                    .filter(subflow -> subflow.state() == SubflowState.IDLE).isPresent();
            if (idle) {
                onLoop(tuple, () -> {
                    if (!admission.woken(owner.get().id(), tuple)) {
                        unmanaged.forward(tuple);
                    }
                });
            }
        } else if (confirmed) {
            unmanaged.forward(tuple);
        }
    }

    private void onLoop(FiveTuple tuple, Runnable task) {
        if (!loop.execute(task)) {
            unmanaged.forward(tuple);
        }
    }

    /**
     * Returns an identifier that is free: the server's token, with a number appended if another connection has the same
     * token.
     */
    private ConnectionId freeId(ConnectionKeys keys, FiveTuple tuple) {
        String base = keys.listenerToken().map(Token::toString)
                .orElseGet(() -> String.format("t%08x", tuple.hashCode()));
        ConnectionId id = ConnectionId.of(base);
        for (int number = 2; store.get(id).filter(other -> !other.first().tuple().equals(tuple)).isPresent(); number++) {
            id = ConnectionId.of(base + "-" + number);
        }
        return id;
    }
}
