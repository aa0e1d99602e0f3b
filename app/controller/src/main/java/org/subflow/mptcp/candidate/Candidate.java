// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.detect.CapableEstablished;
import org.subflow.mptcp.detect.JoinEstablished;

/** What is remembered of a connection without rules. Changed by the {@link CandidateTable} only. */
public final class Candidate {
    /** Further subflows that are remembered; the kernel's limit is 8. */
    static final int MOST_JOINS = 16;

    private final FiveTuple first;
    private final CapableEstablished capable;
    private final Threshold threshold;
    private final long openedNanos;
    private final List<JoinEstablished> joins = new ArrayList<>();
    private final Map<FiveTuple, Ending> endings = new HashMap<>();
    private long octets;
    private boolean established;
    private boolean submitted;
    private boolean forgotten;

    Candidate(FiveTuple first, CapableEstablished capable, Threshold threshold, long openedNanos) {
        this.first = checkNotNull(first, "first");
        this.capable = capable;
        this.threshold = checkNotNull(threshold, "threshold");
        this.openedNanos = openedNanos;
    }

    /** Returns the five-tuple of the first subflow, its source being the sender of the SYN. */
    public FiveTuple first() {
        return first;
    }

    /** Returns the event that opened the MPTCP connection; empty for plain TCP. */
    public Optional<CapableEstablished> capable() {
        return Optional.ofNullable(capable);
    }

    /** Returns the further subflows that have not ended, oldest first. */
    public List<JoinEstablished> joins() {
        List<JoinEstablished> living = new ArrayList<>(joins);
        living.removeIf(join -> hasEnded(join.fiveTuple()));
        return living;
    }

    /** Returns whether the first subflow has ended; further ones may go on. */
    public boolean hasFirstEnded() {
        return hasEnded(first);
    }

    /** Returns whether the control loop has been told of it. */
    public boolean isSubmitted() {
        return submitted;
    }

    Collection<FiveTuple> tuples() {
        List<FiveTuple> tuples = new ArrayList<>(List.of(first));
        joins.forEach(join -> tuples.add(join.fiveTuple()));
        return tuples;
    }

    boolean add(JoinEstablished join) {
        if (joins.size() >= MOST_JOINS) {
            return false;
        }
        joins.removeIf(other -> other.fiveTuple().equals(join.fiveTuple()));
        joins.add(join);
        endings.remove(join.fiveTuple());
        // Only a host that has the other's key knows the token.
        established |= join.byInitiator();
        return true;
    }

    void count(int sent) {
        octets += sent;
        established = true;
    }

    void establish() {
        established = true;
    }

    /** Returns whether all subflows have ended. */
    boolean end(FiveTuple sender, boolean reset) {
        FiveTuple tuple = endsOf(sender);
        endings.computeIfAbsent(tuple, unused -> new Ending()).note(tuple.equals(sender), reset);
        return tuples().stream().allMatch(this::hasEnded);
    }

    private FiveTuple endsOf(FiveTuple sender) {
        return tuples().contains(sender) ? sender : sender.reversed();
    }

    private boolean hasEnded(FiveTuple tuple) {
        Ending ending = endings.get(tuple);
        return ending != null && ending.isComplete();
    }

    boolean isDue(long now) {
        return !submitted && threshold.isReached(now - openedNanos, octets);
    }

    /** Returns when it is old enough, in nanoseconds. */
    long dueNanos() {
        return openedNanos + threshold.nanos();
    }

    /** Returns whether its handshake is complete for certain. */
    public boolean isEstablished() {
        return established;
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
        return first + " and " + joins.size() + " joins, " + octets + " octets";
    }

    /** Which of the two hosts have ended a subflow. */
    private static final class Ending {
        private boolean bySource;
        private boolean byDestination;

        private void note(boolean fromSource, boolean reset) {
            bySource |= fromSource || reset;
            byDestination |= !fromSource || reset;
        }

        private boolean isComplete() {
            return bySource && byDestination;
        }
    }
}
