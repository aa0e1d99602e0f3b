// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.provisioning.RuleTimes;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.token.TokenTable;

/**
 * Makes candidates that have earned their paths connections: hands them to the control loop, and takes them out of the table of
 * candidates once the loop has finished with them. All but {@link #stop} and {@link #isStopped} is for the tracking.
 */
public final class Promotion {
    private final ControlLoop loop;
    private final CandidateTable candidates;
    private final ConnectionStore store;
    private final TokenTable tokens;
    private final Openings openings;
    private final Endings endings;
    private final UnmanagedTraffic unmanaged;
    private final RuleTimes ruleTimes;
    private final Gate gate;
    private final Clock clock;
    /** Candidates with which the control loop has finished. */
    private final Queue<Candidate> settled = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    public Promotion(ControlLoop loop, CandidateTable candidates, HandshakeHandler.State known, Openings openings, Endings endings,
                     UnmanagedTraffic unmanaged, RuleTimes ruleTimes, Gate gate, Clock clock) {
        this.loop = checkNotNull(loop, "loop");
        this.candidates = checkNotNull(candidates, "candidates");
        this.store = known.store;
        this.tokens = known.tokens;
        this.openings = checkNotNull(openings, "openings");
        this.endings = checkNotNull(endings, "endings");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.ruleTimes = checkNotNull(ruleTimes, "ruleTimes");
        this.gate = checkNotNull(gate, "gate");
        this.clock = checkNotNull(clock, "clock");
    }

    /** Opens no further connection: the application stops. Any thread may call. */
    void stop() {
        stopped = true;
    }

    /** Returns whether the application stops. Any thread may ask. */
    boolean isStopped() {
        return stopped;
    }

    /** Does the same unless many others of late have earned theirs; then the candidate is probed again later. */
    void promoteUnlessBusy(Candidate candidate, long now) {
        boolean isPlain = !candidate.keys().isPresent();
        if (isPlain || gate.hasTurn(candidate.first(), candidate.hasSentEnough())) {
            promote(candidate);
        } else {
            candidates.postponed(candidate, now);
        }
    }

    /** Hands a candidate that has earned its paths to the control loop. Plain TCP gets rules for its present way. */
    void promote(Candidate candidate) {
        if (!candidate.keys().isPresent()) {
            candidates.settle(candidate);
            unmanaged.forward(candidate.first());
            return;
        }
        ConnectionKeys keys = candidate.keys().get();
        FiveTuple first = candidate.first();
        Opening opening = candidate.opening();
        boolean byAge = !candidate.needsNothing() && !candidate.hasSentEnough() && !unmanaged.isUnclaimed(first);
        candidates.submitted(candidate);
        unmanaged.ignoreAll(candidate.tuples());
        long now = clock.nanos();
        ruleTimes.earned(first, now);
        opening.joins().forEach(join -> ruleTimes.earned(join.tuple(), now));
        boolean accepted = loop.execute(() -> {
            try {
                if (!stopped && !candidate.isForgotten()) {
                    openings.open(opening, keys, byAge);
                }
            } finally {
                settled.add(candidate);
            }
        });
        if (!accepted) {
            // Its packets need not wait for the loop; it earns its paths again a moment later.
            unmanaged.forward(first);
            gate.leaves(first);
            candidates.postponed(candidate, now);
        }
    }

    /** Takes out the candidates with which the control loop has finished. */
    void settle() {
        for (Candidate done = settled.poll(); done != null; done = settled.poll()) {
            settle(done);
        }
    }

    /** Takes a candidate out with which the control loop has finished, and catches up on what has ended meanwhile. */
    private void settle(Candidate done) {
        candidates.settle(done);
        if (store.owner(done.first()).isPresent()) {
            List<FiveTuple> senders = done.ended();
            long nowMillis = clock.millis();
            if (!senders.isEmpty()) {
                loop.execute(() -> senders.forEach(sender -> endings.ended(sender, false, nowMillis)));
            }
        } else {
            gate.leaves(done.first());
            if (!candidates.of(done.first()).isPresent()) {
                tokens.remove(done.first());
            }
        }
    }
}
