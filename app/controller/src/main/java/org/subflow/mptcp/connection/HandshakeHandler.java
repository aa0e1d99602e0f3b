// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
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
import org.subflow.mptcp.detect.Ignored;
import org.subflow.mptcp.detect.JoinAttempt;
import org.subflow.mptcp.detect.JoinEstablished;
import org.subflow.mptcp.detect.PacketInterceptor;
import org.subflow.mptcp.detect.PlainEstablished;
import org.subflow.mptcp.detect.Segment;
import org.subflow.mptcp.detect.TokenTable;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.plain.PlainTcpForwarder;
import org.subflow.mptcp.provisioning.SetupTimes;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Turns what the tracking tells into candidates, into tasks for the control loop, or into plain forwarding.
 *
 * <p>Called on the tracking thread. It registers tokens at once, so that an immediate MP_JOIN finds its connection. A
 * connection is a candidate until it has earned its paths; then it becomes a task of the loop. Every change of a connection
 * is such a task.
 */
final class HandshakeHandler implements PacketInterceptor.Handler {
    private final ControlLoop loop;
    private final CandidateTable candidates;
    /** Candidates with which the control loop has finished; the tracking thread takes them out of the table. */
    private final Queue<Candidate> settled = new ConcurrentLinkedQueue<>();
    private final ConnectionStore store;
    private final KeyStore keyStore;
    private final Admission admission;
    private final TokenTable tokens;
    private final PlainTcpForwarder plain;
    private final NetworkView network;
    private final Attachments attachments;
    private final SettingsService settings;
    private final PolicyService policies;
    private final SetupTimes setupTimes;
    private final Ignored ignored;
    private final LongSupplier clockMillis;

    HandshakeHandler(ControlLoop loop, CandidateTable candidates, ConnectionStore store, KeyStore keyStore, Admission admission, TokenTable tokens,
              PlainTcpForwarder plain, NetworkView network, Attachments attachments, SettingsService settings,
              PolicyService policies, SetupTimes setupTimes, Ignored ignored, LongSupplier clockMillis) {
        this.loop = checkNotNull(loop, "loop");
        this.candidates = checkNotNull(candidates, "candidates");
        this.store = checkNotNull(store, "store");
        this.keyStore = checkNotNull(keyStore, "keyStore");
        this.admission = checkNotNull(admission, "admission");
        this.tokens = checkNotNull(tokens, "tokens");
        this.plain = checkNotNull(plain, "plain");
        this.network = checkNotNull(network, "network");
        this.attachments = checkNotNull(attachments, "attachments");
        this.settings = checkNotNull(settings, "settings");
        this.policies = checkNotNull(policies, "policies");
        this.ignored = checkNotNull(ignored, "ignored");
        this.setupTimes = checkNotNull(setupTimes, "setupTimes");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    @Override
    public void plainEstablished(PlainEstablished event) {
        rememberPlain(event.fiveTuple());
    }

    private void rememberPlain(FiveTuple tuple) {
        Threshold threshold = Threshold.of(Policy.STANDARD, settings.settings());
        if (threshold.isNone()) {
            forwardPlainly(tuple);
        } else {
            candidates.openPlain(tuple, threshold, System.nanoTime());
        }
    }

    @Override
    public void capableEstablished(CapableEstablished event) {
        FiveTuple tuple = event.fiveTuple();
        Policy policy = policies.policyFor(tuple);
        if (!policy.isManaged()) {
            admission.countUnmanaged();
            rememberPlain(tuple);
            return;
        }
        tokens.register(tuple, event.keys());
        Threshold threshold = Threshold.of(policy, settings.settings());
        candidates.open(event, true, threshold, System.nanoTime());
        if (threshold.isNone()) {
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
            boolean managed = store.owner(event.connection())
                    .filter(id -> admission.joined(id, tuple, event.byInitiator()))
                    .isPresent();
            if (!managed) {
                reportObstacles(tuple);
                forwardPlainly(tuple);
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
        } else if (candidates.count(found.get(), segment.payloadLength(), now)) {
            earned(found.get());
        }
        return true;
    }

    @Override
    public void age(long now) {
        for (Candidate done = settled.poll(); done != null; done = settled.poll()) {
            candidates.settle(done);
        }
        candidates.aged(now).forEach(this::earned);
    }

    private void earned(Candidate candidate) {
        if (candidate.isSubmitted()) {
            return;
        }
        if (!candidate.capable().isPresent()) {
            candidates.settle(candidate);
            forwardPlainly(candidate.first());
            return;
        }
        CapableEstablished event = candidate.capable().get();
        Map<FiveTuple, Boolean> joins = new LinkedHashMap<>();
        candidate.joins().forEach(join -> joins.put(join.fiveTuple(), join.byInitiator()));
        candidates.submitted(candidate);
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
            forwardPlainly(event.fiveTuple());
            candidates.postponed(candidate);
        }
    }

    private void open(CapableEstablished event, Map<FiveTuple, Boolean> joins) {
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
            reportObstacles(tuple);
            forwardPlainly(tuple);
            joins.keySet().forEach(this::forwardPlainly);
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
                        forwardPlainly(tuple);
                    }
                });
            }
        } else if (confirmed) {
            forwardPlainly(tuple);
        }
    }

    private void reportObstacles(FiveTuple tuple) {
        for (IpAddress end : List.of(tuple.source(), tuple.destination())) {
            attachments.obstacle(end).ifPresent(obstacle -> ignored.connection(end, obstacle));
        }
    }

    private void onLoop(FiveTuple tuple, Runnable task) {
        if (!loop.execute(task)) {
            forwardPlainly(tuple);
        }
    }

    private void forwardPlainly(FiveTuple tuple) {
        Optional<ConnectPoint> source = attachments.anyPort(tuple.source());
        Optional<ConnectPoint> destination = attachments.anyPort(tuple.destination());
        if (source.isPresent() && destination.isPresent()) {
            plain.forward(network.snapshot(), tuple, source.get(), destination.get(),
                          settings.settings().plainIdleSeconds());
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
