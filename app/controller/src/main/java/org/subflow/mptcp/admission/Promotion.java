// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.provisioning.RuleTimes;
import org.subflow.mptcp.token.ConnectionKeys;

/**
 * Makes candidates that have earned their paths connections: hands them to the control loop, and takes them out of the table of
 * candidates once the loop has finished with them. For the tracking.
 */
public final class Promotion {
    /** Has the control loop do something; false if too much waits there. */
    private final Predicate<Runnable> loop;
    private final CandidateTable candidates;
    private final Openings openings;
    private final UnmanagedTraffic unmanaged;
    private final RuleTimes ruleTimes;
    private final Gate gate;
    private final Clock clock;
    /** Candidates with which the control loop has finished. */
    private final Queue<Candidate> settled = new ConcurrentLinkedQueue<>();

    public Promotion(Predicate<Runnable> loop, CandidateTable candidates, Openings openings, UnmanagedTraffic unmanaged,
                     RuleTimes ruleTimes, Gate gate, Clock clock) {
        this.loop = checkNotNull(loop, "loop");
        this.candidates = checkNotNull(candidates, "candidates");
        this.openings = checkNotNull(openings, "openings");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.ruleTimes = checkNotNull(ruleTimes, "ruleTimes");
        this.gate = checkNotNull(gate, "gate");
        this.clock = checkNotNull(clock, "clock");
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

    /** Hands a candidate that has earned its paths to the control loop. Until then its packets go the plain way; plain TCP stays there. */
    void promote(Candidate candidate) {
        FiveTuple first = candidate.first();
        Opening opening = candidate.opening();
        unmanaged.forward(first);
        opening.joins.forEach(join -> unmanaged.forward(join.tuple));
        if (!candidate.keys().isPresent()) {
            candidates.settle(candidate);
            return;
        }
        ConnectionKeys keys = candidate.keys().get();
        boolean byAge = !candidate.needsNothing() && !candidate.hasSentEnough() && !unmanaged.isUnclaimed(first);
        candidates.submitted(candidate);
        unmanaged.ignoreAll(candidate.tuples());
        long now = clock.nanos();
        waits(first);
        opening.joins.forEach(join -> waits(join.tuple));
        boolean accepted = loop.test(() -> {
            try {
                if (!candidate.isForgotten()) {
                    openings.open(opening, keys, byAge);
                }
            } finally {
                settled.add(candidate);
            }
        });
        if (!accepted) {
            // It earns its paths again a moment later.
            gate.leaves(first);
            candidates.postponed(candidate, now);
        }
    }

    /** Notes that a subflow waits for rules from now on. */
    void waits(FiveTuple tuple) {
        ruleTimes.waits(tuple, clock.nanos());
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
        if (!openings.catchUp(done)) {
            gate.leaves(done.first());
            if (!candidates.of(done.first()).isPresent()) {
                openings.dropTokens(done.first());
            }
        }
    }
}
