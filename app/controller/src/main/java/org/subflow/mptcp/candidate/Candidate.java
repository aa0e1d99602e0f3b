// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.CapableEstablished;
import org.subflow.mptcp.handshake.HandshakeEvent;
import org.subflow.mptcp.handshake.JoinEstablished;
import org.subflow.mptcp.handshake.PlainEstablished;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.token.ConnectionKeys;

/** What is remembered of a connection without rules. Changed by the {@link CandidateTable} only. */
public final class Candidate {
    /** Further subflows that are remembered; the kernel's limit is 8. */
    static final int MOST_JOINS = 16;

    private final FiveTuple first;
    /** Null for plain TCP. */
    private final ConnectionKeys keys;
    private final Object opener;
    private final Threshold threshold;
    private final long openedNanos;
    private final long number;
    private final Map<FiveTuple, SubflowTraffic> subflows = new LinkedHashMap<>();
    private final Map<FiveTuple, Join> joins = new LinkedHashMap<>();
    private boolean firstIsBackup;
    private boolean deniesJoins;
    /** What has opened it, until something after the SYN/ACK shows that it is MPTCP; else null. */
    private CapableEstablished unconfirmed;
    private boolean submitted;
    private volatile boolean forgotten;
    /** When its last segment was seen, or it began. */
    private long heardNanos;
    /** Since when its next packet would be seen, and none has come; null if its packets go their way unseen. */
    private Long awaitedSince;
    /** When the last FIN or RST came; null if none has. */
    private Long endNanos;
    private final Probes probes;

    /**
     * Makes one of a handshake.
     *
     * @param keys   the connection's keys; null for plain TCP
     * @param opener the host that has opened it; not null
     */
    Candidate(HandshakeEvent event, ConnectionKeys keys, Object opener, Threshold threshold, long openedNanos, long number) {
        this.first = event.fiveTuple;
        this.keys = keys;
        this.opener = checkNotNull(opener, "opener");
        this.threshold = checkNotNull(threshold, "threshold");
        this.openedNanos = openedNanos;
        this.heardNanos = openedNanos;
        this.awaitedSince = openedNanos;
        this.number = number;
        this.probes = new Probes(threshold, openedNanos);
        subflows.put(first, new SubflowTraffic(event.numbers));
    }

    /** Returns the five-tuple of the first subflow, its source being the sender of the SYN. */
    public FiveTuple first() {
        return first;
    }

    /** Returns the host that has opened it. */
    Object opener() {
        return opener;
    }

    /** Returns the keys of the MPTCP connection; empty for plain TCP. */
    public Optional<ConnectionKeys> keys() {
        return Optional.ofNullable(keys);
    }

    /** Returns what its handshakes have told, without the further subflows that have ended. */
    public Opening opening() {
        return new Opening(first, firstIsBackup, deniesJoins, joins.values().stream()
                .filter(join -> !subflows.get(join.tuple).hasEnded()).collect(Collectors.toList()));
    }

    /** Notes what has opened it. */
    void note(CapableEstablished event) {
        deniesJoins = event.listenerDeniesJoins;
        unconfirmed = event.isComplete() ? null : event;
    }

    /**
     * Returns the plain TCP connection that a connection is of which only SYN and SYN/ACK were seen: the segment that was noted last
     * follows data of the first subflow and has no MPTCP option. Until a DATA_ACK has come, data and its acknowledgement have one,
     * or the hosts have fallen back (RFC 8684, section 3.7).
     *
     * @param segment the segment; not null
     * @return what the handshake has become; empty if the connection is MPTCP as far as is known
     */
    public Optional<PlainEstablished> fallback(Segment segment) {
        boolean isOfFirst = segment.fiveTuple().equals(first) || segment.fiveTuple().reversed().equals(first);
        if (unconfirmed == null || !isOfFirst) {
            return Optional.empty();
        }
        if (segment.hasMptcp()) {
            unconfirmed = null;
        }
        return Optional.ofNullable(unconfirmed).filter(event -> subflows.get(first).octets() > 0)
                .map(CapableEstablished::fellBack);
    }

    /** Returns the five-tuples of the FINs and RSTs that were seen: each has the sender as its source. */
    public List<FiveTuple> ended() {
        List<FiveTuple> senders = new ArrayList<>();
        subflows.forEach((tuple, traffic) -> {
            if (traffic.ending().isBySource()) {
                senders.add(tuple);
            }
            if (traffic.ending().isByDestination()) {
                senders.add(tuple.reversed());
            }
        });
        return senders;
    }

    /** Returns whether the control loop has been told of it. */
    public boolean isSubmitted() {
        return submitted;
    }

    /**
     * Returns the subflow whose next packet tells most: the living ones in turn, and the first subflow first. That one began before
     * the others, and has mostly sent more than they.
     */
    public FiveTuple subflowToProbe() {
        List<FiveTuple> living = new ArrayList<>(subflows.keySet());
        living.removeIf(tuple -> subflows.get(tuple).hasEnded());
        return living.isEmpty() ? first() : living.get(Math.floorMod(probes.number() - 1, living.size()));
    }

    /** Returns the five-tuples of all subflows, ended ones included. */
    public Set<FiveTuple> tuples() {
        return subflows.keySet();
    }

    /**
     * Adds a subflow that has joined it.
     *
     * @return false if there are too many
     */
    boolean add(JoinEstablished event) {
        unconfirmed = null;
        if (joins.size() >= MOST_JOINS) {
            return false;
        }
        joins.remove(event.fiveTuple);
        joins.put(event.fiveTuple, new Join(event.fiveTuple, event.owner.joins, event.backup));
        subflows.put(event.fiveTuple, new SubflowTraffic(event.numbers));
        return true;
    }

    /** Notes what a segment with ACK tells of both directions; it also shows that the handshake is complete. */
    void note(Segment segment, long now) {
        heard(now);
        boolean bySource = subflows.containsKey(segment.fiveTuple());
        FiveTuple initiators = bySource ? segment.fiveTuple() : segment.fiveTuple().reversed();
        segment.priority().ifPresent(isBackup -> {
            firstIsBackup = initiators.equals(first) ? isBackup : firstIsBackup;
            joins.computeIfPresent(initiators, (tuple, join) -> join.withBackup(isBackup));
        });
        subflows.get(initiators).note(segment, bySource);
        if (seemsToHaveSentEnough()) {
            // Packets of its other subflows tell.
            probes.within(Threshold.SOON_NANOS, now);
        }
    }

    private void heard(long now) {
        heardNanos = now;
        // Nobody asks for packets of plain TCP: where it is noted, they come by themselves.
        awaitedSince = keys == null ? now : null;
    }

    private long octets() {
        return subflows.values().stream().mapToLong(SubflowTraffic::octets).sum();
    }

    /** Returns whether all subflows have ended. */
    boolean end(FiveTuple sender, boolean reset, long now) {
        heard(now);
        endNanos = now;
        SubflowTraffic subflow = subflows.get(sender);
        if (subflow != null) {
            subflow.end(true, reset);
        } else {
            subflows.get(sender.reversed()).end(false, reset);
        }
        for (SubflowTraffic each : subflows.values()) {
            if (!each.hasEnded()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether each subflow has been ended by one host at least, and then nothing was heard for long. */
    boolean isLikelyEnded(long now) {
        return now - heardNanos > Threshold.SILENCE_NANOS
                && subflows.values().stream().allMatch(traffic -> traffic.ending().isBegun());
    }

    /** Returns whether it has sent nothing for so long that it has ended if its end may have gone unseen. */
    boolean isSilent(long now) {
        return awaitedSince != null && now - awaitedSince > Threshold.UNSEEN_END_NANOS;
    }

    /** Returns how long ago its last segment was seen, or it began, in nanoseconds. */
    long unheardNanos(long now) {
        return now - heardNanos;
    }

    /** Returns whether a subflow has begun to end a moment ago: most likely its connection ends, too. */
    boolean isClosing(long now) {
        return endNanos != null && now - endNanos < Threshold.CLOSING_NANOS;
    }

    boolean isOld(long now) {
        return threshold.isOld(now - openedNanos);
    }

    /** Returns whether its hosts are known to have sent enough. */
    public boolean hasSentEnough() {
        return threshold.isSent(octets());
    }

    /** Returns whether it gets rules as soon as its handshake is complete. */
    public boolean needsNothing() {
        return threshold.isNone();
    }

    /** Returns its place among all candidates there have been. */
    long number() {
        return number;
    }

    /** Returns when it is probed. */
    Probes probes() {
        return probes;
    }

    /** Notes that its next packet is asked for. */
    void probed(long now) {
        if (awaitedSince == null) {
            awaitedSince = now;
        }
    }

    /** Returns whether it has sent enough if subflows whose packets have not been seen have sent as much as the others. */
    private boolean seemsToHaveSentEnough() {
        long known = subflows.values().stream().filter(subflow -> subflow.octets() > 0).count();
        return known > 0 && threshold.isSent(octets() * subflows.size() / known);
    }

    void submit() {
        submitted = true;
    }

    void withdraw() {
        submitted = false;
    }

    void forget() {
        forgotten = true;
    }

    /** Returns whether it has left the table: it has ended, or the table was full. Any thread may ask. */
    public boolean isForgotten() {
        return forgotten;
    }

    @Override
    public String toString() {
        return first() + " and " + joins.size() + " joins";
    }
}
