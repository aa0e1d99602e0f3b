// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.detect.CapableEstablished;
import org.subflow.mptcp.detect.HandshakeEvent;
import org.subflow.mptcp.detect.JoinEstablished;
import org.subflow.mptcp.detect.Segment;

/** What is remembered of a connection without rules. Changed by the {@link CandidateTable} only. */
public final class Candidate {
    /** Further subflows that are remembered; the kernel's limit is 8. */
    static final int MOST_JOINS = 16;

    private final HandshakeEvent opened;
    private final Threshold threshold;
    private final long openedNanos;
    private final Map<FiveTuple, SubflowTraffic> subflows = new LinkedHashMap<>();
    private final List<JoinEstablished> joins = new ArrayList<>();
    private boolean established;
    private boolean submitted;
    private boolean forgotten;
    private long lookNanos;
    private int looks;

    Candidate(HandshakeEvent opened, Threshold threshold, long openedNanos) {
        this.opened = checkNotNull(opened, "opened");
        this.threshold = checkNotNull(threshold, "threshold");
        this.openedNanos = openedNanos;
        this.lookNanos = Math.min(openedNanos + Threshold.FIRST_LOOK_NANOS, dueNanos());
        subflows.put(opened.fiveTuple(), new SubflowTraffic(opened.numbers()));
    }

    /** Returns the five-tuple of the first subflow, its source being the sender of the SYN. */
    public FiveTuple first() {
        return opened.fiveTuple();
    }

    /** Returns the event that opened the MPTCP connection; empty for plain TCP. */
    public Optional<CapableEstablished> capable() {
        return opened instanceof CapableEstablished ? Optional.of((CapableEstablished) opened) : Optional.empty();
    }

    /** Returns the further subflows that have not ended, oldest first. */
    public List<JoinEstablished> joins() {
        List<JoinEstablished> living = new ArrayList<>(joins);
        living.removeIf(join -> subflows.get(join.fiveTuple()).hasEnded());
        return living;
    }

    /** Returns whether the first subflow has ended; further ones may go on. */
    public boolean hasFirstEnded() {
        return subflows.get(first()).hasEnded();
    }

    /** Returns whether the control loop has been told of it. */
    public boolean isSubmitted() {
        return submitted;
    }

    /** Returns whether its handshake is complete for certain. */
    public boolean isEstablished() {
        return established;
    }

    /** Returns the subflow whose next packet tells most: the living ones in turn. */
    public FiveTuple subflowToLookAt() {
        List<FiveTuple> living = new ArrayList<>(subflows.keySet());
        living.removeIf(tuple -> subflows.get(tuple).hasEnded());
        return living.isEmpty() ? first() : living.get(looks % living.size());
    }

    /** Returns the five-tuples of all subflows, ended ones included. */
    public Set<FiveTuple> tuples() {
        return subflows.keySet();
    }

    boolean add(JoinEstablished join) {
        if (joins.size() >= MOST_JOINS) {
            return false;
        }
        joins.removeIf(other -> other.fiveTuple().equals(join.fiveTuple()));
        joins.add(join);
        subflows.put(join.fiveTuple(), new SubflowTraffic(join.numbers()));
        // Only a host that has the other's key knows the token.
        established |= join.byInitiator();
        return true;
    }

    /** Notes what a segment with ACK tells of both directions. */
    void note(Segment segment) {
        SubflowTraffic subflow = subflows.get(segment.fiveTuple());
        if (subflow != null) {
            subflow.note(segment, true);
        } else {
            subflows.get(segment.fiveTuple().reversed()).note(segment, false);
        }
        established = true;
    }

    void establish() {
        established = true;
    }

    /** Returns whether all subflows have ended. */
    boolean end(FiveTuple sender, boolean reset) {
        SubflowTraffic subflow = subflows.get(sender);
        if (subflow != null) {
            subflow.end(true, reset);
        } else {
            subflows.get(sender.reversed()).end(false, reset);
        }
        return subflows.values().stream().allMatch(SubflowTraffic::hasEnded);
    }

    boolean isDue(long now) {
        return !submitted
                && threshold.isReached(now - openedNanos, subflows.values().stream().mapToLong(SubflowTraffic::octets).sum());
    }

    /** Returns when it is old enough, in nanoseconds. */
    private long dueNanos() {
        return openedNanos + threshold.nanos();
    }

    /** Returns when it is to be looked at, in nanoseconds. */
    long lookNanos() {
        return lookNanos;
    }

    /** Puts the next look off: after twice the time of the last one, and when it is old enough. */
    void lookAgain(long now) {
        looks++;
        long pause = Math.min(Threshold.FIRST_LOOK_NANOS << Math.min(looks, Threshold.MOST_DOUBLINGS),
                              Threshold.LONGEST_PAUSE_NANOS);
        lookNanos = now < dueNanos() ? Math.min(now + pause, dueNanos()) : now + pause;
    }

    void submit(boolean value) {
        submitted = value;
    }

    void forget() {
        forgotten = true;
    }

    boolean isForgotten() {
        return forgotten;
    }

    @Override
    public String toString() {
        return first() + " and " + joins.size() + " joins";
    }
}
