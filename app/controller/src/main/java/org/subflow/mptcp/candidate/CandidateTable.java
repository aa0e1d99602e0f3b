// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.CapableEstablished;
import org.subflow.mptcp.handshake.HandshakeEvent;
import org.subflow.mptcp.handshake.JoinEstablished;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.token.ConnectionKeys;

/**
 * The candidates, bounded in all and per host that opens connections: beyond, the oldest one is forgotten. A forgotten
 * connection stays as it is, without paths. Confined to the tracking, so to one thread at a time, but for the numbers.
 */
public final class CandidateTable {
    /** Limit of candidates. */
    public static final int MOST = 16_384;
    /** Limit of candidates of one host. */
    public static final int MOST_PER_HOST = 4096;

    private final int most;
    private final int mostPerHost;
    private final UnseenEnds unseenEnds;
    private final Consumer<Candidate> whenForgotten;
    private final Map<FiveTuple, Candidate> byTuple = new HashMap<>();
    private final Set<Candidate> all = new LinkedHashSet<>();
    /** The host that opens a connection. */
    private final Function<FiveTuple, Object> opener;
    private final Map<Object, Set<Candidate>> byHost = new HashMap<>();
    private final NavigableSet<Candidate> due = new TreeSet<>(Comparator
            .comparingLong((Candidate candidate) -> candidate.probes().nextNanos()).thenComparingLong(Candidate::number));
    private final EarlyEnds earlyEnds = new EarlyEnds();
    private long opened;
    private volatile int size;
    private final AtomicLong evicted = new AtomicLong();
    private final AtomicLong probes = new AtomicLong();

    /**
     * Makes an empty table.
     *
     * @param most          limit of candidates
     * @param mostPerHost   limit of candidates that one host has opened
     * @param opener        gives for a five-tuple from a connection's initiator the host that this is; not null
     * @param unseenEnds    whether nobody may have seen the end of a connection; then one that is silent counts as ended, else a
     *                      later connection with the same five-tuple might be taken for it; not null
     * @param whenForgotten told of every candidate that leaves the table without having been submitted; not null
     */
    public CandidateTable(int most, int mostPerHost, Function<FiveTuple, Object> opener, UnseenEnds unseenEnds,
                          Consumer<Candidate> whenForgotten) {
        this.most = most;
        this.mostPerHost = mostPerHost;
        this.opener = checkNotNull(opener, "opener");
        this.unseenEnds = checkNotNull(unseenEnds, "unseenEnds");
        this.whenForgotten = checkNotNull(whenForgotten, "whenForgotten");
    }

    /**
     * Adds an MPTCP connection in place of what its five-tuple was before.
     *
     * @param event     what opened it; not null
     * @param threshold from when it gets rules; not null
     * @param now       nanoseconds
     */
    public void open(CapableEstablished event, Threshold threshold, long now) {
        Candidate candidate = candidate(event, event.keys, threshold, now);
        candidate.note(event);
        add(candidate, now);
    }

    /** Adds a plain TCP connection, or one that is treated like it, in place of what its five-tuple was before. */
    public void openPlain(HandshakeEvent event, Threshold threshold, long now) {
        add(candidate(event, null, threshold, now), now);
    }

    private Candidate candidate(HandshakeEvent event, ConnectionKeys keys, Threshold threshold, long now) {
        return new Candidate(event, keys, opener.apply(event.fiveTuple), threshold, now, opened++);
    }

    private void add(Candidate candidate, long now) {
        of(candidate.first()).ifPresent(this::discard);
        Set<Candidate> ofHost = byHost.getOrDefault(candidate.opener(), Set.of());
        if (ofHost.size() >= mostPerHost) {
            evict(ofHost);
        } else if (all.size() >= most) {
            evict(all);
        }
        all.add(candidate);
        byHost.computeIfAbsent(candidate.opener(), unused -> new LinkedHashSet<>()).add(candidate);
        byTuple.put(candidate.first(), candidate);
        due.add(candidate);
        size = all.size();
        endEarly(candidate, candidate.first(), now);
    }

    /** Takes the ends of a subflow into account that have come before its handshake was complete. */
    private void endEarly(Candidate candidate, FiveTuple tuple, long now) {
        earlyEnds.take(tuple, now, (sender, reset) -> end(candidate, sender, reset, now));
    }

    /**
     * Returns the ends of a subflow that have come of late and were no candidate's: its handshake may be complete only now.
     *
     * @param tuple five-tuple of the subflow, either way round; not null
     * @param now   nanoseconds
     * @return the five-tuples of the FINs and RSTs, each with the sender as its source; true for an RST
     */
    public Map<FiveTuple, Boolean> earlyEnds(FiveTuple tuple, long now) {
        return earlyEnds.of(tuple, now);
    }

    private void end(Candidate candidate, FiveTuple sender, boolean reset, long now) {
        if (candidate.end(sender, reset, now)) {
            discard(candidate);
        }
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
     * @param now  nanoseconds
     * @return false if the connection is no candidate
     */
    public boolean join(JoinEstablished join, long now) {
        Candidate candidate = byTuple.get(join.owner.connection);
        if (candidate == null || candidate.isSubmitted()) {
            return false;
        }
        of(join.fiveTuple).filter(other -> other != candidate).ifPresent(this::discard);
        if (candidate.add(join)) {
            byTuple.put(join.fiveTuple, candidate);
            endEarly(candidate, join.fiveTuple, now);
        }
        return true;
    }

    /**
     * Notes a segment of a candidate. It shows that the connection lives, so age counts only with it.
     *
     * @param candidate one of this table
     * @param segment   the segment, with ACK; its numbers tell what both hosts have sent
     * @param now       nanoseconds
     * @return whether the connection has earned its rules just now
     */
    public boolean note(Candidate candidate, Segment segment, long now) {
        due.remove(candidate);
        candidate.note(segment, now);
        if (!candidate.isSubmitted()) {
            due.add(candidate);
        }
        return !candidate.isSubmitted() && (candidate.isOld(now) || candidate.hasSentEnough());
    }

    /**
     * Notes a FIN or RST. A candidate all of whose subflows have ended is forgotten; so is one that is silent for long after
     * one host has ended each of its subflows, because the other host's FIN may have been lost.
     *
     * @param sender the segment's five-tuple
     * @param reset  whether it is an RST
     * @param now    nanoseconds
     */
    public void ended(FiveTuple sender, boolean reset, long now) {
        Optional<Candidate> candidate = of(sender);
        if (candidate.isPresent()) {
            end(candidate.get(), sender, reset, now);
        } else {
            earlyEnds.note(sender, reset, now);
        }
    }

    /**
     * Returns the MPTCP connections that may have earned their rules: their next packets show it. A connection that stays a
     * candidate comes again, after longer and longer pauses. One that is about to end is put off.
     *
     * @param now nanoseconds
     */
    public List<Candidate> toProbe(long now) {
        List<Candidate> found = new ArrayList<>();
        while (!due.isEmpty() && due.first().probes().nextNanos() <= now) {
            Candidate candidate = due.pollFirst();
            if (candidate.isLikelyEnded(now) || candidate.isSilent(now) && mayHaveEndedUnseen(candidate, now)) {
                discard(candidate);
                continue;
            }
            candidate.probes().again(now);
            if (candidate.keys().isPresent() && !candidate.isClosing(now)) {
                candidate.probed(now);
                probes.incrementAndGet();
                found.add(candidate);
                if (mayHaveEndedUnseen(candidate, now)) {
                    // Then it shows whether it is silent.
                    candidate.probes().within(Threshold.UNSEEN_END_NANOS + 1, now);
                }
            }
            due.add(candidate);
        }
        return found;
    }

    private boolean mayHaveEndedUnseen(Candidate candidate, long now) {
        return unseenEnds.mayHaveEnded(candidate.first(), candidate.unheardNanos(now));
    }

    /** Notes that the control loop has been told of a candidate: it stays until its connection is known. */
    public void submitted(Candidate candidate) {
        candidate.submit();
        due.remove(candidate);
    }

    /** Takes a candidate out after the control loop has dealt with it. */
    public void settle(Candidate candidate) {
        remove(candidate);
    }

    /**
     * Notes that there was no time for a candidate, which is probed again soon.
     *
     * @param candidate an MPTCP connection of this table
     * @param now       nanoseconds
     */
    public void postponed(Candidate candidate, long now) {
        candidate.withdraw();
        due.remove(candidate);
        candidate.probes().within(Threshold.SOON_NANOS, now);
        if (!candidate.isForgotten()) {
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
        byHost.computeIfPresent(candidate.opener(), (host, others) -> {
            others.remove(candidate);
            return others.isEmpty() ? null : others;
        });
        due.remove(candidate);
        size = all.size();
    }

    /** Returns how many candidates wait for a probe. */
    int waiting() {
        return due.size();
    }

    /** Returns the number of candidates. Any thread may ask. */
    public int size() {
        return size;
    }

    /** Returns how often candidates were probed. Any thread may ask. */
    public long probes() {
        return probes.get();
    }

    /** Returns how many candidates were forgotten because of a limit. Any thread may ask. */
    public long evicted() {
        return evicted.get();
    }
}
