// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.detect.CapableEstablished;
import org.subflow.mptcp.detect.HandshakeEvent;
import org.subflow.mptcp.detect.JoinEstablished;
import org.subflow.mptcp.detect.Segment;

/**
 * The candidates, bounded in all and per host that opens connections: beyond, the oldest one is forgotten. A forgotten
 * connection stays as it is, without paths. Confined to the tracking thread, but for the numbers.
 */
public final class CandidateTable {
    /** Limit of candidates. */
    public static final int MOST = 16_384;
    /** Limit of candidates of one host. */
    public static final int MOST_PER_HOST = 4096;

    private final int most;
    private final int mostPerHost;
    private final Consumer<Candidate> whenForgotten;
    private final Map<FiveTuple, Candidate> byTuple = new HashMap<>();
    private final Set<Candidate> all = new LinkedHashSet<>();
    private final Map<IpAddress, Set<Candidate>> byHost = new HashMap<>();
    private final PriorityQueue<Candidate> due = new PriorityQueue<>(Comparator.comparingLong(Candidate::lookNanos));
    private volatile int size;
    private final AtomicLong evicted = new AtomicLong();

    /**
     * Makes an empty table.
     *
     * @param most          limit of candidates
     * @param mostPerHost   limit of candidates that one address has opened
     * @param whenForgotten told of every candidate that leaves the table without having been submitted; not null
     */
    public CandidateTable(int most, int mostPerHost, Consumer<Candidate> whenForgotten) {
        this.most = most;
        this.mostPerHost = mostPerHost;
        this.whenForgotten = checkNotNull(whenForgotten, "whenForgotten");
    }

    /**
     * Adds an MPTCP connection in place of what its five-tuple was before.
     *
     * @param event     what opened it; not null
     * @param complete  whether the third segment of its handshake has been seen
     * @param threshold from when it gets rules; not null
     * @param now       nanoseconds
     */
    public void open(CapableEstablished event, boolean complete, Threshold threshold, long now) {
        add(new Candidate(event, threshold, now), complete);
    }

    /**
     * Adds a plain TCP connection, or one that is treated like it, in place of what its five-tuple was before. Its handshake
     * is complete.
     */
    public void openPlain(HandshakeEvent event, Threshold threshold, long now) {
        add(new Candidate(event, threshold, now), true);
    }

    private void add(Candidate candidate, boolean complete) {
        of(candidate.first()).ifPresent(this::discard);
        Set<Candidate> ofHost = byHost.getOrDefault(candidate.first().source(), Set.of());
        if (ofHost.size() >= mostPerHost) {
            evict(ofHost);
        } else if (all.size() >= most) {
            evict(all);
        }
        if (complete) {
            candidate.establish();
        }
        all.add(candidate);
        byHost.computeIfAbsent(candidate.first().source(), host -> new LinkedHashSet<>()).add(candidate);
        byTuple.put(candidate.first(), candidate);
        if (candidate.capable().isPresent()) {
            due.add(candidate);
        }
        size = all.size();
    }

    private void evict(Set<Candidate> from) {
        evicted.incrementAndGet();
        discard(from.iterator().next());
    }

    /** Finds the candidate with a subflow of this five-tuple, either way round. */
    public Optional<Candidate> of(FiveTuple tuple) {
        Candidate found = byTuple.get(tuple);
        return Optional.ofNullable(found != null ? found : byTuple.get(tuple.reversed()));
    }

    /**
     * Adds a further subflow.
     *
     * @param join the subflow; not null
     * @return false if the connection is no candidate
     */
    public boolean join(JoinEstablished join) {
        Candidate candidate = byTuple.get(join.connection());
        if (candidate == null || candidate.isSubmitted()) {
            return false;
        }
        of(join.fiveTuple()).filter(other -> other != candidate).ifPresent(this::discard);
        if (candidate.add(join)) {
            byTuple.put(join.fiveTuple(), candidate);
        }
        return true;
    }

    /**
     * Notes a segment of a candidate.
     *
     * @param candidate one of this table
     * @param segment   the segment, with ACK; its numbers tell what both hosts have sent
     * @param now       nanoseconds
     * @return whether the connection has earned its rules just now
     */
    public boolean note(Candidate candidate, Segment segment, long now) {
        candidate.note(segment);
        return candidate.isDue(now);
    }

    /**
     * Notes a FIN or RST. A candidate all of whose subflows have ended is forgotten.
     *
     * @param sender the segment's five-tuple
     * @param reset  whether it is an RST
     */
    public void ended(FiveTuple sender, boolean reset) {
        of(sender).filter(candidate -> candidate.end(sender, reset)).ifPresent(this::discard);
    }

    /**
     * Returns the MPTCP connections that are old enough, and those that may have sent enough and so deserve a look. A
     * connection that stays a candidate comes again, after longer and longer pauses.
     *
     * @param now nanoseconds
     */
    public List<Candidate> toLookAt(long now) {
        List<Candidate> found = new ArrayList<>();
        while (!due.isEmpty() && due.peek().lookNanos() <= now) {
            Candidate candidate = due.poll();
            if (!candidate.isForgotten() && !candidate.isSubmitted()) {
                found.add(candidate);
            }
        }
        for (Candidate candidate : found) {
            candidate.lookAgain(now);
            due.add(candidate);
        }
        return found;
    }

    /** Returns whether a candidate has earned its rules: by its age, or by what it has sent. */
    public boolean hasEarned(Candidate candidate, long now) {
        return candidate.isEstablished() && candidate.isDue(now);
    }

    /** Notes that the control loop has been told of a candidate: it stays until its connection is known. */
    public void submitted(Candidate candidate) {
        candidate.submit(true);
    }

    /** Takes a candidate out after the control loop has dealt with it. */
    public void settle(Candidate candidate) {
        remove(candidate);
    }

    /** Notes that the control loop had no time for a candidate, which may be submitted again later. */
    public void postponed(Candidate candidate) {
        candidate.submit(false);
        // It is in the queue already unless it was taken out as one that was submitted.
        if (!candidate.isForgotten() && candidate.capable().isPresent() && !due.contains(candidate)) {
            due.add(candidate);
        }
    }

    private void discard(Candidate candidate) {
        remove(candidate);
        if (!candidate.isSubmitted()) {
            whenForgotten.accept(candidate);
        }
    }

    private void remove(Candidate candidate) {
        if (!all.remove(candidate)) {
            return;
        }
        candidate.forget();
        candidate.tuples().forEach(tuple -> byTuple.remove(tuple, candidate));
        byHost.computeIfPresent(candidate.first().source(), (host, others) -> {
            others.remove(candidate);
            return others.isEmpty() ? null : others;
        });
        size = all.size();
        trimDue();
    }

    /** Forgotten candidates wait in the queue until they are due; their number is kept small. */
    private void trimDue() {
        if (due.size() > 2 * all.size() + 1024) {
            for (Iterator<Candidate> each = due.iterator(); each.hasNext();) {
                if (each.next().isForgotten()) {
                    each.remove();
                }
            }
        }
    }

    /** Returns how many entries wait for their age, forgotten ones included. */
    int waiting() {
        return due.size();
    }

    /** Returns the number of candidates. Any thread may ask. */
    public int size() {
        return size;
    }

    /** Returns how many candidates were forgotten because of a limit. Any thread may ask. */
    public long evicted() {
        return evicted.get();
    }
}
